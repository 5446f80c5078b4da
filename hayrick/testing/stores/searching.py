"""Keyword search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hayrick.errors import (
    FilterError,
    QueryError,
)
from hayrick.schema import Document
from hayrick.testing.stores.samples import ids, named, people

if TYPE_CHECKING:
    from hayrick.stores.base import DocumentStore


class Queries:
    """Keyword search."""

    def test_the_best_document_comes_first(self, store: DocumentStore) -> None:
        store.write_documents(people())
        found = store.query("Who lives in Berlin?")
        assert found[0].content == "My name is Carla and I live in Berlin"
        assert len(found) == 5
        assert [d.hit.rank for d in found if d.hit] == [1, 2, 3, 4, 5]

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ({"name": ["filename2"]}, ["Paul"]),
            ({"rating": {"$gte": 4.5}}, ["Carla", "Christelle", "Paul"]),
            ({"date": {"$gte": "2019-01-01", "$lt": "2020-01-01"}}, ["Matteo", "Paul"]),
            ({"name": "nobody"}, []),
        ],
    )
    def test_a_filter_restricts_and_moves_no_score(
        self, store: DocumentStore, filters: Any, expected: list[str]
    ) -> None:
        store.write_documents(people())
        scores = {d.id: d.score for d in store.query("Who lives in Berlin?")}
        found = store.query("Who lives in Berlin?", filters=filters)
        assert sorted(d.content.split()[3] for d in found) == expected
        assert [d.score for d in found] == [scores[d.id] for d in found]

    def test_a_filter_never_starves_a_search(self, store: DocumentStore) -> None:
        store.write_documents([Document("word " * (n % 7 + 1), id=str(n), meta={"n": n}) for n in range(500)])
        for allowed in (1, 9, 10, 11, 250):
            assert len(store.query("word", filters={"n": {"$lt": allowed}})) == min(10, allowed)

    def test_scores_are_scaled_or_raw(self, store: DocumentStore) -> None:
        store.write_documents(people())
        (scaled,), (raw,) = store.query("Berlin"), store.query("Berlin", scale_score=False)
        assert scaled.score is not None
        assert raw.score is not None
        assert scaled.score == pytest.approx(1 / (1 + np.exp(-raw.score / 8)))
        assert scaled.hit is not None
        assert (scaled.hit.raw_score, scaled.hit.kind) == (raw.score, "bm25")

    def test_all_terms_must_match(self, store: DocumentStore) -> None:
        store.write_documents([Document("cozy fish restaurant", id="a"), Document("fish", id="b")])
        assert len(store.query("cozy fish")) == 2
        assert ids(store.query("cozy fish", all_terms_must_match=True)) == ["a"]

    def test_offset_and_threshold(self, store: DocumentStore) -> None:
        store.write_documents(people())
        everything = store.query("live in Berlin")
        assert ids(store.query("live in Berlin", top_k=2, offset=1)) == ids(everything)[1:3]
        best = everything[0].score
        assert ids(store.query("live in Berlin", score_threshold=best)) == ids(everything)[:1]

    def test_batches_equal_single_queries(self, store: DocumentStore) -> None:
        store.write_documents(people())
        queries, filters = ["Berlin", "live", "live"], [None, {"rating": {"$lt": 5}}, {}]
        single = [store.query(query, filters=one) for query, one in zip(queries, filters, strict=True)]
        assert store.query_batch(queries, filters) == single
        assert store.query_batch("Berlin") == single[0]
        with pytest.raises(QueryError):
            store.query_batch(queries, filters[:1])

    def test_a_query_of_none_lists(self, store: DocumentStore) -> None:
        store.write_documents(people())
        found = store.query(None, filters={"rating": {"$gt": 4}}, top_k=2)
        assert [d.content.split()[3] for d in found] == ["Paul", "Carla"]
        assert found[0].score is None

    @pytest.mark.parametrize("text", ["", " ", "the", "?!", "zzz"])
    def test_a_query_without_matching_terms_finds_nothing(self, store: DocumentStore, text: str) -> None:
        store.write_documents(people())
        assert store.query(text) == []

    def test_tables_and_empty_documents_are_searched(self, store: DocumentStore) -> None:
        store.write_documents(
            [Document([["actor", "age"], ["brad pitt", 58]], content_type="table", id="t"), Document("", id="e")]
        )
        assert ids(store.query("pitt")) == ["t"]
        assert ids(store.query("58")) == ["t"]

    def test_a_write_is_seen_by_the_next_query(self, store: DocumentStore) -> None:
        store.write_documents(named("a"))
        assert ids(store.query("text")) == ["a"]
        store.write_documents([Document("text", id="b")])
        assert sorted(ids(store.query("text"))) == ["a", "b"]
        store.write_documents([Document("other", id="a")])
        assert ids(store.query("text")) == ["b"]
        store.delete_documents(ids=["b"])
        assert store.query("text") == []

    def test_filters_are_checked(self, store: DocumentStore) -> None:
        store.write_documents(people())
        with pytest.raises(FilterError):
            store.query("Berlin", filters={"rating": {"$gtt": 1}})

    def test_custom_query_says_that_it_is_not_there(self, store: DocumentStore) -> None:
        with pytest.raises(NotImplementedError, match="custom_query"):
            store.query("x", custom_query="{}")
