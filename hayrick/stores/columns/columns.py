"""The columns of one index: a few segments, and the sequence number they stand at.

What goes in: changes of the document table, in the log's order. What comes out: row sets and values. The invariant: an
instance never changes. ``after`` gives a new one, so a search holds a consistent state while another thread catches up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hayrick.stores.columns import segment as segments
from hayrick.stores.columns.column import spread
from hayrick.stores.columns.mask import RowMask, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hayrick.filters.ast import Kind, Node
    from hayrick.filters.keys import Key
    from hayrick.stores.columns.segment import Segment

#: Neighbouring segments are joined until each is at least so many times the next, which keeps them few
#: (logarithmically many) while each document is joined only a few times.
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class IndexColumns:
    """Every column of one index.

    Attributes:
        seq: The last operation of the log that is in.
        segments: Oldest first; rows ascend across them.
    """

    seq: int
    segments: tuple[Segment, ...] = ()

    def select(self, node: Node) -> RowMask:
        """The documents for which the tree holds."""
        parts = self.segments or (segments.build(()),)
        return RowMask(
            _joined([part.rows for part in parts]),
            _joined([part.places for part in parts]),
            _joined([part.mask(node) for part in parts]),
            sum(int(np.count_nonzero(part.alive)) for part in parts),
        )

    def after(self, seq: int, deleted: Rows, added: Iterable[tuple[int, int, str]]) -> IndexColumns:
        """The columns after more of the log.

        Args:
            seq: The sequence number reached.
            deleted: int64, ascending: rows to drop; unknown ones are ignored.
            added: ``(row, place, stored facts)`` ascending by row, all above every row held.
        """
        kept = [part.without(deleted) for part in self.segments]
        new = segments.build(added)
        return IndexColumns(seq, _compacted([*kept, new] if new.size else kept))

    def values(self, kind: Kind, path: str, node: Node) -> Counter[Key]:
        """How many matching documents hold each key of a kind at a path."""
        counts: Counter[Key] = Counter()
        for part in self.segments:
            if (column := part.column(kind, path)) is not None:
                positions, codes = spread(column)
                matching = part.mask(node)[positions]
                # A document counts once for a value that its list repeats.
                pairs = np.unique(np.stack([positions[matching], codes[matching].astype(np.int64)]), axis=1)
                found, numbers = np.unique(pairs[1], return_counts=True)
                counts.update({column.dictionary[c]: int(n) for c, n in zip(found, numbers, strict=True)})
        return counts


def _joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    # The usual case, one segment, copies nothing.
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _compacted(parts: list[Segment]) -> tuple[Segment, ...]:
    """Join neighbours from the newest back until sizes fall geometrically; drop segments without the living."""
    kept: list[Segment] = []
    for part in parts:
        if part.alive.any():
            kept.append(part)
            while len(kept) > 1 and kept[-2].size < _GROWTH * kept[-1].size:
                kept[-2:] = [segments.join(kept[-2:])]
    return tuple(segments.join([p]) if int(p.alive.sum()) * 2 < p.size else p for p in kept)
