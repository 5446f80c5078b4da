"""BM25 and filter retrieval through the retrievers' own interface."""

from __future__ import annotations

import asyncio

import pytest

from hayrick.errors import HeadersNotSupportedError, QueryError, SettingsError
from hayrick.retrievers.bm25 import BM25Retriever
from hayrick.retrievers.filter import FilterRetriever
from hayrick.schema import Document
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.scaling import scaled
from hayrick.stores.settings import TextSettings
from hayrick.testing.stores.samples import people

CARLA = "My name is Carla and I live in Berlin"


@pytest.fixture
def store():
    with InMemoryDocumentStore() as store:
        store.write_documents(people())
        yield store


def test_retrieve(store):
    found = BM25Retriever(store).retrieve("Who lives in Berlin?")
    assert (found[0].content, len(found)) == (CARLA, 5)
    assert found[0].hit.retriever == "BM25Retriever"


def test_a_call_overrides_the_retriever(store):
    retriever = BM25Retriever(store, top_k=2, scale_score=False)
    assert len(retriever.retrieve("live")) == 2
    assert len(retriever.retrieve("live", top_k=3)) == 3
    (raw,), (scale,) = retriever.retrieve("Berlin"), retriever.retrieve("Berlin", scale_score=True)
    assert scale.score == pytest.approx(scaled(raw.score, "bm25"))


def test_retrieve_batch_pairs_filters_with_queries(store):
    found = BM25Retriever(store).retrieve_batch(["live", "live"], [{"name": "filename1"}, None])
    assert [len(documents) for documents in found] == [1, 5]


def test_one_string_in_place_of_queries_gives_its_list(store):
    assert BM25Retriever(store).retrieve_batch("Berlin") == BM25Retriever(store).retrieve("Berlin")
    assert len(FilterRetriever(store).retrieve_batch("Berlin", {"rating": {"$gt": 3}})) == 3


def test_search_fields_are_chosen_among_those_of_the_store():
    with InMemoryDocumentStore(text=TextSettings(search_fields=("content", "title"))) as store:
        store.write_documents(
            [
                Document("hay and hay and hay", id="content", meta={"title": "x"}),
                Document("nothing", id="title", meta={"title": "hay"}),
            ]
        )
        ids = {}
        for fields in (["content"], ["title"], ["content^9", "title"], ["content", "title^9"]):
            found = BM25Retriever(store, search_fields=fields).retrieve("hay")
            ids["+".join(fields)] = [document.id for document in found]
        assert ids == {
            "content": ["content"],
            "title": ["title"],
            "content^9+title": ["content", "title"],
            "content+title^9": ["title", "content"],
        }
        for fields in (["abstract"], [], "content", ["title^x"]):
            with pytest.raises(SettingsError):
                BM25Retriever(store, search_fields=fields)


def test_all_terms_must_match(store):
    assert len(BM25Retriever(store, all_terms_must_match=True).retrieve("live in Berlin")) == 1


def test_filter_retriever_returns_all_matches_whatever_top_k(store):
    retriever = FilterRetriever(store, top_k=1)
    assert len(retriever.retrieve("anything", {"rating": {"$gt": 0}}, top_k=1)) == 4
    assert [len(found) for found in retriever.retrieve_batch(["a", "b"], [{"rating": 0}, {}])] == [1, 5]
    assert retriever.retrieve("", {"rating": 0})[0].score is None


def test_run_serves_a_pipeline_and_counts(store):
    retriever = BM25Retriever(store)
    output, edge = retriever.run(query="Berlin")
    assert (output["documents"][0].content, edge) == (CARLA, "output_1")
    output, _ = retriever.run_batch(queries=["Berlin", ""])
    assert [len(found) for found in output["documents"]] == [1, 0]
    assert retriever.query_count == 3
    assert retriever.query_time > 0
    assert "3 queries" in retriever.print_time()


@pytest.mark.parametrize("arguments", [{"root_node": "File", "query": "x"}, {"query": None}])
def test_run_refuses_what_it_cannot_serve(store, arguments):
    with pytest.raises(QueryError):
        BM25Retriever(store).run(**arguments)


def test_async_twins(store):
    retriever = BM25Retriever(store)
    assert asyncio.run(retriever.retrieve_async("Berlin")) == retriever.retrieve("Berlin")
    assert asyncio.run(store.query_async("Berlin")) == store.query("Berlin")
    assert asyncio.run(store.get_document_count_async()) == 5


def test_what_cannot_be_served_is_said_at_once(store):
    with pytest.raises(NotImplementedError, match="custom_query"):
        BM25Retriever(store, custom_query="{}")
    with pytest.raises(SettingsError):
        BM25Retriever("not a store")
    with pytest.raises(HeadersNotSupportedError):
        FilterRetriever(store).retrieve("", headers={"a": "b"})
    with pytest.raises(QueryError):
        BM25Retriever(store, top_k=0)


@pytest.mark.parametrize(
    ("kind", "raw", "expected"),
    [("bm25", 8, 0.7311), ("bm25", 0, 0.5), ("bm25", 40, 0.9933), ("bm25", -2, 0.4378), ("bm25", -1e9, 0.0),
     ("cosine", 0.64100, 0.82050), ("dot_product", 21.1381, 0.5526), ("l2", 1, 0.5)],
)  # fmt: skip
def test_scaling(kind, raw, expected):
    assert scaled(raw, kind) == pytest.approx(expected, abs=1e-4)
