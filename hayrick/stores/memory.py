"""The store in memory: the same code as on disk, with nothing on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack

from hayrick.stores.base import DocumentStore

if TYPE_CHECKING:
    from hayrick.stores.core import StoreOptions


class InMemoryDocumentStore(DocumentStore):
    """A document store that is gone when it is closed; for tests, notebooks and short-lived work.

    Args:
        **options: See :class:`~hayrick.stores.core.StoreOptions`.

    Raises:
        SettingsError: An argument out of range.
    """

    def __init__(self, **options: Unpack[StoreOptions]) -> None:
        super().__init__(None, **options)

    @staticmethod
    def recognises(path: str | os.PathLike[str]) -> bool:
        """Whether the path is ":memory:"."""
        return os.fspath(path) == ":memory:"
