"""Tree -> a boolean mask over dictionary-encoded numpy columns: the fast engine of every row set.

What goes in: a tree, and the columns of one set of documents. What comes out: ``bool (size,)``, true where the document
at that position matches. The invariant: a column's dictionary is sorted by key (:mod:`~hayrick.filters.keys`), so every
comparison is a range or a set of codes, and no document's value is ever decoded.
"""

from __future__ import annotations

import functools
import operator
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from hayrick.filters import keys
from hayrick.filters.ast import Comparator, Compare, Exists, In, Kind
from hayrick.filters.compiler import FilterCompiler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hayrick.filters.ast import ListPattern
    from hayrick.filters.keys import Key

Mask = NDArray[np.bool_]

#: Up to so many codes, comparing one by one beats a look-up table.
_FEW_CODES = 3
#: Up to so many keys, a filter's list is looked up; beyond, each stored list is compared with it.
_MANY_KEYS = 1024


class Column(Protocol):
    """The facts of one kind at one path."""

    @property
    def dictionary(self) -> Sequence[Key]:
        """The distinct keys, sorted."""

    @property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """Unsigned; indices into ``dictionary``, whose length stands for "no fact" in a dense column."""

    @property
    def positions(self) -> NDArray[np.int32] | None:
        """int32, the position of each code, ascending; None in a dense column: one code a position."""


class Columns(Protocol):
    """The columns of some documents."""

    @property
    def size(self) -> int:
        """How many documents."""

    def column(self, kind: Kind, path: str) -> Column | None:
        """The column of a kind at a path, or None where no document has such a fact."""


_SPANS: dict[Comparator, Callable[[Sequence[Key], Key], tuple[int, int]]] = {
    Comparator.GT: lambda dictionary, key: (bisect_right(dictionary, key), len(dictionary)),
    Comparator.GTE: lambda dictionary, key: (bisect_left(dictionary, key), len(dictionary)),
    Comparator.LT: lambda dictionary, key: (0, bisect_left(dictionary, key)),
    Comparator.LTE: lambda dictionary, key: (0, bisect_right(dictionary, key)),
}


class ColumnsCompiler(FilterCompiler[Mask]):
    """Evaluate a tree over columns; every mask it returns is fresh and the caller's own."""

    engine: ClassVar[str] = "columns"

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def member(self, node: In) -> Mask:
        return self._any(
            self._coded(column, _codes(column.dictionary, kind, values))
            for kind, values in node.members
            if (column := self.columns.column(kind, node.path)) is not None
        )

    def compare(self, node: Compare) -> Mask:
        return self._any(
            self._bounded(column, node.comparator, next(keys.value_keys(kind, (bound,))))
            for kind, bound in node.bounds
            if (column := self.columns.column(kind, node.path)) is not None
        )

    def exists(self, node: Exists) -> Mask:
        return self._any(
            self._spanned(column, 0, len(column.dictionary))
            for kind in Kind
            if (column := self.columns.column(kind, node.path)) is not None
        )

    def conjunction(self, operands: Sequence[Mask]) -> Mask:
        return functools.reduce(operator.iand, operands) if operands else np.ones(self.columns.size, np.bool_)

    def disjunction(self, operands: Sequence[Mask]) -> Mask:
        return self._any(operands)

    def negation(self, operand: Mask) -> Mask:
        return np.logical_not(operand, out=operand)

    def _any(self, masks: Iterable[Mask]) -> Mask:
        found = list(masks)
        return functools.reduce(operator.ior, found) if found else np.zeros(self.columns.size, np.bool_)

    def _bounded(self, column: Column, comparator: Comparator, key: Key) -> Mask:
        if comparator is Comparator.CONTAINS:
            return self._coded(column, [code for code, text in enumerate(column.dictionary) if _within(key, text)])
        return self._spanned(column, *_SPANS[comparator](column.dictionary, key))

    def _coded(self, column: Column, codes: list[int]) -> Mask:
        """Positions with one of ``codes``, which ascend without repeats."""
        if codes and codes[-1] - codes[0] == len(codes) - 1:
            return self._spanned(column, codes[0], codes[-1] + 1)
        if len(codes) <= _FEW_CODES:
            return self._placed(column, self._any_code(column.codes, codes))
        wanted = np.zeros(len(column.dictionary) + 1, np.bool_)
        wanted[codes] = True
        return self._placed(column, wanted[column.codes])

    @staticmethod
    def _any_code(stored: NDArray[np.unsignedinteger], codes: list[int]) -> Mask:
        return functools.reduce(operator.ior, (stored == code for code in codes), np.zeros(len(stored), np.bool_))

    def _spanned(self, column: Column, start: int, stop: int) -> Mask:
        """Positions with a code in ``[start, stop)``."""
        if stop - start == 1:
            return self._placed(column, column.codes == start)
        # Unsigned subtraction wraps, so one comparison tests both ends; the code of "no fact" lies past every stop.
        shifted = column.codes if start == 0 else column.codes - column.codes.dtype.type(start)
        return self._placed(column, shifted < max(stop - start, 0))

    def _placed(self, column: Column, hits: Mask) -> Mask:
        """Hits over a column's facts as a mask over positions."""
        if column.positions is None:
            return hits
        mask = np.zeros(self.columns.size, np.bool_)
        mask[column.positions[hits]] = True
        return mask


def _codes(dictionary: Sequence[Key], kind: Kind, values: Sequence[object]) -> list[int]:
    """The codes of a leaf's values, ascending."""
    if kind is Kind.LIST and sum(map(keys.pattern_count, values)) > _MANY_KEYS:  # type: ignore[arg-type]
        patterns: Sequence[ListPattern] = values  # type: ignore[assignment]
        return [c for c, stored in enumerate(dictionary) if any(keys.key_matches(str(stored), p) for p in patterns)]
    wanted = set(keys.value_keys(kind, values))  # type: ignore[arg-type]
    if len(wanted) > len(dictionary):
        return [code for code, stored in enumerate(dictionary) if stored in wanted]
    found = ((bisect_left(dictionary, key), key) for key in wanted)
    return sorted(code for code, key in found if code < len(dictionary) and dictionary[code] == key)


def _within(part: Key, text: Key) -> bool:
    return keys.text_of(str(part)) in keys.text_of(str(text))
