"""Measuring two ways of doing the same work so that a noisy machine cancels out.

What goes in: the ways, as functions without arguments. What comes out: a :class:`Comparison` of CPU time. The
invariant: rounds alternate (A B A B ...), so what slows the machine slows both, and the ratio is taken round by round.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ways, in microseconds of CPU time a piece of work.

    Attributes:
        what: What was done.
        ours: Median of hayrick's way.
        theirs: Median of the other way.
        ratio: Median of the ratios ours / theirs, round by round.
        spread: The least and the greatest of those ratios.
        pieces: How many pieces of work a round has.
    """

    what: str
    ours: float
    theirs: float
    ratio: float
    spread: tuple[float, float]
    pieces: int


def compare(
    what: str, ours: Callable[[], object], theirs: Callable[[], object], pieces: int, rounds: int = 9
) -> Comparison:
    """Run both ways in turn; ``pieces`` is how many pieces of work one call does."""
    ours()
    theirs()
    times = [(_cpu(ours) / pieces * 1e6, _cpu(theirs) / pieces * 1e6) for _ in range(rounds)]
    ratios = [a / b for a, b in times]
    medians = [statistics.median(column) for column in zip(*times, strict=True)]
    return Comparison(what, medians[0], medians[1], statistics.median(ratios), (min(ratios), max(ratios)), pieces)


def _cpu(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def report(results: Sequence[Comparison], *, as_json: bool) -> None:
    """Print the comparisons as a table, or as JSON."""
    if as_json:
        print(json.dumps([asdict(result) for result in results], indent=2))
        return
    print(f"{'work':<58} {'hayrick us':>12} {'other us':>12} {'ratio':>7}  (least - greatest)")
    for r in results:
        low, high = r.spread
        print(f"{r.what:<58} {r.ours:>12,.1f} {r.theirs:>12,.1f} {r.ratio:>7.2f}  ({low:.2f} - {high:.2f})")


def data_folder() -> Path:
    """The folder of the data; the script stops, saying why, where there is none."""
    named = os.environ.get("HAYRICK_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        raise SystemExit(f"skipped: no data at {folder}; HAYRICK_DATA names the folder")
    return folder
