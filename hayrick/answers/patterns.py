"""Regular expressions that people write, run on text that models write.

What goes in: a pattern with at most one capture group, and a text. What comes out: ``(start, end)`` spans of the text.
The invariant: no search outlives its deadline, whatever the pattern and the text; Python's ``re`` cannot promise that,
which is why the ``regex`` package runs them. It also keeps every repetition of a group, of which ``re`` keeps the last.

``regex`` counts its limit in processor time of the whole process: where other threads are busy too, a pattern is
stopped the sooner.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import regex

from hayrick.errors import PatternError, PatternTimeoutError

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]


class Deadline:
    """The moment at which the patterns working on one reply give up.

    Args:
        seconds: From now.
    """

    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left, above 0.

        Raises:
            TimeoutError: None are.
        """
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class UserPattern:
    """A compiled pattern that searches until a deadline.

    Args:
        source: The regular expression.
        argument: What the caller calls it; errors name it.

    Raises:
        PatternError: It does not compile, or has more than one capture group.
    """

    __slots__ = ("_argument", "_compiled", "_group", "_source")

    def __init__(self, source: str, argument: str) -> None:
        if not isinstance(source, str):
            raise PatternError(f"{argument} is a string, not a {type(source).__name__}")
        try:
            self._compiled = regex.compile(source)
        except (regex.error, ValueError, OverflowError, RecursionError) as error:
            raise PatternError(f"{argument} {source!r:.200} is not a regular expression: {error}") from error
        if self._compiled.groups > 1:
            raise PatternError(
                f"{argument} {source!r:.200} has {self._compiled.groups} capture groups, one is allowed; "
                f"write the others as (?:...)"
            )
        self._argument = argument
        self._source = source
        self._group = self._compiled.groups

    def first(self, text: str, deadline: Deadline) -> Place:
        """The capture group of the first match, or the match where there is no group; empty at 0 where none matches.

        Raises:
            PatternTimeoutError: The deadline passed.
        """
        try:
            match = self._compiled.search(text, timeout=deadline.left())
        except TimeoutError as error:
            raise self._timeout(text, deadline) from error
        # A group that took no part in the match has the span (-1, -1).
        return max(match.span(self._group), (0, 0)) if match else (0, 0)

    def all(self, text: str, deadline: Deadline) -> Iterator[Place]:
        """Every capture of every match, each repetition of the group included, or the matches where there is no group.

        Raises:
            PatternTimeoutError: The deadline passed.
        """
        try:
            for match in self._compiled.finditer(text, timeout=deadline.left()):
                yield from match.spans(self._group)
                deadline.left()
        except TimeoutError as error:
            raise self._timeout(text, deadline) from error

    def _timeout(self, text: str, deadline: Deadline) -> PatternTimeoutError:
        return PatternTimeoutError(
            f"{self._argument} {self._source!r:.200} ran longer than {deadline.seconds:g} s on a reply of {len(text)} "
            f"characters; avoid repetitions inside repetitions, or raise pattern_timeout"
        )
