"""The methods of a store that rank documents by a keyword query.

The invariant: a filtered search returns exactly min(top_k, documents that match the query and the filter), and the
filter moves no score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hayrick.errors import QueryError, TextIndexError
from hayrick.schema import Hit
from hayrick.stores.core import refuse_headers
from hayrick.stores.reading import Reading, checked_number
from hayrick.stores.scaling import scaled
from hayrick.stores.text.protocol import TextQuery

if TYPE_CHECKING:
    from hayrick.filters import Filters
    from hayrick.schema import Document
    from hayrick.stores.columns.mask import RowMask
    from hayrick.stores.documents.edit import IndexState

#: One ranked row: its number and raw score; None where nothing was scored.
_Ranked = tuple[int, float | None]


@dataclass(frozen=True, slots=True)
class _Search:
    """The checked arguments that the queries of one call share."""

    top_k: int
    offset: int
    threshold: float | None
    all_terms: bool
    scale: bool
    fields: tuple[tuple[str, float], ...] | None


class Searching(Reading):
    """Keyword queries."""

    def query(
        self,
        query: str | None,
        filters: Filters = None,
        top_k: int = 10,
        custom_query: str | None = None,
        index: str | None = None,
        headers: Mapping[str, str] | None = None,
        all_terms_must_match: bool = False,
        scale_score: bool = True,
        *,
        offset: int = 0,
        score_threshold: float | None = None,
        search_fields: Sequence[str] | None = None,
    ) -> list[Document]:
        """The documents that fit a query best, by BM25.

        Args:
            query: Any text; it is analysed, never parsed. None ranks nothing and returns what matches the filter, in
                insertion order.
            filters: Only documents that match.
            top_k: How many at most.
            custom_query: Not supported yet.
            index: The index; the store's default where None.
            headers: Not supported by a store in process.
            all_terms_must_match: Whether every term of the query must stand in a document, rather than one.
            scale_score: Whether ``score`` is 1 / (1 + e^(-raw / 8)), in [0, 1], or the raw BM25 score.
            offset: How many of the best to leave out.
            score_threshold: Leave out documents whose ``score`` is below.
            search_fields: What to look in, among the fields that the store's text settings name, each optionally with a
                weight of its own ("title^2"); all of those with their weights where None.

        Returns:
            Documents with ``score`` and ``hit``, the best first; equal scores in row order.

        Raises:
            FilterError, QueryError: An argument is not of its kind.
            SettingsError: A search field that the store does not index.
            IndexNotFoundError: The index was never created.
        """
        refuse_headers(headers)
        refuse_custom_query(custom_query)
        search = self._search(top_k, offset, score_threshold, all_terms_must_match, scale_score, search_fields)
        return self._answered([query], [filters], index, search)[0]

    def query_batch(
        self,
        queries: Sequence[str | None] | str,
        filters: Filters | Sequence[Filters] = None,
        top_k: int = 10,
        custom_query: str | None = None,
        index: str | None = None,
        headers: Mapping[str, str] | None = None,
        all_terms_must_match: bool = False,
        scale_score: bool = True,
        *,
        offset: int = 0,
        score_threshold: float | None = None,
        search_fields: Sequence[str] | None = None,
    ) -> list[Any]:
        """Several queries at once, all at one state of the index.

        Args:
            queries: The queries.
            filters: One filter for all, or a list with one for each (None among them means no filter).
            top_k: See :meth:`query`, as for the other arguments.

        Returns:
            One list of documents for each query; for one string, its list of documents.

        Raises:
            QueryError: As many filters as queries are needed.
        """
        refuse_headers(headers)
        refuse_custom_query(custom_query)
        asked = [queries] if isinstance(queries, str) else list(queries)
        each = one_filter_each(filters, len(asked))
        search = self._search(top_k, offset, score_threshold, all_terms_must_match, scale_score, search_fields)
        answered = self._answered(asked, each, index, search)
        return answered[0] if isinstance(queries, str) else answered

    def _search(
        self,
        top_k: int,
        offset: int,
        threshold: float | None,
        all_terms: bool,
        scale: bool,
        fields: Sequence[str] | None,
    ) -> _Search:
        return _Search(
            top_k=checked_number("top_k", top_k, least=1),
            offset=checked_number("offset", offset, least=0),
            threshold=_checked_threshold(threshold),
            all_terms=bool(all_terms),
            scale=bool(scale),
            fields=None if fields is None else self.text_settings.chosen(fields),
        )

    def _answered(
        self, asked: Sequence[str | None], each: Sequence[Filters], index: str | None, search: _Search
    ) -> list[list[Document]]:
        """The documents of each query, all at one state of the index."""

        def find(state: IndexState) -> tuple[list[int], list[list[_Ranked]]]:
            ranked = [self._ranked(state, text, wanted, search) for text, wanted in zip(asked, each, strict=True)]
            return [row for one in ranked for row, _ in one], ranked

        _, lines, ranked = self._consistent(index, find)
        return [self._hits(one, lines, search) for one in ranked]

    def _ranked(self, state: IndexState, query: str | None, filters: Filters, search: _Search) -> list[_Ranked]:
        wanted = min(search.top_k + search.offset, max(state.documents, 1))
        if query is None:
            return [(row, None) for row in self._rows(state, filters)[search.offset : wanted]]
        if not isinstance(query, str):
            raise QueryError(f"a query is text or None, not a {type(query).__name__}")
        mask = self._mask(state, filters)
        text = TextQuery(query, search.all_terms, search.fields)
        try:
            rows, scores = self._text(state).at(state).search(text, wanted, mask)
        except TextIndexError:
            rows, scores = self._after_rebuild(state, text, wanted, mask)
        found = zip(rows.tolist(), scores.tolist(), strict=True)
        return list(found)[search.offset :]

    def _after_rebuild(self, state: IndexState, text: TextQuery, wanted: int, mask: RowMask | None) -> Any:
        """Once more with an index built anew: a cache that fails is no reason for a search to fail."""
        if self.read_only:
            raise TextIndexError(
                f"the keyword index of {self.path} is damaged; open the store for writing to rebuild it"
            )
        cache = self._text(state)
        cache.rebuild(state)
        return cache.at(state).search(text, wanted, mask)

    def _hits(self, ranked: list[_Ranked], lines: Mapping[int, Any], search: _Search) -> list[Document]:
        present = [(row, raw) for row, raw in ranked if row in lines]
        documents = self._documents([row for row, _ in present], lines, None)
        for rank, (document, (_, raw)) in enumerate(zip(documents, present, strict=True), search.offset + 1):
            if raw is not None:
                document.score = scaled(raw, "bm25") if search.scale else raw
                document.hit = Hit(raw, "bm25", rank, type(self).__name__)
        if search.threshold is None:
            return documents
        return [d for d in documents if d.score is not None and d.score >= search.threshold]


def _checked_threshold(threshold: float | None) -> float | None:
    if threshold is None:
        return None
    number = math.nan if isinstance(threshold, bool | str) else _float(threshold)
    if math.isnan(number):
        raise QueryError(f"score_threshold is a number, not {threshold!r:.80}")
    return number


def _float(value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def one_filter_each(filters: Filters | Sequence[Filters], count: int) -> Sequence[Filters]:
    """The filter of each of ``count`` queries: a list has one a query, anything else serves them all.

    Raises:
        QueryError: The list has another length.
    """
    if not isinstance(filters, list | tuple):
        return [filters] * count  # type: ignore[list-item]
    if len(filters) != count:
        raise QueryError(f"{len(filters)} filters for {count} queries; a list of filters holds one for each query")
    return filters


def refuse_custom_query(custom_query: str | None) -> None:
    """Say that the Elasticsearch query language is not served yet.

    Raises:
        NotImplementedError: A custom query was given.
    """
    if custom_query is not None:
        raise NotImplementedError(
            "custom_query is not supported yet; use filters, all_terms_must_match and search_fields instead"
        )
