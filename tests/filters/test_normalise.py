"""Normalising keeps the meaning and reaches its shape."""

from __future__ import annotations

import pytest
from hypothesis import given

from hayrick.filters import normalise, parse
from hayrick.filters.ast import ALL, NONE, And, Compare, Exists, In, Not, Or
from hayrick.filters.python import matcher
from hayrick.testing.strategies import documents_and_filter, filters


def shape_is_normal(node, inside=None):
    match node:
        case And(operands) | Or(operands):
            assert type(node) is not inside, "a junction inside its own kind"
            assert len(operands) != 1
            assert len(set(operands)) == len(operands)
            for operand in operands:
                assert operand not in (ALL, NONE)
                shape_is_normal(operand, type(node))
        case Not(operand):
            assert isinstance(operand, In | Compare | Exists), "negation above a leaf"
        case In() | Compare() | Exists():
            pass
        case _:
            pytest.fail(f"unknown node {node!r}")


@given(filters())
def test_the_shape_is_normal(given_filters):
    node = normalise(parse(given_filters))
    if node not in (ALL, NONE):
        shape_is_normal(node)


@given(filters())
def test_normalising_twice_changes_nothing(given_filters):
    once = normalise(parse(given_filters))
    assert normalise(once) == once


@given(documents_and_filter())
def test_the_meaning_stays(case):
    documents, given_filters = case
    tree = parse(given_filters)
    for meta in documents:
        assert matcher(normalise(tree))(meta) == matcher(tree)(meta)


@pytest.mark.parametrize(
    ("given_filters", "node"),
    [
        (None, ALL),
        ({"$or": []}, NONE),
        ({"$and": [{"a": 1}, {"$or": {}}]}, NONE),
        ({"$or": [{"a": 1}, {}]}, ALL),
        ({"$not": {"$or": {}}}, ALL),
        ({"a": []}, NONE),
        ({"a": {"$nin": []}}, ALL),
    ],
)
def test_constants_fold(given_filters, node):
    assert normalise(parse(given_filters)) == node


def test_an_unknown_operator_is_named_with_a_suggestion():
    with pytest.raises(ValueError, match=r"filters\.\$or\[1\]\.year\.\$gtt: .*did you mean '\$gt'"):
        parse({"$or": [{"a": 1}, {"year": {"$gtt": 5}}]})
