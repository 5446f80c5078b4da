"""The filter of the retriever's documentation over a million documents: hayrick's columns, and numpy by hand.

Both work on dictionary-encoded columns held in memory, and must find the same documents. ``--documents`` sets how many.
"""

from __future__ import annotations

import argparse
import random
from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
from measure import Comparison, compare, report

from hayrick import filters as language
from hayrick.filters import keys
from hayrick.filters.facts import facts
from hayrick.stores.columns.columns import IndexColumns
from hayrick.testing.truth_table import SEED_LONG, SEED_SHORT

GENRES = ["economy", "politics", "sports", "science", "travel", "culture", "health", "food"]
PUBLISHERS = ["nytimes", "faz", "lemonde", "elpais", "guardian", "nzz"]
TYPES = ["article", "letter", "review", "interview"]


def metadata(count: int) -> Iterator[dict[str, object]]:
    """Made-up metadata of five fields; about 1 in 20 documents matches the filter."""
    choose = random.Random(7)
    for _ in range(count):
        date = f"{choose.randrange(2005, 2025)}-{choose.randrange(1, 13):02}-{choose.randrange(1, 29):02}"
        yield {
            "type": choose.choice(TYPES),
            "date": date,
            "rating": choose.choice([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]),
            "genre": choose.choice(GENRES),
            "publisher": choose.choice(PUBLISHERS),
        }


class ByHand:
    """The filter, written out in numpy for these five columns."""

    def __init__(self, metas: list[dict[str, object]]) -> None:
        self.columns = {}
        for field in ("type", "date", "rating", "genre", "publisher"):
            values = sorted({meta[field] for meta in metas})
            codes = {value: code for code, value in enumerate(values)}
            encoded = np.fromiter((codes[meta[field]] for meta in metas), np.int64, len(metas))
            self.columns[field] = values, encoded.astype(np.min_scalar_type(len(values)))

    def mask(self) -> np.ndarray:
        types, type_ = self.columns["type"]
        dates, date = self.columns["date"]
        ratings, rating = self.columns["rating"]
        genres, genre = self.columns["genre"]
        publishers, publisher = self.columns["publisher"]
        found = type_ == bisect_left(types, "article")
        found &= date >= bisect_left(dates, "2015-01-01")
        found &= date < bisect_left(dates, "2021-01-01")
        found &= rating >= bisect_left(ratings, 3)
        either = genre == bisect_left(genres, "economy")
        either |= genre == bisect_left(genres, "politics")
        either |= publisher == bisect_left(publishers, "nytimes")
        found &= either
        return found


def run(count: int) -> list[Comparison]:
    """Build both, check that they agree, compare."""
    metas = list(metadata(count))
    columns = IndexColumns(0).after(1, (), ((row, row, keys.dump(facts(meta))) for row, meta in enumerate(metas)))
    by_hand = ByHand(metas)
    del metas
    results = []
    for name, filters in (("long spelling", SEED_LONG), ("short spelling", SEED_SHORT)):
        selected = columns.select(language.read(filters))
        if not np.array_equal(selected.mask, by_hand.mask()):
            raise SystemExit("wrong: the two masks differ")
        what = f"mask, {name}, {count:,} documents, {selected.count:,} match"
        results.append(compare(what, lambda f=filters: columns.select(language.read(f)), by_hand.mask, 1, rounds=21))
    return results


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = run(arguments.documents)
    report(results, as_json=arguments.json)
    if not arguments.json:
        print(f"under 10 ms: {all(result.ours < 10_000 for result in results)}; within 3 x: "
              f"{all(result.ratio <= 3 for result in results)}")  # fmt: skip


if __name__ == "__main__":
    main()
