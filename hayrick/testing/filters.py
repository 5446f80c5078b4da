"""The suite that holds one engine to the filter language.

Subclass it with one fixture::

    class TestMyEngine(FilterSuite):
        @pytest.fixture
        def engine(self) -> Engine:
            return lambda documents, filters: [positions of the documents that match]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from hayrick.errors import FilterError, FilterLimitError
from hayrick.filters import parse
from hayrick.filters.python import matcher
from hayrick.testing.strategies import documents_and_filter
from hayrick.testing.truth_table import CASES, REFUSALS, SEED_CASES, Case, Refusal

#: An engine under test: from the documents' metadata and a filter to the positions of those that match, ascending.
Engine = Callable[[Sequence[Mapping[str, Any]], Any], Sequence[int]]

#: The engine's state is reset by each call, and every subclass is meant to run the one test.
_ON_PURPOSE = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow]


def _nested(depth: int) -> dict[str, Any]:
    filters: dict[str, Any] = {"a": 1}
    for _ in range(depth):
        filters = {"$and": [filters]}
    return filters


class FilterSuite:
    """Every rule of the language, on the engine that the fixture ``engine`` gives."""

    @pytest.fixture
    def engine(self) -> Engine:
        """The engine under test."""
        raise NotImplementedError("subclass FilterSuite and give it a fixture named engine")

    @pytest.mark.parametrize("case", [*CASES, *SEED_CASES], ids=lambda case: case.rule)
    def test_truth_table(self, engine: Engine, case: Case) -> None:
        """A row of the table: these documents match, no others."""
        names = list(case.documents)
        found = engine(list(case.documents.values()), case.filters)
        assert "".join(names[position] for position in found) == case.matching

    @pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.rule)
    def test_refusal_names_the_place(self, engine: Engine, refusal: Refusal) -> None:
        """A filter that is not of the language raises FilterError with the path to the fault."""
        with pytest.raises(FilterError) as caught:
            engine([{"a": 1}], refusal.filters)
        assert caught.value.path == refusal.path

    @pytest.mark.parametrize(
        "filters",
        [
            _nested(5_000),
            {"$or": [{"a": 1}] * 100_000},
            {"a": {"$in": list(range(1_000_001))}},
            {"a" * 2_000: 1},
        ],
        ids=["depth", "width", "members", "path"],
    )
    def test_limits_are_refused(self, engine: Engine, filters: Any) -> None:
        """A filter past a limit raises FilterLimitError."""
        with pytest.raises(FilterLimitError):
            engine([{"a": 1}], filters)

    def test_within_the_limits_works(self, engine: Engine) -> None:
        """The widest and the deepest filter allowed, and a long list, are answered."""
        wide = {"$or": [{f"p{number}": number} for number in range(4_000)]}
        assert list(engine([{"p3999": 3999}, {"p1": 2}], wide)) == [0]
        assert list(engine([{"a": 1}, {"a": 2}], _nested(15))) == [0]
        assert list(engine([{"a": 99_999}, {"a": -1}], {"a": {"$in": list(range(100_000))}})) == [0]

    @given(case=documents_and_filter())
    @settings(suppress_health_check=_ON_PURPOSE)
    def test_equals_the_reference(self, engine: Engine, case: tuple[list[dict[str, Any]], Any]) -> None:
        """On random documents and a random filter the engine gives what the Python reference gives."""
        documents, filters = case
        matches = matcher(parse(filters))
        assert list(engine(documents, filters)) == [i for i, meta in enumerate(documents) if matches(meta)]
