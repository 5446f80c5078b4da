"""The filter of the retriever's documentation over a million documents: hayrick's columns, and numpy by hand.

Both work on dictionary-encoded columns held in memory, and must find the same documents. ``--documents`` sets how many.
Then the same filter just after one document was overwritten, against the filter alone; and with ``--sql``, SQLite's
answer for 200,000 documents against the columns' (a few minutes).
"""

from __future__ import annotations

import argparse
import tempfile
from bisect import bisect_left
from pathlib import Path

import numpy as np
from corpora import metadata
from measure import Comparison, compare, report

from hayrick import Document, SQLiteDocumentStore
from hayrick import filters as language
from hayrick.filters import keys
from hayrick.filters.facts import facts
from hayrick.stores.columns.columns import IndexColumns
from hayrick.testing.truth_table import SEED_LONG, SEED_SHORT


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
    return [*results, overwrite(columns, count)]


def overwrite(columns: IndexColumns, count: int) -> Comparison:
    """One document overwritten and the mask after it, against the mask alone."""
    tree = language.read(SEED_SHORT)
    stored = keys.dump(facts(next(metadata(1))))

    def changed() -> IndexColumns:
        return columns.after(2, np.array([count // 2], np.int64), [(count, count // 2, stored)])

    if changed().select(tree).documents != count:
        raise SystemExit("wrong: an overwrite changed the number of documents")
    what = f"one overwrite + mask / mask, {count:,} documents"
    return compare(what, lambda: changed().select(tree), lambda: columns.select(tree), 1, rounds=21)


def run_sql(count: int) -> Comparison:
    """SQLite's answer against the columns', in a store on disk."""
    tree = language.read(SEED_SHORT)
    with tempfile.TemporaryDirectory() as folder, SQLiteDocumentStore(Path(folder) / "store") as store:
        store.write_documents([Document("", id=str(row), meta=meta) for row, meta in enumerate(metadata(count))])
        state = store._state(None)
        selection = store._selection(state)
        if not np.array_equal(selection.by_sql(state, tree).allowed(), selection.columns(state).select(tree).allowed()):
            raise SystemExit("wrong: SQL and the columns differ")
        what = f"SQL / columns, {count:,} documents"
        ours, theirs = (lambda: selection.by_sql(state, tree)), (lambda: selection.select(state, tree))
        theirs()  # the first filter after opening goes to SQL
        return compare(what, ours, theirs, 1, rounds=5)


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--sql", action="store_true", help="also SQLite over 200,000 documents")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = run(arguments.documents)
    masks = results[:2]
    if arguments.sql:
        results.append(run_sql(200_000))
    report(results, as_json=arguments.json)
    if not arguments.json:
        print(f"under 10 ms: {all(mask.ours < 10_000 for mask in masks)}; within 3 x: "
              f"{all(mask.ratio <= 3 for mask in masks)}")  # fmt: skip


if __name__ == "__main__":
    main()
