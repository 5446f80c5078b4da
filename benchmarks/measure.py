"""Measuring two ways of doing the same work so that a noisy machine cancels out.

What goes in: the ways, as functions without arguments. What comes out: a :class:`Comparison` of CPU time, with the time
on the clock beside it. The invariant: rounds alternate (A B A B ...), so what slows the machine slows both, and the
ratio is taken round by round.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass


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
        ours_wall: Median of hayrick's way on the clock.
        theirs_wall: Median of the other way on the clock.
    """

    what: str
    ours: float
    theirs: float
    ratio: float
    spread: tuple[float, float]
    pieces: int
    ours_wall: float
    theirs_wall: float


def compare(
    what: str, ours: Callable[[], object], theirs: Callable[[], object], pieces: int, rounds: int = 9
) -> Comparison:
    """Run both ways in turn; ``pieces`` is how many pieces of work one call does."""
    ours()
    theirs()
    times = [(*timed(ours, pieces), *timed(theirs, pieces)) for _ in range(rounds)]
    ratios = [cpu / their_cpu for cpu, _, their_cpu, _ in times]
    cpu, wall, their_cpu, their_wall = (statistics.median(column) for column in zip(*times, strict=True))
    spread = min(ratios), max(ratios)
    return Comparison(what, cpu, their_cpu, statistics.median(ratios), spread, pieces, wall, their_wall)


def timed(work: Callable[[], object], pieces: int = 1) -> tuple[float, float]:
    """Microseconds a piece: CPU time of every thread of this process, and on the clock."""
    gc.collect()
    start, clock = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - start) / pieces * 1e6, (time.perf_counter() - clock) / pieces * 1e6


def report(results: Sequence[Comparison], *, as_json: bool) -> None:
    """Print the comparisons as a table, or as JSON."""
    if as_json:
        print(json.dumps([asdict(result) for result in results], indent=2))
        return
    print(f"{'work':<62} {'hayrick us':>12} {'other us':>12} {'ratio':>7}  (least - greatest)  on the clock")
    for r in results:
        low, high = r.spread
        clock = f"{r.ours_wall:,.1f} / {r.theirs_wall:,.1f}"
        print(f"{r.what:<62} {r.ours:>12,.1f} {r.theirs:>12,.1f} {r.ratio:>7.2f}  ({low:.2f} - {high:.2f})  {clock}")
