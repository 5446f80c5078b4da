"""A segment: the columns of a run of documents, immutable once built.

What goes in: row numbers, places and stored facts. What comes out: a :class:`Segment`. The invariant: rows ascend, and
positions ``0..size-1`` follow them; a deleted document keeps its position, dead, until segments are joined.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hayrick.filters import keys
from hayrick.filters.columns import ColumnsCompiler, Mask
from hayrick.stores.columns import column as columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from hayrick.filters.ast import Kind, Node
    from hayrick.stores.columns.column import Column


@dataclass(frozen=True, slots=True)
class Segment:
    """Columns over some documents.

    Attributes:
        rows: int64 (size,), ascending row numbers.
        places: int64 (size,), each document's place in insertion order.
        alive: bool (size,), false where the document was deleted.
        columns: By stored name: the kind's letter and the path (:func:`hayrick.filters.keys.name`).
    """

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    alive: Mask
    columns: Mapping[str, Column]

    @property
    def size(self) -> int:
        """How many positions, dead ones included."""
        return len(self.rows)

    def column(self, kind: Kind, path: str) -> Column | None:
        """The column of a kind at a path, or None where no document of the segment has such a fact."""
        return self.columns.get(keys.name(kind, path))

    def mask(self, node: Node) -> Mask:
        """Bool (size,): alive and matching."""
        found = ColumnsCompiler(self).compile(node)
        found &= self.alive
        return found

    def without(self, rows: NDArray[np.int64]) -> Segment:
        """The segment with ``rows`` dead; itself where none of them lives in it."""
        if not self.size:
            return self
        at = np.minimum(np.searchsorted(self.rows, rows), self.size - 1)
        at = at[(self.rows[at] == rows) & self.alive[at]]
        if not len(at):
            return self
        alive = self.alive.copy()
        alive[at] = False
        return replace(self, alive=alive)


def build(documents: Iterable[tuple[int, int, str]]) -> Segment:
    """A segment from ``(row, place, stored facts)``, ascending by row."""
    rows: list[int] = []
    places: list[int] = []
    drafts: dict[str, columns.Draft] = defaultdict(columns.Draft)
    for position, (row, place, facts) in enumerate(documents):
        rows.append(row)
        places.append(place)
        for name, key in keys.load(facts):
            drafts[name].add(position, key)
    size = len(rows)
    return Segment(
        np.array(rows, np.int64),
        np.array(places, np.int64),
        np.ones(size, np.bool_),
        {name: draft.finished(size) for name, draft in drafts.items()},
    )


def join(segments: Sequence[Segment]) -> Segment:
    """One segment of the living documents of several, in order."""
    keep = [segment.alive for segment in segments]
    names = dict.fromkeys(name for segment in segments for name in segment.columns)
    joined = {name: columns.join([(s.columns.get(name), s.alive) for s in segments]) for name in names}
    return Segment(
        np.concatenate([s.rows[alive] for s, alive in zip(segments, keep, strict=True)]),
        np.concatenate([s.places[alive] for s, alive in zip(segments, keep, strict=True)]),
        np.ones(sum(int(alive.sum()) for alive in keep), np.bool_),
        {name: column for name, column in joined.items() if column is not None},
    )
