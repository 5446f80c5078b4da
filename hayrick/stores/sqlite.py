"""The store on disk: a folder with a SQLite database and the indexes derived from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from hayrick.stores import folder
from hayrick.stores.base import DocumentStore

if TYPE_CHECKING:
    import os

    from hayrick.stores.core import StoreOptions


class SQLiteDocumentStore(DocumentStore):
    """A document store in a folder.

    Args:
        path: The folder; made, with its parents, where it does not exist yet.
        **options: See :class:`~hayrick.stores.core.StoreOptions`.

    Raises:
        StorePathError, ForeignFileError: The path is a file, or a folder with other things in it.
        DamagedStoreError, StoreVersionError: What is there cannot be opened.
        SettingsError: An argument out of range.
    """

    def __init__(self, path: str | os.PathLike[str], **options: Unpack[StoreOptions]) -> None:
        super().__init__(folder.check(path), **options)

    @staticmethod
    def recognises(path: str | os.PathLike[str]) -> bool:
        """Whether the path is a folder with a store of this engine in it."""
        return folder.check(path).holds_store()
