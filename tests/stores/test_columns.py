"""Columns that grew step by step answer as columns built at once, and as the reference."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hayrick import filters as language
from hayrick.filters import keys
from hayrick.filters.facts import facts
from hayrick.filters.python import matcher
from hayrick.stores.columns import columns
from hayrick.stores.columns.columns import IndexColumns
from hayrick.stores.columns.mask import RowMask, expanded
from hayrick.testing.strategies import filters, metadata

STEPS = st.lists(st.tuples(st.lists(metadata(), max_size=5), st.lists(st.integers(1, 40), max_size=4)), max_size=8)


@given(STEPS, filters())
def test_growing_equals_building(steps, given_filters):
    tree = language.read(given_filters)
    matches = matcher(tree)
    grown, alive, row = IndexColumns(0), {}, 0
    for seq, (added, deleted) in enumerate(steps, 1):
        rows = {}
        for meta in added:
            row += 1
            rows[row] = meta
        gone = np.array(sorted(set(deleted) & set(alive)), np.int64)
        grown = grown.after(seq, gone, [(r, r, keys.dump(facts(m))) for r, m in rows.items()])
        alive = {r: m for r, m in alive.items() if r not in gone} | rows
        expected = [r for r, m in alive.items() if matches(m)]
        selected = grown.select(tree)
        assert selected.allowed().tolist() == expected
        assert selected.count == len(expected)
        assert selected.documents == len(alive)
        asked = np.arange(row + 2)
        assert asked[selected.test(asked)].tolist() == expected


def test_segments_stay_few():
    grown = IndexColumns(0)
    for row in range(1, 300):
        grown = grown.after(row, np.empty(0, np.int64), [(row, row, keys.dump(facts({"n": row})))])
    assert len(grown.segments) <= 6
    assert grown.select(language.read({"n": {"$gt": 100}})).count == 199


def test_dead_documents_leave_with_time():
    grown = IndexColumns(0).after(1, (), [(r, r, keys.dump(facts({"n": str(r)}))) for r in range(100)])
    grown = grown.after(2, np.arange(60), [])
    (segment,) = grown.segments
    assert segment.size == 40
    assert len(segment.columns["sn"].dictionary) == 40


def test_rows_come_in_insertion_order():
    mask = RowMask(np.array([1, 2, 9]), np.array([5, 7, 6]), np.array([True, True, True]), 3)
    assert mask.allowed().tolist() == [1, 9, 2]


def test_runs_expand():
    assert expanded([(5, 7), (1, 1)]).tolist() == [1, 5, 6, 7]
    assert expanded([]).tolist() == []


def test_values_count_documents():
    grown = IndexColumns(0).after(1, (), [(r, r, keys.dump(facts({"t": ["a", "a", "b"][r:]}))) for r in range(3)])
    assert grown.values(language.parse({"x": "y"}).operands[0].members[0][0], "t", language.ALL) == {"a": 2, "b": 3}
    assert columns._compacted([]) == ()
