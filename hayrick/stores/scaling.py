"""Raw scores -> [0, 1], one function a kind of score.

What goes in: a raw score, larger is better (for l2 the distance). What comes out: a score in [0, 1], in the same order.
The formulas are Haystack v1's; its l2, which scored farther vectors higher, is mended to 1 / (1 + distance).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable


def sigmoid(x: float) -> float:
    """1 / (1 + e^-x), in a form that does not overflow."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)


_SCALES: Final[dict[str, Callable[[float], float]]] = {
    "bm25": lambda raw: sigmoid(raw / 8.0),
    "cosine": lambda raw: (raw + 1.0) / 2.0,
    "dot_product": lambda raw: sigmoid(raw / 100.0),
    "l2": lambda distance: 1.0 / (1.0 + distance),
}


def scaled(raw: float, kind: str) -> float:
    """A raw score of a kind (bm25, cosine, dot_product, l2) as a number in [0, 1].

    Raises:
        KeyError: No such kind.
    """
    return _SCALES[kind](raw)
