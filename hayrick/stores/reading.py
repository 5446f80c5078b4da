"""The methods of a store that read documents without ranking them.

The invariant: listings are in insertion order unless sorted, an overwritten document keeps its place, and what is
returned is the caller's own.
"""

from __future__ import annotations

import datetime as dt
import operator
import statistics
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hayrick import filters as language
from hayrick.errors import DocumentError, IndexNotFoundError, QueryError
from hayrick.filters import keys
from hayrick.filters.ast import Kind
from hayrick.stores.core import StoreCore, refuse_headers
from hayrick.stores.ordering import ordered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hayrick.filters import Filters
    from hayrick.schema import Document
    from hayrick.stores.documents.edit import IndexState

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_VALUES: Final[dict[Kind, Callable[[Any], Any]]] = {
    Kind.BOOL: bool,
    Kind.NUMBER: keys.number_of,
    Kind.STRING: keys.text_of,
    Kind.DATETIME: lambda microseconds: _EPOCH + dt.timedelta(microseconds=microseconds),
}


class Reading(StoreCore):
    """Get, list and count."""

    def get_document_by_id(
        self,
        id: str,
        index: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Document | None:
        """One document, or None where the id is unknown.

        Args:
            id: The document's id.
            index: The index; the store's default where None.
            headers: Not supported by a store in process.
        """
        return next(iter(self.get_documents_by_id([id], index, headers=headers)), None)

    def get_documents_by_id(
        self,
        ids: Sequence[str],
        index: str | None = None,
        batch_size: int = 10_000,
        headers: Mapping[str, str] | None = None,
        *,
        return_embedding: bool | None = None,
    ) -> list[Document]:
        """Documents in the order of their ids; unknown ids are left out.

        Args:
            ids: The ids; an id given twice comes twice.
            index: The index; the store's default where None.
            batch_size: Accepted for compatibility; there is no limit on the number of ids.
            headers: Not supported by a store in process.
            return_embedding: With their embeddings; the store's own setting where None.
        """
        refuse_headers(headers)
        if isinstance(ids, str):
            raise DocumentError("ids is a list of ids, not one string")

        def find(state: IndexState) -> tuple[list[int], dict[str, int]]:
            rows = self._table.rows_of(state, ids)
            return list(rows.values()), rows

        _, lines, rows = self._consistent(index, find)
        return self._documents([rows[id_] for id_ in map(str, ids) if id_ in rows], lines, return_embedding)

    def get_all_documents(
        self,
        index: str | None = None,
        filters: Filters = None,
        return_embedding: bool | None = None,
        batch_size: int = 10_000,
        headers: Mapping[str, str] | None = None,
        *,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[Document]:
        """Every document, or every one that matches, at one moment.

        Args:
            index: The index; the store's default where None.
            filters: Only documents that match.
            return_embedding: With their embeddings; the store's own setting where None.
            batch_size: Accepted for compatibility.
            headers: Not supported by a store in process.
            sort: Metadata paths to sort by, "-year" for descending; insertion order where None.
            limit: At most so many, after sorting.

        Raises:
            FilterError: The filter is not of the language.
            IndexNotFoundError: The index was never created.
        """
        refuse_headers(headers)
        limit = None if limit is None else checked_number("limit", limit, least=0)

        def find(state: IndexState) -> tuple[list[int], list[int]]:
            rows = self._rows(state, filters)
            rows = rows if sort else rows[:limit]
            return rows, rows

        _, lines, rows = self._consistent(index, find)
        return ordered(self._documents(rows, lines, return_embedding), sort)[:limit]

    def get_all_documents_generator(
        self,
        index: str | None = None,
        filters: Filters = None,
        return_embedding: bool | None = None,
        batch_size: int = 10_000,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """The documents of :meth:`get_all_documents`, fetched ``batch_size`` at a time.

        Documents that are deleted or overwritten while the generator runs, and that it has not reached, are left out.
        """
        refuse_headers(headers)
        state = self._renewed(self._name(index))
        rows = self._rows(state, filters)
        size = checked_number("batch_size", batch_size, least=1)
        return self._batches(state, rows, size, return_embedding)

    def get_document_count(
        self,
        filters: Filters = None,
        index: str | None = None,
        only_documents_without_embedding: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """How many documents there are, or match.

        Args:
            filters: Only documents that match.
            index: The index; the store's default where None.
            only_documents_without_embedding: Of those, the ones without.
            headers: Not supported by a store in process.
        """
        refuse_headers(headers)
        state = self._renewed(self._name(index))
        mask = self._mask(state, filters)
        count = state.documents if mask is None else mask.count
        return count - self._embedded(state, filters) if only_documents_without_embedding else count

    def count(self, filters: Filters = None, index: str | None = None) -> int:
        """How many documents there are, or match; the short name of :meth:`get_document_count`."""
        return self.get_document_count(filters, index)

    def get_embedding_count(self, filters: Filters = None, index: str | None = None) -> int:
        """How many documents, of those that match, have an embedding."""
        return self._embedded(self._renewed(self._name(index)), filters)

    def get_metadata_values_by_key(
        self, key: str, filters: Filters = None, index: str | None = None, headers: Mapping[str, str] | None = None
    ) -> list[dict[str, Any]]:
        """Every value at a metadata path, with the number of documents that have it.

        Args:
            key: The dotted path.
            filters: Only documents that match.
            index: The index; the store's default where None.
            headers: Not supported by a store in process.

        Returns:
            ``{"value": ..., "count": n}``, the most frequent first. Each element of a list counts; datetimes are in
            UTC.
        """
        refuse_headers(headers)
        if not isinstance(key, str):
            raise QueryError(f"key is a metadata path, not a {type(key).__name__}")
        state = self._renewed(self._name(index))
        selection, tree = self._selection(state), language.read(filters)
        found = [
            (n, kind, number) for kind in _VALUES for number, n in selection.values(state, kind, key, tree).items()
        ]
        found.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
        return [{"value": _VALUES[kind](number), "count": n} for n, kind, number in found]

    def describe_documents(self, index: str | None = None) -> dict[str, Any]:
        """How many documents there are, and how long: count, and chars_mean, _max, _min, _median (0 when empty)."""
        state = self._renewed(self._name(index))
        lengths = [len(content) for content in self._table.contents(state.index_id)] or [0]
        return {
            "count": state.documents,
            "chars_mean": statistics.fmean(lengths),
            "chars_max": max(lengths),
            "chars_min": min(lengths),
            "chars_median": statistics.median(lengths),
        }

    def indexes(self) -> list[str]:
        """The names of the indexes, oldest first."""
        return [state.name for state in self._table.indexes()]

    def has_index(self, index: str) -> bool:
        """Whether an index of that name exists."""
        try:
            self._renewed(self._name(index))
        except IndexNotFoundError:
            return False
        return True

    def _rows(self, state: IndexState, filters: Filters) -> list[int]:
        """The matching rows in insertion order."""
        mask = self._mask(state, filters)
        if mask is None:
            return self._table.all_rows(state.index_id)
        rows: list[int] = mask.allowed().tolist()
        return rows

    def _embedded(self, state: IndexState, filters: Filters) -> int:
        return len(self._table.embedded(state.index_id).intersection(self._rows(state, filters)))

    def _batches(
        self, state: IndexState, rows: list[int], size: int, return_embedding: bool | None
    ) -> Iterator[Document]:
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            _, lines = self._table.fetch(state.index_id, batch)
            yield from self._documents(batch, lines, return_embedding)


def checked_number(name: str, value: int, *, least: int) -> int:
    """A whole number of a search's arguments.

    Raises:
        QueryError: It is not whole, or less than ``least``.
    """
    truth = isinstance(value, bool | np.bool_)
    try:
        number = None if truth else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        raise QueryError(f"{name} is a whole number of at least {least}, not {value!r:.80}")
    return number
