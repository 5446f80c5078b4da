"""Path -> store: which engine made what lies there.

What goes in: a path. What comes out: an open store. The invariant: engines are found through the entry points of group
"hayrick.stores" (a class with ``recognises(path)`` and a constructor that takes the path), so adding one edits no file.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from hayrick.errors import StorePathError
from hayrick.stores import folder
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.sqlite import SQLiteDocumentStore

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from hayrick.stores.base import DocumentStore
    from hayrick.stores.core import StoreOptions

GROUP: Final = "hayrick.stores"


def open_store(path: str | os.PathLike[str], **options: Unpack[StoreOptions]) -> DocumentStore:
    """Open an existing store with the engine that made it.

    Args:
        path: The store's folder, or ":memory:" for a new store in memory.
        **options: See :class:`~hayrick.stores.core.StoreOptions`; what is kept with the store need not be given.

    Raises:
        StorePathError: No store is there; ``SQLiteDocumentStore(path)`` makes one.
        ForeignFileError, DamagedStoreError, StoreVersionError: What is there cannot be opened.
    """
    if InMemoryDocumentStore.recognises(path):
        return InMemoryDocumentStore(**options)
    for engine in _engines():
        if engine.recognises(path):
            return engine(path, **options)  # type: ignore[no-any-return]
    found = folder.check(path).path
    what = "is empty" if Path(found).exists() else "does not exist"
    raise StorePathError(f"no store at {found}: the folder {what}; SQLiteDocumentStore(path) makes one")


def _engines() -> Iterator[Any]:
    """The engines on disk, hayrick's own first."""
    yield SQLiteDocumentStore
    for entry in entry_points(group=GROUP):
        engine = entry.load()
        if engine not in (SQLiteDocumentStore, InMemoryDocumentStore):
            yield engine
