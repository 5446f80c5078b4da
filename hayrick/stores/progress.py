"""Progress on a terminal, for work that takes a while.

What goes in: items to work through. What comes out: the same items. The invariant: nothing is drawn where nobody
looks (no terminal), nor for little work, and nothing goes to standard output.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")

#: Fewer items than this are done before a bar would be read.
_WORTH_SHOWING: Final = 20_000


def tracked(items: Sequence[T], what: str, *, show: bool) -> Iterable[T]:
    """The items, with a progress bar on standard error while they are worked through."""
    if not show or len(items) < _WORTH_SHOWING or not sys.stderr.isatty():
        return items
    from rich.console import Console  # noqa: PLC0415 - rich takes longer to load than most writes take
    from rich.progress import track  # noqa: PLC0415

    return track(items, what, console=Console(stderr=True), transient=True)
