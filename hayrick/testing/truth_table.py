"""The filter language as a table: every rule with a filter, documents, and which of them match.

What goes in: nothing. What comes out: ``CASES`` and ``REFUSALS``. The invariant: expected answers are written by
hand, from the language's definition, never computed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_PLUS_2 = dt.timezone(dt.timedelta(hours=2))
_BIG = 2**53


Documents = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table.

    Attributes:
        rule: The rule in a few words; the test's name.
        filters: The filter.
        documents: The metadata of the documents asked, by name.
        matching: The names of those that match, in order.
    """

    rule: str
    filters: Any
    documents: Documents
    matching: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A filter that is not of the language, and the path that the error leads to."""

    rule: str
    filters: Any
    path: str


#: Documents that most rows ask about.
YEARS: Documents = {
    "a": {"year": 2018, "type": "x"},
    "b": {"year": 2020, "type": "y"},
    "c": {"year": 2022},
    "d": {},
    "e": {"year": None},
}
_KINDS: Documents = {
    "i": {"v": 1}, "f": {"v": 1.0}, "t": {"v": True}, "s": {"v": "1"}, "l": {"v": [1]}, "o": {"v": {"w": 1}}, "n": {},
}  # fmt: skip
_TAGS: Documents = {"a": {"t": ["x", "y"]}, "b": {"t": ["y"]}, "c": {"t": "x"}, "d": {"t": []}, "e": {}}
_RANGES: Documents = {"a": {"n": [0, 10]}, "b": {"n": [5]}, "c": {"n": 5}, "d": {"n": 20}}
_DATES: Documents = {
    "n": {"d": dt.datetime(2020, 1, 1)},
    "u": {"d": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)},
    "p": {"d": dt.datetime(2020, 1, 1, 2, tzinfo=_PLUS_2)},
    "D": {"d": dt.date(2020, 1, 1)},
    "s": {"d": "2020-01-01"},
    "l": {"d": dt.datetime(2021, 6, 1, tzinfo=dt.UTC)},
}
_NESTED: Documents = {
    "a": {"author": {"name": "Ann", "born": 1970}},
    "b": {"author.name": "Ann"},
    "c": {"author": [{"name": "Bob"}, {"name": "Ann"}]},
    "d": {"author": "Ann"},
}


CASES: Sequence[Case] = (
    Case("no filter: None", None, YEARS, "abcde"),
    Case("no filter: {}", {}, YEARS, "abcde"),
    Case("no filter: []", [], YEARS, "abcde"),
    Case("scalar means $eq", {"year": 2018}, YEARS, "a"),
    Case("list means $in", {"year": [2018, 2022]}, YEARS, "ac"),
    Case("several paths: AND", {"year": 2018, "type": "x"}, YEARS, "a"),
    Case("a list of dictionaries: AND", [{"year": 2018}, {"type": "x"}], YEARS, "a"),
    Case("$ne is the complement of $eq", {"year": {"$ne": 2018}}, YEARS, "bcde"),
    Case("$nin is the complement of $in", {"year": {"$nin": [2018, 2020]}}, YEARS, "cde"),
    Case("$gt", {"year": {"$gt": 2018}}, YEARS, "bc"),
    Case("$gte", {"year": {"$gte": 2018}}, YEARS, "abc"),
    Case("$lt", {"year": {"$lt": 2022}}, YEARS, "ab"),
    Case("$lte", {"year": {"$lte": 2020}}, YEARS, "ab"),
    Case("a range under one path: AND", {"year": {"$gte": 2019, "$lt": 2021}}, YEARS, "b"),
    Case(
        "a range in a dictionary under $or is one operand", {"$or": {"year": {"$gte": 2019, "$lt": 2021}}}, YEARS, "b"
    ),
    Case("a range under $not is one operand", {"$not": {"year": {"$gte": 2019, "$lt": 2021}}}, YEARS, "acde"),
    Case("each key under $or is one operand", {"$or": {"year": 2022, "type": "x"}}, YEARS, "ac"),
    Case(
        "each dictionary in a list under $or is one operand, its keys ANDed",
        {"$or": [{"year": 2018, "type": "y"}, {"year": 2022}]},
        YEARS,
        "c",
    ),
    Case("$not of several operands: none holds", {"$not": {"year": 2018, "type": "y"}}, YEARS, "cde"),
    Case("$not of a list: none holds", {"$not": [{"year": 2018, "type": "y"}, {"year": 2022}]}, YEARS, "abde"),
    Case("$and of a list", {"$and": [{"year": {"$gt": 2017}}, {"type": "y"}]}, YEARS, "b"),
    Case("$not under a path", {"year": {"$not": {"$gt": 2018}}}, YEARS, "ade"),
    Case("$or under a path: each key one operand", {"year": {"$or": {"$lt": 2019, "$gt": 2021}}}, YEARS, "ac"),
    Case(
        "$or under a path: each dictionary one operand", {"year": {"$or": [{"$lt": 2019}, {"$gt": 2021}]}}, YEARS, "ac"
    ),
    Case(
        "a dictionary in a list under a path is ANDed",
        {"year": {"$or": [{"$gte": 2019, "$lt": 2021}, {"$gt": 2021}]}},
        YEARS,
        "bc",
    ),
    Case("$not under a path is NOR", {"year": {"$not": {"$lt": 2019, "$gt": 2021}}}, YEARS, "bde"),
    Case("double negation", {"$not": {"$not": {"year": 2018}}}, YEARS, "a"),
    Case("$and: {} holds of all", {"$and": {}}, YEARS, "abcde"),
    Case("$and: [] holds of all", {"$and": []}, YEARS, "abcde"),
    Case("$or: {} holds of none", {"$or": {}}, YEARS, ""),
    Case("$or: [] holds of none", {"$or": []}, YEARS, ""),
    Case("$not: {} holds of all", {"$not": {}}, YEARS, "abcde"),
    Case("an empty dictionary in a list holds of all", {"$or": [{"year": 2018}, {}]}, YEARS, "abcde"),
    Case("$in: [] matches none", {"year": {"$in": []}}, YEARS, ""),
    Case("a bare [] matches none", {"year": []}, YEARS, ""),
    Case("$nin: [] matches all", {"year": {"$nin": []}}, YEARS, "abcde"),
    Case("$eq: null matches missing and null", {"year": None}, YEARS, "de"),
    Case("$ne: null matches present", {"year": {"$ne": None}}, YEARS, "abc"),
    Case("null in $in matches missing", {"year": [2018, None]}, YEARS, "ade"),
    Case("null in $nin excludes missing", {"year": {"$nin": [2018, None]}}, YEARS, "bc"),
    Case("an order is false of a missing field", {"$not": {"year": {"$gt": 0}}}, YEARS, "de"),
    Case("$exists: True", {"year": {"$exists": True}}, YEARS, "abc"),
    Case("$exists: False", {"year": {"$exists": False}}, YEARS, "de"),
    Case(
        "$exists counts an empty list and an empty dictionary",
        {"v": {"$exists": True}},
        {"a": {"v": []}, "b": {"v": {}}, "c": {"v": None}, "d": {"v": [None]}},
        "abd",
    ),
    Case("1 equals 1.0 and no other kind", {"v": 1}, _KINDS, "ifl"),
    Case("1.0 equals 1", {"v": 1.0}, _KINDS, "ifl"),
    Case("True equals True alone", {"v": True}, _KINDS, "t"),
    Case("'1' equals '1' alone", {"v": "1"}, _KINDS, "s"),
    Case("an order across kinds is false", {"v": {"$gt": "0"}}, _KINDS, "s"),
    Case("a number's order meets numbers alone", {"v": {"$gte": 0}}, _KINDS, "ifl"),
    Case("-0.0 equals 0", {"v": 0}, {"a": {"v": -0.0}, "b": {"v": 0}, "c": {"v": False}}, "ab"),
    Case(
        "integers are exact beyond 2**53",
        {"v": _BIG + 1},
        {"a": {"v": _BIG}, "b": {"v": _BIG + 1}, "c": {"v": float(_BIG)}},
        "b",
    ),
    Case(
        "integers and floats compare exactly",
        {"v": {"$gt": float(_BIG)}},
        {"a": {"v": _BIG}, "b": {"v": _BIG + 1}, "c": {"v": float(_BIG + 2)}},
        "bc",
    ),
    Case(
        "the 64-bit range's ends",
        {"v": {"$in": [2**63 - 1, -(2**63)]}},
        {"a": {"v": 2**63 - 1}, "b": {"v": -(2**63)}, "c": {"v": 2**63 - 2}, "d": {"v": float(2**63)}},
        "ab",
    ),
    Case(
        "tiny and huge floats keep their order",
        {"v": {"$gt": 5e-324, "$lt": 1e308}},
        {"a": {"v": 5e-324}, "b": {"v": 1e-323}, "c": {"v": 1e308}, "d": {"v": -1e308}},
        "b",
    ),
    Case("strings are case-sensitive", {"v": "a"}, {"a": {"v": "a"}, "b": {"v": "A"}}, "a"),
    Case("strings are not normalised", {"v": "é"}, {"a": {"v": "é"}, "b": {"v": "e\u0301"}}, "a"),
    Case(
        "strings order by code point",
        {"v": {"$gt": "b"}},
        {"a": {"v": "B"}, "b": {"v": "ba"}, "c": {"v": "\U0001f600"}, "d": {"v": "\uffff"}, "e": {"v": "b"}},
        "bcd",
    ),
    Case("digits in strings order as text", {"v": {"$lt": "9"}}, {"a": {"v": "10"}, "b": {"v": "9"}}, "a"),
    Case("strings may hold NUL", {"v": "a\x00b"}, {"a": {"v": "a\x00b"}, "b": {"v": "a"}, "c": {"v": "a\x00"}}, "a"),
    Case("the empty string is a value", {"v": ""}, {"a": {"v": ""}, "b": {}}, "a"),
    Case(
        "$contains", {"v": {"$contains": "bc"}}, {"a": {"v": "abcd"}, "b": {"v": "acb"}, "c": {"v": ["x", "bc"]}}, "ac"
    ),
    Case("$contains takes no pattern", {"v": {"$contains": "%"}}, {"a": {"v": "50 %"}, "b": {"v": "50"}}, "a"),
    Case("$contains '' matches every string", {"v": {"$contains": ""}}, {"a": {"v": ""}, "b": {"v": 1}}, "a"),
    Case("a list matches when any element equals", {"t": "x"}, _TAGS, "ac"),
    Case("a list matches $in when any element does", {"t": ["x", "z"]}, _TAGS, "ac"),
    Case("$ne of a list: no element equals", {"t": {"$ne": "x"}}, _TAGS, "bde"),
    Case("$nin of a list: no element is in", {"t": {"$nin": ["x"]}}, _TAGS, "bde"),
    Case("an order on a list: any element", {"n": {"$gt": 9}}, _RANGES, "ad"),
    Case("two orders may hold of different elements", {"n": {"$gt": 1, "$lt": 9}}, _RANGES, "abc"),
    Case("whole-list equality keeps order", {"t": {"$eq": ["x", "y"]}}, _TAGS, "a"),
    Case("whole-list equality: another order differs", {"t": {"$eq": ["y", "x"]}}, _TAGS, ""),
    Case("the empty list equals the empty list", {"t": {"$eq": []}}, _TAGS, "d"),
    Case("$in takes lists as members", {"t": {"$in": [["y"], "nothing"]}}, _TAGS, "b"),
    Case(
        "list members equal as scalars do",
        {"v": {"$eq": [2]}},
        {"a": {"v": [2.0]}, "b": {"v": ["2"]}, "c": {"v": [True]}, "d": {"v": 2}, "e": {"v": [2, 2]}},
        "a",
    ),
    Case("[True] does not equal [1]", {"v": {"$eq": [1]}}, {"a": {"v": [True]}, "b": {"v": [1]}}, "b"),
    Case("null in a list keeps its place", {"v": {"$eq": [None, 1]}}, {"a": {"v": [None, 1]}, "b": {"v": [1]}}, "a"),
    Case(
        "an ISO string in a list equals text and instant",
        {"v": {"$eq": ["2020-01-01"]}},
        {"a": {"v": ["2020-01-01"]}, "b": {"v": [dt.date(2020, 1, 1)]}, "c": {"v": ["2020-01-02"]}},
        "ab",
    ),
    Case(
        "a list inside a list is an element",
        {"v": {"$eq": [1, 2]}},
        {"a": {"v": [[1, 2], 3]}, "b": {"v": [1, 2, 3]}},
        "a",
    ),
    Case("nested fields by dotted path, through lists", {"author.name": "Ann"}, _NESTED, "abc"),
    Case("a dictionary exists at its own path", {"author": {"$exists": True}}, _NESTED, "acd"),
    Case("a dictionary equals no scalar", {"author": "Ann"}, _NESTED, "d"),
    Case("datetimes compare in UTC, naive means UTC", {"d": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}, _DATES, "nupD"),
    Case("a date means its midnight", {"d": dt.date(2020, 1, 1)}, _DATES, "nupD"),
    Case("an ISO string compares with text and with instants", {"d": "2020-01-01"}, _DATES, "nupDs"),
    Case("an ISO string with an offset", {"d": "2020-01-01T02:00:00+02:00"}, _DATES, "nupD"),
    Case("an ISO string with a space and Z", {"d": "2020-01-01 00:00Z"}, _DATES, "nupD"),
    Case("an order with an ISO string", {"d": {"$gt": "2020-06-01"}}, _DATES, "l"),
    Case(
        "an order with a datetime meets no text",
        {"d": {"$gte": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}},
        _DATES,
        "nupDl",
    ),
    Case(
        "ISO strings in metadata order as text",
        {"d": {"$gte": "2019-12-31"}},
        {"a": {"d": "2020-01-01"}, "b": {"d": "2019-01-01"}},
        "a",
    ),
    Case(
        "a string in the shape of a date but none is plain text",
        {"d": {"$gt": "2020-13-45"}},
        {"a": {"d": "2021"}, "b": {"d": dt.date(2021, 1, 1)}},
        "a",
    ),
    Case("paths may hold quotes, dots and spaces", {'a "b" c.d': 1}, {"a": {'a "b" c': {"d": 1}}, "b": {"a": 1}}, "a"),
    Case("a tuple is a list", {"v": {"$eq": (1, 2)}}, {"a": {"v": (1, 2)}, "b": {"v": [1, 2]}}, "ab"),
)

#: The example of the retriever's documentation, in its long and its short spelling, and its second example.
SEED_LONG = {
    "$and": {
        "type": {"$eq": "article"},
        "date": {"$gte": "2015-01-01", "$lt": "2021-01-01"},
        "rating": {"$gte": 3},
        "$or": {"genre": {"$in": ["economy", "politics"]}, "publisher": {"$eq": "nytimes"}},
    }
}
SEED_SHORT = {
    "type": "article",
    "date": {"$gte": "2015-01-01", "$lt": "2021-01-01"},
    "rating": {"$gte": 3},
    "$or": {"genre": ["economy", "politics"], "publisher": "nytimes"},
}
SEED_LISTS = {
    "$or": [
        {"$and": {"Type": "News Paper", "Date": {"$lt": "2019-01-01"}}},
        {"$and": {"Type": "Blog Post", "Date": {"$gte": "2019-01-01"}}},
    ]
}
SEED_LISTS_SHORT = {
    "$or": [
        {"Type": "News Paper", "Date": {"$lt": "2019-01-01"}},
        {"Type": "Blog Post", "Date": {"$gte": "2019-01-01"}},
    ]
}
_ARTICLES: Documents = {
    "a": {"type": "article", "date": "2015-01-01", "rating": 3, "genre": "economy"},
    "b": {"type": "article", "date": "2020-12-31", "rating": 4.5, "publisher": "nytimes"},
    "c": {"type": "article", "date": "2021-01-01", "rating": 5, "genre": "politics"},
    "d": {"type": "article", "date": "2018-05-05", "rating": 2, "genre": "politics"},
    "e": {"type": "article", "date": "2018-05-05", "rating": 3, "genre": "sports", "publisher": "faz"},
    "f": {"type": "letter", "date": "2018-05-05", "rating": 3, "genre": "economy"},
    "g": {"type": "article", "date": dt.date(2018, 5, 5), "rating": 3, "genre": ["sports", "politics"]},
}
_POSTS: Documents = {
    "a": {"Type": "News Paper", "Date": "2018-12-31"},
    "b": {"Type": "News Paper", "Date": "2019-01-01"},
    "c": {"Type": "Blog Post", "Date": "2019-01-01"},
    "d": {"Type": "Blog Post", "Date": "2018-12-31"},
    "e": {"Date": "2018-12-31"},
}
SEED_CASES: Sequence[Case] = (
    Case("the seed's example", SEED_LONG, _ARTICLES, "abg"),
    Case("the seed's example with default operators", SEED_SHORT, _ARTICLES, "abg"),
    Case("the seed's example with lists", SEED_LISTS, _POSTS, "ac"),
    Case("the seed's example with lists and default operators", SEED_LISTS_SHORT, _POSTS, "ac"),
)

REFUSALS: Sequence[Refusal] = (
    Refusal("an unknown comparison", {"$or": [{"a": 1}, {"year": {"$gtt": 5}}]}, "filters.$or[1].year.$gtt"),
    Refusal("an unknown logical operator", {"$nor": [{"a": 1}]}, "filters.$nor"),
    Refusal("a comparison without a path", {"$eq": 1}, "filters.$eq"),
    Refusal("no comparison under a path", {"year": {}}, "filters.year"),
    Refusal("no comparison in a list under a path", {"year": {"$or": [{}]}}, "filters.year.$or[0]"),
    Refusal("a nested dictionary for a dotted path", {"author": {"name": "Ann"}}, "filters.author.name"),
    Refusal("a key that is no string", {1: 2}, "filters"),
    Refusal("a comparison that is no string", {"a": {1: 2}}, "filters.a"),
    Refusal("a filter that is a string", "year", "filters"),
    Refusal("a list of something else", ["year"], "filters[0]"),
    Refusal("a logical operator over a scalar", {"$and": 1}, "filters.$and"),
    Refusal("a logical operator under a path over a scalar", {"page": {"$not": 102}}, "filters.page.$not"),
    Refusal("an order of a bool", {"a": {"$gt": True}}, "filters.a.$gt"),
    Refusal("an order of null", {"a": {"$lte": None}}, "filters.a.$lte"),
    Refusal("an order of a list", {"a": {"$lt": [1]}}, "filters.a.$lt"),
    Refusal("$in with a scalar", {"a": {"$in": 1}}, "filters.a.$in"),
    Refusal("$nin with a string", {"a": {"$nin": "abc"}}, "filters.a.$nin"),
    Refusal("$eq with a dictionary", {"a": {"$eq": {"b": 1}}}, "filters.a.$eq"),
    Refusal("$in with a dictionary inside", {"a": [1, {"b": 1}]}, "filters.a[1]"),
    Refusal("$exists with a number", {"a": {"$exists": 1}}, "filters.a.$exists"),
    Refusal("$contains with a number", {"a": {"$contains": 1}}, "filters.a.$contains"),
    Refusal("NaN", {"a": {"$eq": float("nan")}}, "filters.a.$eq"),
    Refusal("an infinity", {"a": {"$lt": float("inf")}}, "filters.a.$lt"),
    Refusal("an integer beyond 64 bits", {"a": [1, 2**63]}, "filters.a[1]"),
    Refusal("half a surrogate pair in a value", {"a": "\ud800"}, "filters.a"),
    Refusal("half a surrogate pair in a path", {"a\ud800": 1}, "filters"),
    Refusal("a value of another type", {"a": {"$eq": 1j}}, "filters.a.$eq"),
    Refusal("bytes", {"a": b"x"}, "filters.a"),
    Refusal("a set", {"a": {"$in": {"x"}}}, "filters.a.$in"),
    Refusal("the form of Haystack 2", {"field": "meta.a", "operator": "==", "value": 1}, "filters"),
)  # fmt: skip
