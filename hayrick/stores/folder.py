"""A store's folder: what may lie in it, and what is made of a path.

What goes in: a path from a user. What comes out: a :class:`Folder`, checked. The invariant: hayrick writes only under
names of its own, inside a folder that was empty or already a store, and leaves anything else as it is.

::

    documents.sqlite   the table of record
    text/<number>/     a keyword index, one for each named index, rebuilt from the table at will
    write.lock         the writers' lock
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayrick.errors import DamagedStoreError, ForeignFileError, StorageError, StorePathError
from hayrick.stores.lock import sync_folder

_TABLE: Final = "documents.sqlite"
_TEXT: Final = "text"
_LOCK: Final = "write.lock"
#: SQLite's own files beside the table.
_JOURNALS: Final = ("-journal", "-wal", "-shm")
_OURS: Final = {_TABLE, _TEXT, _LOCK, f"damaged-{_TEXT}", *(_TABLE + suffix for suffix in _JOURNALS)}


@dataclass(frozen=True, slots=True)
class Folder:
    """The places in a store's folder."""

    path: Path

    @property
    def table(self) -> Path:
        """The table of record."""
        return self.path / _TABLE

    @property
    def text(self) -> Path:
        """The keyword indexes."""
        return self.path / _TEXT

    @property
    def lock(self) -> Path:
        """The writers' lock file."""
        return self.path / _LOCK

    def holds_store(self) -> bool:
        """Whether a table of record is there."""
        return self.table.is_file()


def check(path: str | os.PathLike[str]) -> Folder:
    """A path that holds a store, or could.

    Raises:
        StorePathError: It is empty, a file, or cannot be a path.
        ForeignFileError: The folder holds other things.
        DamagedStoreError: The folder holds a store's derived files without its table of record.
    """
    folder = Folder(_checked_path(path))
    if not os.path.lexists(folder.path):
        return folder
    if not folder.path.is_dir():
        raise StorePathError(f"{folder.path} is a file; a store is a folder, name one that is empty or not there yet")
    # Hidden files (.DS_Store, .gitignore) say nothing about what a folder is for.
    try:
        names = {entry.name for entry in folder.path.iterdir() if not entry.name.startswith(".")}
    except OSError as error:
        raise StorageError(f"cannot read the folder {folder.path}: {error.strerror}") from error
    if _TABLE not in names or not folder.table.stat().st_size:
        if _TEXT in names:
            raise DamagedStoreError(f"{folder.path} holds a store's indexes, but {_TABLE}, the documents, has gone")
        if foreign := names - _OURS:
            raise ForeignFileError(f"{folder.path} holds other things ({min(foreign)!r}...); choose an empty folder")
    return folder


def make(folder: Folder) -> None:
    """Create the folder and its parents.

    Raises:
        StorageError: The file system refused.
    """
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        sync_folder(folder.path.resolve().parent)
    except OSError as error:
        raise StorageError(f"cannot make the folder {folder.path}: {error.strerror}") from error


def _checked_path(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\x00" in text:
        raise StorePathError(f"{text!r:.80} is not a path; a store is a folder")
    try:
        # Absolute, since the store outlives a change of the working folder.
        found = Path(text).expanduser().absolute()
        found.lstat()
    except FileNotFoundError:
        return found
    except (OSError, ValueError, RuntimeError) as error:
        raise StorePathError(f"{text!r:.80} cannot be a store's folder: {error}") from error
    return found
