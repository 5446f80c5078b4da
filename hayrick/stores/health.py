"""A store's health: what ``verify`` and ``hayrick doctor`` report.

What goes in: an open store's parts. What comes out: a :class:`Report`. The invariant: looking changes nothing, and a
fault in a cache, which the next search mends, is told apart from one in the documents, which nothing mends by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes:
        level: "ok"; "note", which the store mends by itself; or "fault".
        what: What was looked at.
        detail: What was found.
    """

    level: Level
    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything looked at."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether no fault was found; notes are allowed."""
        return all(finding.level != "fault" for finding in self.findings)
