"""A row set: which of an index's documents a filter allows.

What goes in: row numbers, a mask over them, and their places. What comes out: counts, tests and row numbers. The
invariant: rows ascend and are those of living documents or masked out, so a row number is found by binary search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hayrick.filters.columns import Mask

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RowMask:
    """The allowed documents of one index at one moment.

    Attributes:
        rows: int64 (n,), ascending.
        places: int64 (n,), each document's place in insertion order.
        mask: bool (n,), true where allowed.
        documents: How many documents the index holds, allowed or not.
    """

    rows: Rows
    places: Rows
    mask: Mask
    documents: int

    @property
    def count(self) -> int:
        """How many documents are allowed."""
        return int(np.count_nonzero(self.mask))

    def allowed(self) -> Rows:
        """int64 (count,): the allowed rows in insertion order."""
        rows, places = self.rows[self.mask], self.places[self.mask]
        # An overwritten document has a new row in its old place; without one, rows ascend with places already.
        return rows if bool((places[1:] >= places[:-1]).all()) else rows[np.argsort(places, kind="stable")]

    def test(self, rows: Rows) -> Mask:
        """Bool (len(rows),): whether each of ``rows`` is allowed."""
        if not len(self.rows):
            return np.zeros(len(rows), np.bool_)
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        found: Mask = (self.rows[at] == rows) & self.mask[at]
        return found


def expanded(runs: Iterable[tuple[int, int]]) -> Rows:
    """int64 (n,), ascending: the row numbers of runs ``(first, last)``."""
    rows = [np.arange(first, last + 1, dtype=np.int64) for first, last in runs]
    return np.sort(np.concatenate(rows)) if rows else np.empty(0, np.int64)
