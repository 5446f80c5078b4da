"""Async twins of a store's main methods: the same call in a worker thread, so that an event loop goes on meanwhile.

The invariant: a twin takes and returns what its method does. Stores are safe to share between threads.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hayrick.stores.searching import Searching
from hayrick.stores.writing import Writing

if TYPE_CHECKING:
    from hayrick.schema import Document


class Asynchronous(Writing, Searching):
    """``await store.query_async(...)`` for ``store.query(...)``, and so on."""

    async def write_documents_async(self, *args: Any, **kwargs: Any) -> list[str]:
        """:meth:`~hayrick.stores.writing.Writing.write_documents`, awaited."""
        return await asyncio.to_thread(self.write_documents, *args, **kwargs)

    async def delete_documents_async(self, *args: Any, **kwargs: Any) -> int:
        """:meth:`~hayrick.stores.writing.Writing.delete_documents`, awaited."""
        return await asyncio.to_thread(self.delete_documents, *args, **kwargs)

    async def update_document_meta_async(self, *args: Any, **kwargs: Any) -> None:
        """:meth:`~hayrick.stores.writing.Writing.update_document_meta`, awaited."""
        await asyncio.to_thread(self.update_document_meta, *args, **kwargs)

    async def get_document_by_id_async(self, *args: Any, **kwargs: Any) -> Document | None:
        """:meth:`~hayrick.stores.reading.Reading.get_document_by_id`, awaited."""
        return await asyncio.to_thread(self.get_document_by_id, *args, **kwargs)

    async def get_documents_by_id_async(self, *args: Any, **kwargs: Any) -> list[Document]:
        """:meth:`~hayrick.stores.reading.Reading.get_documents_by_id`, awaited."""
        return await asyncio.to_thread(self.get_documents_by_id, *args, **kwargs)

    async def get_all_documents_async(self, *args: Any, **kwargs: Any) -> list[Document]:
        """:meth:`~hayrick.stores.reading.Reading.get_all_documents`, awaited."""
        return await asyncio.to_thread(self.get_all_documents, *args, **kwargs)

    async def get_document_count_async(self, *args: Any, **kwargs: Any) -> int:
        """:meth:`~hayrick.stores.reading.Reading.get_document_count`, awaited."""
        return await asyncio.to_thread(self.get_document_count, *args, **kwargs)

    async def query_async(self, *args: Any, **kwargs: Any) -> list[Document]:
        """:meth:`~hayrick.stores.searching.Searching.query`, awaited."""
        return await asyncio.to_thread(self.query, *args, **kwargs)

    async def query_batch_async(self, *args: Any, **kwargs: Any) -> list[Any]:
        """:meth:`~hayrick.stores.searching.Searching.query_batch`, awaited."""
        return await asyncio.to_thread(self.query_batch, *args, **kwargs)
