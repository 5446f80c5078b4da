"""A SQLite database: safe settings, one writer at a time, readers of their own, every fault a typed error.

What goes in: a path, or None for a database in memory. What comes out: connections, for reading and for writing. The
invariant: a write is one ``BEGIN IMMEDIATE`` transaction under the store's lock, and is acknowledged by its commit.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import urllib.parse
import weakref
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy.pool import QueuePool, StaticPool

from hayrick.errors import (
    DamagedStoreError,
    DocumentStoreError,
    ForeignFileError,
    HayrickError,
    ReadOnlyStoreError,
    StorageError,
    StoreClosedError,
    StoreForkedError,
    StoreLockedError,
    StoreVersionError,
)
from hayrick.stores.documents.tables import APPLICATION_ID, FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy.engine.interfaces import DBAPIConnection

_MAGIC: Final = b"SQLite format 3\x00"
_BUSY_SECONDS: Final = 10.0
_CACHE_KIB: Final = 32_000

#: Words of SQLite's messages -> the error they become; the first that fits.
_FAULTS: Final[tuple[tuple[str, Callable[[str], DocumentStoreError]], ...]] = (
    ("database is locked", lambda text: StoreLockedError(text, "another process")),
    ("readonly", ReadOnlyStoreError),
    ("read-only", ReadOnlyStoreError),
    ("disk is full", StorageError),
    ("disk I/O error", StorageError),
    ("too big", StorageError),
    ("unable to open", StorageError),
    ("malformed", DamagedStoreError),
    ("not a database", DamagedStoreError),
    ("no such table", DamagedStoreError),
    ("no such column", DamagedStoreError),
)


def wal_is_safe(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite is free of the fault by which concurrent connections can lose WAL commits.

    Fixed in 3.51.3, and in 3.44.6 and 3.50.7 of the older lines.
    """
    return version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51, 0) or (3, 44, 6) <= version < (3, 45, 0)


def journal_mode() -> str:
    """The journal that this interpreter's SQLite can be trusted with."""
    return "WAL" if wal_is_safe(sqlite3.sqlite_version_info[:3]) else "DELETE"


@contextmanager
def typed_errors(where: str) -> Iterator[None]:
    """Turn the engine's errors into hayrick's.

    Raises:
        DocumentStoreError: One of its kinds, saying ``where``.
    """
    try:
        yield
    except HayrickError:  # some are OSErrors too, and say already what they have to say
        raise
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        text = str(getattr(error, "orig", error))
        make = next((make for words, make in _FAULTS if words in text), DocumentStoreError)
        raise make(f"{where}: {text}") from error
    except UnicodeDecodeError as error:
        raise DamagedStoreError(f"{where}: text that is not UTF-8: {error}") from error
    except OSError as error:
        raise StorageError(f"{where}: {error}") from error


