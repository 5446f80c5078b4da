"""What a keyword index does for a store, whatever engine is inside.

The invariant: an index speaks row numbers alone. It holds no document and no filter; what it is asked to leave out,
it is told by a mask over rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A keyword query.

    Attributes:
        text: What is looked for; any text.
        all_terms: Whether every term must stand in a document, rather than one.
        fields: The search fields to look in, each with its weight; None for all of the store's.
    """

    text: str
    all_terms: bool = False
    fields: tuple[tuple[str, float], ...] | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """Up to where, and of what, an index was built; it is stored in the same commit as the documents.

    Attributes:
        store_id: The store.
        index_id: The named index in it.
        settings: The text settings, as JSON.
        seq: The last operation of the log that is in; 0 before the first.
        token: That operation's token.
    """

    store_id: str
    index_id: int
    settings: str
    seq: int
    token: int


class TextIndex(Protocol):
    """A keyword index over one named index of a store."""

    @property
    def documents(self) -> int:
        """How many documents it holds."""

    @property
    def stamp(self) -> Stamp | None:
        """What it was built of; None where nothing was ever committed."""

    def apply(
        self, deleted: Iterable[tuple[int, int]], added: Iterable[Sequence[tuple[int, Sequence[str]]]], stamp: Stamp
    ) -> None:
        """Take in a piece of the log, in one commit together with its stamp.

        Args:
            deleted: Runs ``(first, last)`` of rows to drop.
            added: Pages of ``(row, texts)``, one text a search field.
            stamp: What the index stands at afterwards.
        """

    def top(self, query: TextQuery, limit: int, within: Rows | None = None) -> tuple[Rows, Scores]:
        """The best rows for a query.

        Args:
            query: What is looked for.
            limit: How many at most.
            within: A few rows (up to hundreds) that alone may be found; their scores are what they are without it.

        Returns:
            int64 (n,) and float32 (n,), n <= limit, larger is better: by score, then by row.
        """

    def reload(self) -> None:
        """See what another process committed."""
