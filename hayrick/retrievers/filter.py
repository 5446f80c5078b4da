"""Retrieval by filter alone: every document that matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hayrick.retrievers.bm25 import BM25Retriever
from hayrick.stores.searching import one_filter_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hayrick.filters import Filters
    from hayrick.schema import Document


class FilterRetriever(BM25Retriever):
    """Return all documents that match a filter, whatever the query.

    For tests, and for reading small collections whole.
    """

    def retrieve(
        self,
        query: str,
        filters: Filters = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        scale_score: bool | None = None,
    ) -> list[Document]:
        """Every document that matches, in insertion order and without a score.

        Args:
            query: Has no effect.
            filters: Only documents that match; all where None.
            top_k: Has no effect.
            index: The index to read; the store's default where None.
            headers: Not supported by a store in process.
            scale_score: Has no effect.

        Raises:
            FilterError: The filter is not of the language.
            IndexNotFoundError: The index was never created.
        """
        return self.document_store.get_all_documents(index, filters, headers=headers)

    def retrieve_batch(
        self,
        queries: list[str] | str,
        filters: Filters | Sequence[Filters] = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        batch_size: int | None = None,
        scale_score: bool | None = None,
    ) -> list[Any]:
        """For each query every document that matches its filter; queries only count.

        Args:
            queries: Have no effect but their number.
            filters: One filter for all, or a list with one for each query.
            index: The index to read; the store's default where None.

        Returns:
            One list of documents for each query; for one string, its list of documents.
        """
        if isinstance(queries, str):
            (wanted,) = one_filter_each(filters, 1)
            return self.retrieve(queries, wanted, index=index, headers=headers)
        each = one_filter_each(filters, len(queries))
        return [
            self.retrieve(query, wanted, index=index, headers=headers)
            for query, wanted in zip(queries, each, strict=True)
        ]
