"""Keyword retrieval: BM25 over a store's keyword index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hayrick.errors import SettingsError
from hayrick.retrievers.base import BaseRetriever, given
from hayrick.stores.reading import checked_number
from hayrick.stores.searching import Searching, refuse_custom_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hayrick.filters import Filters
    from hayrick.schema import Document


class BM25Retriever(BaseRetriever):
    """Rank documents by BM25.

    Args:
        document_store: A store with a keyword index.
        top_k: How many documents to return for a query.
        all_terms_must_match: Whether all terms of a query must stand in a document ("cozy fish restaurant" means cozy
            AND fish AND restaurant), rather than at least one.
        custom_query: Not supported yet.
        scale_score: Whether scores are 1 / (1 + e^(-bm25 / 8)), in [0, 1], or raw BM25.
        search_fields: What to look in, among the fields that the store's text settings name, each optionally with a
            weight ("title^2"); all of those with their weights where None.

    Raises:
        SettingsError: The store has no keyword index, or does not index a search field.
        QueryError: ``top_k`` is not a whole number of at least 1.
        NotImplementedError: A ``custom_query`` was given.
    """

    def __init__(
        self,
        document_store: Searching,
        top_k: int = 10,
        all_terms_must_match: bool = False,
        custom_query: str | None = None,
        scale_score: bool = True,
        *,
        search_fields: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(document_store, Searching):
            raise SettingsError(
                f"a {type(document_store).__name__} has no keyword index; give a hayrick document store"
            )
        refuse_custom_query(custom_query)
        if search_fields is not None:
            document_store.text_settings.chosen(search_fields)
        self.document_store = document_store
        self.top_k = checked_number("top_k", top_k, least=1)
        self.all_terms_must_match = all_terms_must_match
        self.custom_query = custom_query
        self.scale_score = scale_score
        self.search_fields = search_fields

    def retrieve(
        self,
        query: str,
        filters: Filters = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        scale_score: bool | None = None,
    ) -> list[Document]:
        """The documents most relevant to a query by BM25, the best first.

        Args:
            query: Any text.
            filters: Only documents that match.
            top_k: How many at most; the retriever's own where None.
            index: The index to search; the store's default where None.
            headers: Not supported by a store in process.
            scale_score: Whether scores are scaled to [0, 1]; the retriever's own where None.

        Returns:
            min(top_k, matching) documents with ``score`` and ``hit``.

        Raises:
            FilterError: The filter is not of the language.
            IndexNotFoundError: The index was never created.
        """
        return self._signed(self.document_store.query(
            query, filters, given(top_k, self.top_k), None, index, headers,
            self.all_terms_must_match, given(scale_score, self.scale_score),
            search_fields=self.search_fields,
        ))  # fmt: skip

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
        """The documents most relevant to each of several queries.

        Args:
            queries: The queries.
            filters: One filter for all, or a list with one for each query (None among them means no filter).
            top_k: How many at most for each; the retriever's own where None.
            index: The index to search; the store's default where None.
            headers: Not supported by a store in process.
            batch_size: Not applicable.
            scale_score: Whether scores are scaled to [0, 1]; the retriever's own where None.

        Returns:
            One list of documents for each query; for one string, its list of documents.
        """
        found = self.document_store.query_batch(
            queries, filters, given(top_k, self.top_k), None, index, headers,
            self.all_terms_must_match, given(scale_score, self.scale_score), search_fields=self.search_fields,
        )  # fmt: skip
        return self._signed(found) if isinstance(queries, str) else [self._signed(documents) for documents in found]

    def _signed(self, documents: list[Document]) -> list[Document]:
        """The documents, each hit naming this retriever."""
        for document in documents:
            if document.hit is not None:
                document.hit = replace(document.hit, retriever=type(self).__name__)
        return documents
