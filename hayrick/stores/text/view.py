"""A keyword index at one moment, searched under a mask.

What goes in: queries and, where there is a filter, the rows it allows. What comes out: exactly min(top_k, matching
and allowed) rows, best first. The invariant: a filter never moves a score and never starves a search. The engine is
asked for more and more hits until enough of them are allowed, or there are no more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from hayrick.stores.columns.mask import RowMask
    from hayrick.stores.text.protocol import Rows, Scores, TextIndex, TextQuery

#: Up to so many allowed rows the engine is told them one by one, which costs less than hits that are thrown away.
_FEW_ROWS: Final = 256
#: How many times more to ask for when a round was not enough; asking again repeats the engine's work.
_GROWTH: Final = 8
#: Ask for so much more than the mask's share suggests, since a filter and a query are seldom independent.
_MARGIN: Final = 2


def _no_rows() -> Rows:
    return np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class View:
    """A stored index, and where this process could not bring it up to date, the rest of the log beside it.

    Attributes:
        base: The stored index.
        seq: The operation of the log up to which the two together go.
        tail: An index of the documents that the stored one lacks, or None.
        gone: int64, ascending: rows of the stored index that were deleted since.
    """

    base: TextIndex
    seq: int
    tail: TextIndex | None = None
    gone: Rows = field(default_factory=_no_rows)

    def search(self, query: TextQuery, top_k: int, mask: RowMask | None = None) -> tuple[Rows, Scores]:
        """The best rows for a query.

        Args:
            query: What is looked for.
            top_k: How many at most.
            mask: The rows allowed; None allows all.

        Returns:
            int64 (n,) and float32 (n,): n = min(top_k, matching and allowed), by score, then by row.
        """
        rows, scores = _allowed(self.base, query, top_k, mask, self.gone)
        if self.tail is not None:
            tail_rows, tail_scores = _allowed(self.tail, query, top_k, mask, self.gone)
            rows, scores = np.concatenate([rows, tail_rows]), np.concatenate([scores, tail_scores])
            best = np.lexsort((rows, -scores))[:top_k]
            rows, scores = rows[best], scores[best]
        return rows, scores


def _allowed(index: TextIndex, query: TextQuery, top_k: int, mask: RowMask | None, gone: Rows) -> tuple[Rows, Scores]:
    """The best ``top_k`` hits of one index among the rows allowed and not gone."""
    if mask is not None and mask.count <= _FEW_ROWS:
        rows = mask.allowed()
        rows = rows[~np.isin(rows, gone)]
        return index.top(query, top_k, rows) if len(rows) else (rows, np.empty(0, np.float32))
    limit = top_k + len(gone)
    if mask is not None:
        limit += top_k * _MARGIN * mask.documents // mask.count
    while True:
        rows, scores = index.top(query, limit)
        exhausted = len(rows) < limit
        if mask is not None or len(gone):
            keep = ~np.isin(rows, gone) if mask is None else mask.test(rows) & ~np.isin(rows, gone)
            rows, scores = rows[keep], scores[keep]
        if exhausted or len(rows) >= top_k:
            return rows[:top_k], scores[:top_k]
        limit *= _GROWTH
