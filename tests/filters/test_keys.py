"""Keys compare as the values they stand for."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayrick.filters import keys
from hayrick.filters.ast import Kind
from hayrick.filters.facts import facts
from hayrick.filters.values import iso_microseconds, microseconds
from hayrick.testing.strategies import metadata

INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([2**53, 2**53 + 1, 2**62 + 1, 2**63 - 1, -(2**63)])
NUMBERS = INTEGERS | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("\x00\x01\x02ab", max_size=6)


@given(NUMBERS, NUMBERS)
def test_number_keys_order_as_numbers(one, other):
    assert (keys.number_key(one) < keys.number_key(other)) == (one < other)
    assert (keys.number_key(one) == keys.number_key(other)) == (one == other)


@given(NUMBERS)
def test_a_number_key_gives_the_number_back(number):
    assert keys.number_of(keys.number_key(number)) == number


@given(TEXTS, TEXTS)
def test_text_keys_order_as_text(one, other):
    assert (keys.text_key(one) < keys.text_key(other)) == (one < other)
    assert (keys.text_key(one) == keys.text_key(other)) == (one == other)
    assert keys.text_of(keys.text_key(one)) == one


@given(metadata())
def test_stored_facts_come_back(meta):
    stored = keys.dump(facts(meta))
    assert keys.load(stored) == [(keys.name(f.kind, f.path), keys.fact_key(f)) for f in facts(meta)]
    json.loads(stored)


@given(metadata())
def test_sqlite_reads_stored_facts_as_they_are(meta):
    stored = keys.dump(facts(meta))
    connection = sqlite3.connect(":memory:")
    try:
        found = connection.execute("SELECT key, value FROM json_each(?)", (stored,)).fetchall()
    finally:
        connection.close()
    assert found == keys.load(stored)


@given(st.lists(st.none() | NUMBERS | TEXTS | st.booleans() | st.dates(), max_size=4))
def test_a_list_matches_the_pattern_of_itself(members):
    from hayrick.filters.parse import parse  # noqa: PLC0415 - only this test needs the parser

    ((_, (pattern,)),) = parse({"a": {"$eq": members}}).operands[0].operands[0].members
    (stored,) = [fact for fact in facts({"a": members}) if fact.kind is Kind.LIST]
    key = keys.fact_key(stored)
    assert key in set(keys.pattern_keys(pattern))
    assert keys.key_matches(key, pattern)
    assert keys.pattern_count(pattern) == len(list(keys.pattern_keys(pattern)))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-01-01", dt.datetime(2020, 1, 1)),
        ("2020-01-01T10:00", dt.datetime(2020, 1, 1, 10)),
        ("2020-01-01 10:00:01", dt.datetime(2020, 1, 1, 10, 0, 1)),
        ("2020-01-01T10:00:00.5", dt.datetime(2020, 1, 1, 10, 0, 0, 500_000)),
        ("2020-01-01T10:00:00.000001Z", dt.datetime(2020, 1, 1, 10, 0, 0, 1)),
        ("2020-01-01T10:00:00+0230", dt.datetime(2020, 1, 1, 7, 30)),
        ("2020-01-01T10:00:00-02:30", dt.datetime(2020, 1, 1, 12, 30)),
        ("0001-01-01T00:00:00+10:00", dt.datetime(1, 1, 1) - dt.timedelta(0)),
    ],
)
def test_iso_strings_name_instants(text, moment):
    shift = 36_000_000_000 if text.startswith("0001") else 0
    assert iso_microseconds(text) == microseconds(moment) - shift


@pytest.mark.parametrize(
    "text",
    ["", "2020", "2020-1-1", "2020-13-01", "2020-02-30", "20200101", "2020-01-01T25:00", "2020-01-01T10", "٢٠٢٠-01-01",
     "2020-01-01T10:00:00.", "2020-01-01T10:00+2", "2020-01-01T", " 2020-01-01", "2020-01-01\n", "2020-W01-1"],
)  # fmt: skip
def test_other_strings_name_none(text):
    assert iso_microseconds(text) is None
