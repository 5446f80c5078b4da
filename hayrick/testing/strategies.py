"""Hypothesis strategies: random metadata and random filters that meet each other often.

What goes in: nothing. What comes out: :func:`metadata`, :func:`filters` and :func:`documents_and_filter`. The
invariant: every metadata can be stored and every filter is of the language; few paths and few values, so that filters
match.
"""

from __future__ import annotations

import datetime as dt

from hypothesis import strategies as st

_UTC_PLUS_2 = dt.timezone(dt.timedelta(hours=2))

PATHS = ["a", "b", "a.b", "b.c", 'q"k', "a$.*", "x\x00y", "été", ""]
_TEXTS = [
    "",
    "a",
    "A",
    "ab",
    "b",
    "10",
    "9",
    "é",
    "e\u0301",
    "😀",
    "a\x00",
    "\x01",
    "\x02",
    "true",
    "null",
    "2020-01-01",
    "2020-01-01T00:00:00",
    "2020-01-01T02:00:00+02:00",
    "2020-13-45",
    "%",
    "_",
    "'",
    '"',
    "\\",
]
_NUMBERS = [
    0,
    1,
    -1,
    2,
    10,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**63 - 1,
    -(2**63),
    0.0,
    -0.0,
    1.0,
    0.5,
    1e300,
    -1e300,
    5e-324,
    1.1,
    2.0**53,
    9.223372036854775e18,
    0.1 + 0.2,
]
_DATES = [
    dt.date(2020, 1, 1),
    dt.datetime(2020, 1, 1),
    dt.datetime(2020, 1, 1, 2, tzinfo=_UTC_PLUS_2),
    dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
    dt.datetime(1, 1, 1),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
]


def scalars() -> st.SearchStrategy[object]:
    """Scalars of every kind, the awkward ones often."""
    return st.one_of(
        st.sampled_from(_TEXTS),
        st.sampled_from(_NUMBERS),
        st.sampled_from(_DATES),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
    )


def _values() -> st.SearchStrategy[object]:
    return st.recursive(
        st.none() | scalars(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PATHS), inner, max_size=2),
        max_leaves=5,
    )


def metadata() -> st.SearchStrategy[dict[str, object]]:
    """One document's metadata: scalars, lists, dictionaries, nulls, keys that hold dots, quotes or NUL."""
    return st.dictionaries(st.sampled_from(PATHS), _values(), max_size=4)


def _lists() -> st.SearchStrategy[list[object]]:
    members = st.none() | scalars()
    return st.lists(members | st.lists(members, max_size=2), max_size=3)


def _comparison() -> st.SearchStrategy[dict[str, object]]:
    ordered = scalars().filter(lambda value: not isinstance(value, bool))
    one = st.one_of(
        st.tuples(st.sampled_from(["$eq", "$ne"]), st.none() | scalars() | _lists()),
        st.tuples(st.sampled_from(["$in", "$nin"]), _lists()),
        st.tuples(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), ordered),
        st.tuples(st.just("$exists"), st.booleans()),
        st.tuples(st.just("$contains"), st.sampled_from(_TEXTS)),
    )
    return st.lists(one, min_size=1, max_size=2).map(dict)


def _under_path() -> st.SearchStrategy[object]:
    logical = st.sampled_from(["$and", "$or", "$not"])
    nested = st.recursive(
        _comparison(),
        lambda inner: st.dictionaries(logical, inner | st.lists(inner, max_size=2), min_size=1, max_size=1),
        max_leaves=3,
    )
    return st.one_of(nested, scalars(), _lists(), st.none())


def filters() -> st.SearchStrategy[dict[str, object] | list[dict[str, object]]]:
    """A filter of the language, nested a few levels."""
    leaf = st.dictionaries(st.sampled_from(PATHS), _under_path(), max_size=2)
    logical = st.sampled_from(["$and", "$or", "$not"])
    nested = st.recursive(
        leaf,
        lambda inner: st.dictionaries(logical, inner | st.lists(inner, max_size=3), min_size=1, max_size=2),
        max_leaves=6,
    )
    return nested | st.lists(nested, max_size=2)


def documents_and_filter() -> st.SearchStrategy[tuple[list[dict[str, object]], object]]:
    """A few documents' metadata and one filter: a case on which every engine must agree with the reference."""
    return st.tuples(st.lists(metadata(), min_size=1, max_size=6), filters())
