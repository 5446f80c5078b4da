"""A filter past a limit, or with a value that nothing can equal, is refused at once; one within them is served."""

from __future__ import annotations

import pytest

from hayrick import InMemoryDocumentStore
from hayrick.errors import FilterError, FilterLimitError


def deep(wrap, depth: int = 100_000) -> object:
    filters: object = {"year": 1}
    for _ in range(depth):
        filters = wrap(filters)
    return filters


def deep_list(depth: int = 100_000) -> list[object]:
    value: list[object] = [1]
    for _ in range(depth):
        value = [value]
    return value


TOO_MUCH = {
    "$not 100,000 deep": lambda: deep(lambda inner: {"$not": inner}),
    "$and of lists 100,000 deep": lambda: deep(lambda inner: {"$and": [inner]}),
    "$or 100,000 deep under a path": lambda: {"year": deep(lambda inner: {"$or": inner})},
    "$not of lists 100,000 deep under a path": lambda: {"year": deep(lambda inner: {"$not": [inner]})},
    "lists 100,000 deep": lambda: deep(lambda inner: [inner]),
    "dictionaries 100,000 deep": lambda: deep(lambda inner: {"a": inner}),
    "a value 100,000 deep": lambda: {"year": {"$eq": deep_list()}},
    "a value 100,000 deep in $in": lambda: {"year": {"$in": [1, deep_list()]}},
    "a value 100,000 deep as a shorthand": lambda: {"year": deep_list()},
    "100,000 operands of $or": lambda: {"$or": [{"year": number} for number in range(100_000)]},
    "100,000 operands of $and": lambda: {"$and": [{"year": number} for number in range(100_000)]},
    "100,000 paths": lambda: {f"k{number}": number for number in range(100_000)},
    "100,000 filters": lambda: [{"year": number} for number in range(100_000)],
    "100,000 operands under a path": lambda: {"year": {"$or": [{"$gt": number} for number in range(100_000)]}},
    "1,000,001 members": lambda: {"year": {"$in": [1] * 1_000_001}},
    "1,000,001 members as a shorthand": lambda: {"year": [1] * 1_000_001},
    "a list of 1,000,001 in $eq": lambda: {"year": {"$eq": [1] * 1_000_001}},
    "a path over 1 KiB": lambda: {"k" * 1025: 1},
    "a path over 1 KiB in UTF-8": lambda: {"é" * 513: {"$gt": 1}},
    "a path of 10 MB": lambda: {"k" * 10_000_000: 1},
}


@pytest.mark.parametrize("make", TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_filter_past_a_limit_is_refused_and_nothing_else_happens(kept_store, make):
    filters = make()
    with pytest.raises(FilterError) as caught:
        kept_store.count(filters)
    assert len(str(caught.value)) < 1000
    with pytest.raises(FilterError):
        kept_store.delete_documents(filters=filters)
    assert kept_store.count({"year": 2001}) == 1


NO_VALUES = {
    "a surrogate": "\ud800", "2**63": 2**63, "NaN": float("nan"), "bytes": b"x", "a set": {1}, "an object": object(),
    "10**400": 10**400,
    "a list with NaN": [float("nan")], "a list with a surrogate": ["\ud800"], "a list with 10**400": [10**400],
    "complex": 1j,
}  # fmt: skip


@pytest.mark.parametrize("operator", ["$eq", "$ne", "$gt", "$in", "$nin", "$contains", "$exists"])
@pytest.mark.parametrize("value", NO_VALUES.values(), ids=NO_VALUES)
def test_a_value_that_no_document_can_hold_is_a_filter_error(kept_store, operator, value):
    with pytest.raises(FilterError):
        kept_store.count({"year": {operator: [value] if operator in {"$in", "$nin"} else value}})


@pytest.mark.parametrize(
    "filters", ["year", b"year", 5, 1.5, True, object(), {1}, iter([{}]), dict], ids=lambda f: f"{f!r:.15}"
)
def test_what_is_no_filter_is_a_filter_error(kept_store, filters):
    with pytest.raises(FilterError):
        kept_store.count(filters)


def large_store(store, count: int = 2_500):
    """More documents than the columns load at once, so that the first filter goes to SQL."""
    store.write_documents(
        [{"id": f"n{n}", "content": "x", "meta": {"n": n, "s": f"s{n}"}} for n in range(count)], index="large"
    )
    return store


def test_a_million_members_are_served():
    with InMemoryDocumentStore() as store:
        store.write_documents([{"content": str(year), "year": year} for year in range(2001, 2005)])
        assert store.count({"year": {"$in": list(range(2_002, 1_002_002))}}) == 3


@pytest.mark.exhaustive
def test_a_million_members_are_served_by_sql_as_by_columns(store):
    large_store(store)
    for _ in range(2):
        assert store.count({"n": {"$in": list(range(1_000, 1_001_000))}}, index="large") == 1500


def nine_levels() -> dict[str, object]:
    filters: dict[str, object] = {"n": {"$gte": 0}}
    for level in range(9):
        filters = {"$not": {"$or": [{"$not": filters}, {"n": -1 - level}]}}
    return filters


#: How wide -> filters within every limit.
WITHIN = {
    "equalities": lambda width: {"$or": [{"n": n} for n in range(width)]},
    "ranges": lambda width: {"n": {"$or": [{"$gt": 1_998 + n} for n in range(width)]}},
    "ISO strings": lambda width: {"$and": [{"s": {"$gt": f"{n:04d}-01-01"}} for n in range(1, width)]},
    "paths that must not exist": lambda width: {f"k{n}": {"$not": {"$exists": True}} for n in range(width)},
    "nine levels": lambda width: nine_levels(),
}


@pytest.mark.parametrize("width", [60, pytest.param(3_300, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("make", WITHIN.values(), ids=WITHIN)
def test_a_filter_within_the_limits_is_served_by_sql_as_by_columns(store, make, width):
    # Enough documents that the first filter goes to SQL; the second goes to the columns.
    large_store(store, 2_001)
    by_sql, by_columns = (store.get_all_documents("large", make(width)) for _ in range(2))
    assert by_sql == by_columns


def test_a_filter_limit_names_the_limit(kept_store):
    with pytest.raises(FilterLimitError, match="1,000,000"):
        kept_store.count({"year": [1] * 1_000_001})
