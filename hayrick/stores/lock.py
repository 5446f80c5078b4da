"""The store's write lock, and folder syncs: all that differs between platforms, in one place.

What goes in: the path of a lock file, or None for a store that no other process can see. What comes out: a lock for the
threads of this process and, by the kernel, between processes. The invariant: the kernel gives the lock back when its
holder dies, however it dies; what the file says of the holder is for error messages and decides nothing.

On POSIX this is ``flock``, on Windows ``msvcrt.locking`` on one byte far behind the text. Neither can be trusted on a
network file system.
"""

from __future__ import annotations

import datetime as dt
import os
import socket
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from hayrick.errors import StorageError, StoreLockedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FIRST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 0.05
_HOLDER_BYTES: Final = 500

if sys.platform == "win32":
    import msvcrt

    _BYTE = 1 << 30

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def sync_folder(path: Path) -> None:
        """Windows keeps folder entries with the file."""

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def sync_folder(path: Path) -> None:
        """Make the folder's entries (new, renamed or removed files) outlast a power cut."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class WriteLock:
    """One writer at a time, among threads and among processes.

    Args:
        path: The lock file, made where it is absent; None for threads alone.
        timeout: How many seconds to wait for another holder.
    """

    def __init__(self, path: Path | None, timeout: float = 10.0) -> None:
        self.path = path
        self.timeout = timeout
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self, timeout: float | None = None) -> Iterator[None]:
        """Hold the lock for a block; a thread that holds it may take it again.

        Args:
            timeout: Seconds to wait instead of the lock's own; 0 tries once.

        Raises:
            StoreLockedError: Another holder did not let go in time; ``holder`` names it.
        """
        timeout = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        if not self._threads.acquire(timeout=timeout):
            raise StoreLockedError(f"waited {timeout:g} s to write", "another thread of this process")
        try:
            descriptor = None if self._depth or self.path is None else self._acquire(self.path, deadline, timeout)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if descriptor is not None:
                    # Closing the descriptor gives the kernel's lock back.
                    os.close(descriptor)
        finally:
            self._threads.release()

    @staticmethod
    def _acquire(path: Path, deadline: float, timeout: float) -> int:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise StorageError(f"cannot lock {path}: {error.strerror}") from error
        pause = _FIRST_PAUSE
        while not _try_lock(descriptor):
            if time.monotonic() + pause > deadline:
                holder = os.pread(descriptor, _HOLDER_BYTES, 0) if hasattr(os, "pread") else b""
                os.close(descriptor)
                named = holder.decode(errors="replace").strip()
                raise StoreLockedError(f"waited {timeout:g} s to write", named or "another process")
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        try:
            _sign(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise StorageError(f"cannot write {path}: {error.strerror}") from error
        return descriptor


def _sign(descriptor: int) -> None:
    since = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    text = f"process {os.getpid()} on {socket.gethostname()} since {since}".encode()[:_HOLDER_BYTES]
    # A fixed length overwrites the last holder's text without truncating under a reader's eyes.
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, text.ljust(_HOLDER_BYTES))
