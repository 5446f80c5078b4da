r"""Which documents a reply cites, and where.

What goes in: a reply, a reader that finds the places of references in it, and the number of documents. What comes out:
`Citation`, one a number in the order of the text, and what could not be followed. The invariant: every citation names
one of the documents, from 1 to their number; ``[0]`` or ``[99]`` never wraps around to another.

Numbers are runs of the digits 0 to 9. One of more than nine digits is past any list of documents, and is never
converted. The ``acm`` reader takes what the documented ``\[(?:(\d+),?\s*)+\]`` takes, and blanks around the commas,
in time proportional to the reply: its repetitions are possessive, so that none of them is ever tried twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from hayrick.answers.patterns import Deadline, Place

#: Finds the places of a reply that hold references: bracketed lists, or captures of a user's pattern.
Reader = Callable[[str, Deadline], Iterable[Place]]

#: A reference to a document: its number, from 1, and where the number (or the range that holds it) starts and ends in
#: the reply. A bare tuple, since there are many and they live only until the builder has read them.
Citation = tuple[int, int, int]

_NUMBER, _DASH = r"[0-9]++", "[-\N{EN DASH}]"
_RANGE = rf"{_NUMBER}(?:\s*+{_DASH}\s*+{_NUMBER})?+"


def _bracket(item: str) -> re.Pattern[str]:
    return re.compile(rf"\[(\s*+{item}(?:(?:\s*+,\s*+|\s++){item})*+\s*+,?+\s*+)\]")


_ACM, _ACM_RANGES = _bracket(_NUMBER), _bracket(_RANGE)

# What may stand in a captured place: a range, a number, or something that is neither, between separators.
_ITEM = r"[^\s,;\[\](){}]"
_ITEMS = re.compile(rf"({_NUMBER})\s*+{_DASH}\s*+({_NUMBER})(?!{_ITEM})|{_ITEM}++")

_MOST_DIGITS = 9
_BEYOND = 10**_MOST_DIGITS


def acm_reader(*, ranges: bool) -> Reader:
    """A reader of bracketed lists of numbers, as in "an answer[1, 2]"; with ``ranges``, of "[1-3, 5]" too."""
    pattern = _ACM_RANGES if ranges else _ACM
    return lambda reply, _: (match.span(1) for match in pattern.finditer(reply))


def citations(
    reply: str, places: Iterable[Place], known: Mapping[str, int], *, ranges: bool
) -> tuple[list[Citation], list[str]]:
    """The citations of a reply, and the references that no document answers, as they are written.

    Args:
        reply: The text.
        places: Where a reader found references.
        known: The documents' numbers as they are nearly always written: ``{"1": 1, "2": 2}`` for two documents.
        ranges: Whether "1-3" means 1, 2 and 3; what lies outside the documents is left out of it.
    """
    found: list[Citation] = []
    skipped: list[str] = []
    for start, end in places:
        if position := known.get(reply[start:end]):
            found.append((position, start, end))
            continue
        for item in _ITEMS.finditer(reply, start, end):
            if position := known.get(item[0]):
                found.append((position, *item.span()))
            else:
                found.extend(_unusual(item, len(known), skipped, ranges=ranges))
    return found, skipped


def _unusual(item: re.Match[str], count: int, skipped: list[str], *, ranges: bool) -> Iterator[Citation]:
    """What an item cites that is no plain number of a document: "2-4", "007", "99", "4-2", "x"."""
    low, high = _bounds(item, ranges=ranges)
    if low < 1 or high > count or low > high:
        skipped.append(item[0])
    for position in range(max(low, 1), min(high, count) + 1):
        yield (position, *item.span())


def _bounds(item: re.Match[str], *, ranges: bool) -> tuple[int, int]:
    """The first and last number that an item means; (1, 0), an empty range, where it means none."""
    low, high = item.groups()
    if low is not None:
        return (_value(low), _value(high)) if ranges else (1, 0)
    text = item[0]
    return (_value(text), _value(text)) if text.isascii() and text.isdigit() else (1, 0)


def _value(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else _BEYOND


def named(skipped: list[str], most: int = 10, width: int = 20) -> str:
    """References for a log line: each once, short, and with nothing in it that could break the line."""
    distinct = list(dict.fromkeys(skipped))
    shown = (text if len(text) <= width else f"{text[:width]}..." for text in distinct[:most])
    more = f" and {len(distinct) - most} more" if len(distinct) > most else ""
    return ", ".join(ascii(text)[1:-1] for text in shown) + more
