"""One column: the facts of one kind at one path, dictionary-encoded.

What goes in: positions and keys, ascending by position (:class:`Draft`). What comes out: a :class:`Column`. The
invariant: the dictionary is sorted and holds no key that no fact uses, so a code's order is its key's order and
existence is "any code".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hayrick.filters.keys import Key

Codes = NDArray[np.unsignedinteger]
Positions = NDArray[np.int32]

#: A column is dense (one code a position, most of them used) from this share of positions on.
_DENSE = 0.125


@dataclass(frozen=True, slots=True)
class Column:
    """The facts of one kind at one path of ``size`` documents.

    Attributes:
        dictionary: The distinct keys, sorted.
        codes: Unsigned; indices into ``dictionary``. In a dense column there is one a position, and the dictionary's
            length stands for "no fact".
        positions: int32, the position of each code, ascending; None in a dense column.
    """

    dictionary: Sequence[Key]
    codes: Codes
    positions: Positions | None


class Draft:
    """A column being built: facts are added in ascending order of position, keys numbered as they appear."""

    __slots__ = ("_codes", "_numbers", "_positions")

    def __init__(self) -> None:
        self._positions: list[int] = []
        self._codes: list[int] = []
        self._numbers: dict[Key, int] = {}

    def add(self, position: int, key: Key) -> None:
        """Add a fact."""
        self._positions.append(position)
        self._codes.append(self._numbers.setdefault(key, len(self._numbers)))

    def finished(self, size: int) -> Column:
        """The column over ``size`` positions."""
        dictionary = sorted(self._numbers)
        renumbered = np.empty(len(dictionary), np.int64)
        renumbered[[self._numbers[key] for key in dictionary]] = np.arange(len(dictionary))
        return _shaped(dictionary, renumbered[self._codes], np.array(self._positions, np.int32), size)


def _shaped(dictionary: Sequence[Key], codes: NDArray[np.integer[Any]], positions: Positions, size: int) -> Column:
    narrow = np.min_scalar_type(len(dictionary))
    single = len(positions) < 2 or bool((positions[1:] > positions[:-1]).all())  # noqa: PLR2004 - one pair
    if single and len(positions) >= size * _DENSE:
        dense = np.full(size, len(dictionary), narrow)
        dense[positions] = codes
        return Column(dictionary, dense, None)
    return Column(dictionary, codes.astype(narrow), positions)


def spread(column: Column) -> tuple[Positions, Codes]:
    """A column's facts as parallel arrays of positions and codes."""
    if column.positions is not None:
        return column.positions, column.codes
    used = np.flatnonzero(column.codes < len(column.dictionary)).astype(np.int32)
    return used, column.codes[used]


def join(parts: Sequence[tuple[Column | None, NDArray[np.bool_]]]) -> Column | None:
    """Join the columns of consecutive segments into one.

    Args:
        parts: For each segment its column (None where it has no such fact) and bool (size,), the positions to keep.

    Returns:
        The joined column over the kept positions in order, or None where no kept position has a fact.
    """
    pieces: list[tuple[Sequence[Key], Positions, Codes]] = []
    offset = 0
    for column, keep in parts:
        if column is not None:
            renumbered = (np.cumsum(keep) - 1 + offset).astype(np.int32)
            positions, codes = spread(column)
            kept = keep[positions]
            pieces.append((column.dictionary, renumbered[positions[kept]], codes[kept]))
        offset += int(keep.sum())
    used = {dictionary[code] for dictionary, _, codes in pieces for code in np.unique(codes).tolist()}
    if not used:
        return None
    merged = sorted(used)
    number = {key: code for code, key in enumerate(merged)}
    codes = np.concatenate([_renumbered(dictionary, number, codes) for dictionary, _, codes in pieces])
    return _shaped(merged, codes, np.concatenate([positions for _, positions, _ in pieces]), offset)


def _renumbered(dictionary: Sequence[Key], number: dict[Key, int], codes: Codes) -> NDArray[np.int64]:
    # Keys that only dropped positions used have no number; their entry is never read.
    return np.fromiter((number.get(key, 0) for key in dictionary), np.int64, len(dictionary))[codes]