class Database:
    """Connections to one SQLite database, shared by the threads of one process.

    Args:
        path: The file, which must exist unless ``create``; None for a database in memory.
        create: Make the file where it is absent.
        read_only: Never write.
        write_lock: What to hold during a write; given by the store, since readers and caches follow the same lock.

    Raises:
        ForeignFileError, StoreVersionError, DamagedStoreError, StorageError: The file cannot be used.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        create: bool = False,
        read_only: bool = False,
        write_lock: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.where = str(path) if path else "the store in memory"
        self._write_lock = write_lock
        self._process = os.getpid()
        self._closed = False
        self._users = 0
        self._idle = threading.Condition()
        self._local = threading.local()
        self._readers: weakref.WeakSet[sa.Connection] = weakref.WeakSet()
        # In memory every thread shares one connection, and must take turns.
        self._turns: AbstractContextManager[object] = nullcontext() if path else threading.RLock()
        if path is not None:
            _sniff(path, create=create)
        self.engine = _engine(path, read_only=read_only)
        try:
            self._check_format()
        except BaseException:
            self.close()
            raise

    def is_blank(self) -> bool:
        """Whether it holds no tables yet: made just now, or by a process that died before it had finished."""
        with self.read() as connection:
            tables: int = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
        return tables == 0

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """This thread's reading connection; each statement on it is a transaction of its own."""
        with self._in_use(), self._turns, typed_errors(self.where):
            connection = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = self.engine.connect()
                self._readers.add(connection)
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A write transaction: committed when the block ends, rolled back when it raises.

        Raises:
            ReadOnlyStoreError, StoreLockedError, StorageError: Nothing was written.
        """
        self.check_writable()
        with (
            self._in_use(),
            self._write_lock(),
            self._turns,
            typed_errors(self.where),
            self.engine.connect() as connection,
        ):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                # After some faults (a full disk) SQLite has rolled back by itself.
                if connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
                    connection.exec_driver_sql("ROLLBACK")
                raise

    def check_writable(self) -> None:
        """Refuse a write before anything is touched for it.

        Raises:
            StoreClosedError, StoreForkedError, ReadOnlyStoreError
        """
        self.check_usable()
        if self.read_only:
            raise ReadOnlyStoreError(f"{self.where} was opened with read_only=True")

    def check_usable(self) -> None:
        """Refuse use after ``close`` and in a forked child.

        Raises:
            StoreClosedError, StoreForkedError
        """
        if self._closed:
            raise StoreClosedError(f"{self.where} is closed; open it again to use it")
        if os.getpid() != self._process:
            raise StoreForkedError(f"{self.where} was opened before fork(); open it again in the child process")

    def close(self) -> None:
        """Close every connection once nobody uses one any more; closing twice is allowed."""
        if self._closed or os.getpid() != self._process:
            return
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._users == 0)
        for connection in list(self._readers):
            connection.close()
        self.engine.dispose()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Keep the connections open for a block: one that is closed in use takes the interpreter with it."""
        with self._idle:
            self.check_usable()
            self._users += 1
        try:
            yield
        finally:
            with self._idle:
                self._users -= 1
                self._idle.notify_all()

    def stamp_format(self, connection: sa.Connection) -> None:
        """Mark a database as hayrick's, in the transaction that makes its tables."""
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")

    def _check_format(self) -> None:
        if self.is_blank():
            return
        with self.read() as connection:
            application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if application != APPLICATION_ID:
            raise ForeignFileError(f"{self.where} is a SQLite database, but not one of hayrick's; nothing was changed")
        if version > FORMAT:
            raise StoreVersionError(version, FORMAT)


def _sniff(path: Path, *, create: bool) -> None:
    """Refuse, before SQLite sees it, a file that is no SQLite database; an empty one is a database not made yet."""
    if create and not path.exists():
        return
    with typed_errors(str(path)), path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head not in (b"", _MAGIC):
        raise ForeignFileError(f"{path} is not a SQLite database; nothing was changed")


def _engine(path: Path | None, *, read_only: bool) -> sa.Engine:
    address = ":memory:"
    if path is not None:
        mode = "ro" if read_only else "rwc"
        address = f"file:{urllib.parse.quote(str(path.resolve()))}?mode={mode}"

    def connect() -> sqlite3.Connection:
        # isolation_level None: transactions are begun by hand, so that a read never upgrades to a write.
        return sqlite3.connect(
            address, uri=path is not None, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )

    pool: dict[str, object] = {"poolclass": StaticPool}
    if path is not None:
        pool = {"poolclass": QueuePool, "pool_size": 4, "max_overflow": -1}
    engine = sa.create_engine("sqlite://", creator=connect, **pool)
    sa.event.listen(engine, "connect", _configure_read_only if read_only else _configure)
    return engine


def _configure(connection: DBAPIConnection, _record: object) -> None:
    _configure_read_only(connection, _record)
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA journal_mode = {journal_mode()}")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _configure_read_only(connection: DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA trusted_schema = OFF")
    cursor.execute("PRAGMA cell_size_check = ON")
    cursor.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    cursor.close()
