"""The suite that holds a document store to its contract.

Subclass it with one fixture, an empty store::

    class TestMyStore(DocumentStoreSuite):
        @pytest.fixture
        def store(self, tmp_path):
            with MyStore(tmp_path / "store", embedding_dim=3) as store:
                yield store

The store keeps embeddings of three numbers.
"""

from __future__ import annotations

import copy
import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hayrick.errors import (
    DocumentError,
    DocumentNotFoundError,
    DuplicateDocumentError,
    EmbeddingError,
    FilterError,
    HeadersNotSupportedError,
    IndexNotFoundError,
    MetadataError,
    QueryError,
)
from hayrick.schema import Document

if TYPE_CHECKING:
    from hayrick.stores.base import DocumentStore

_PLUS_2 = dt.timezone(dt.timedelta(hours=2))

#: The five people of Haystack v1's own retriever tests.
PEOPLE = [
    ("Paul", "New York", "filename2", "test2", "2019-10-01", 5.0),
    ("Carla", "Berlin", "filename1", "test1", "2020-03-01", 5.5),
    ("Christelle", "Paris", "filename3", "test3", "2018-10-01", 4.5),
    ("Camila", "Madrid", "filename4", "test4", "2021-02-01", 3.0),
    ("Matteo", "Rome", "filename5", "test5", "2019-01-01", 0.0),
]

#: Metadata of every type, which must come back equal and of the same type.
RICH_META: dict[str, Any] = {
    "text": "é\x00\U0001f600", "int": 2**53 + 1, "float": 1.0, "tiny": 5e-324, "minus": -0.0, "bool": True,
    "none": None, "date": dt.date(2020, 2, 29), "naive": dt.datetime(2020, 1, 1, 12, 0, 0, 1),
    "aware": dt.datetime(2020, 1, 1, tzinfo=_PLUS_2), "list": [1, 1.0, "a", None, [True, {"x": dt.date(2020, 1, 1)}]],
    "empty": {}, "$date": "not a tag", "$$": {"$datetime": 1}, "a.b": 1, 'q"k': {"": []},
}  # fmt: skip


def people() -> list[Document]:
    """The five people as documents."""
    return [
        Document(
            f"My name is {name} and I live in {city}",
            meta={"name": file, "meta_field": field, "date": date, "rating": rating},
        )
        for name, city, file, field, date, rating in PEOPLE
    ]


def _named(*ids: str, **meta: Any) -> list[Document]:
    return [Document(f"text of {id_}", id=id_, meta=dict(meta)) for id_ in ids]


def _ids(documents: list[Document]) -> list[str]:
    return [document.id for document in documents]


class _Writes:
    """Writing, updating, deleting."""

    @pytest.fixture
    def store(self) -> DocumentStore:
        """The store under test, empty."""
        raise NotImplementedError("subclass DocumentStoreSuite and give it a fixture named store")

    def test_write_returns_the_ids(self, store: DocumentStore) -> None:
        assert store.write_documents(_named("a", "b")) == ["a", "b"]
        assert store.get_document_count() == 2

    def test_write_takes_dictionaries_whose_other_keys_are_metadata(self, store: DocumentStore) -> None:
        store.write_documents([{"content": "text", "id": "a", "year": 2020, "meta": {"x": 1}}])
        found = store.get_document_by_id("a")
        assert found is not None
        assert found.meta == {"x": 1, "year": 2020}

    def test_writing_nothing_writes_nothing(self, store: DocumentStore) -> None:
        assert store.write_documents([]) == []

    def test_write_changes_no_argument(self, store: DocumentStore) -> None:
        given: list[Any] = [
            Document("text", meta=dict(RICH_META), embedding=[1, 2, 3]),
            {"content": "t", "meta": {"a": [1]}, "b": 2},
        ]
        before = copy.deepcopy(given)
        store.write_documents(given)
        assert given == before

    def test_what_comes_back_equals_what_was_written(self, store: DocumentStore) -> None:
        written = Document(
            "text\x00",
            meta=RICH_META,
            embedding=np.array([0.1, -1e30, 1e-30], np.float32),
            id="x",
            id_hash_keys=["content"],
        )
        store.write_documents([written])
        (found,) = store.get_documents_by_id(["x"], return_embedding=True)
        assert found == written
        assert list(map(repr, found.meta.items())) == list(map(repr, written.meta.items()))

    def test_tables_come_back(self, store: DocumentStore) -> None:
        rows: list[list[Any]] = [["actor", "age"], ["brad pitt", 58], ["george clooney", None]]
        store.write_documents([Document(rows, content_type="table", id="t")])
        found = store.get_document_by_id("t")
        assert found is not None
        assert (found.content, found.content_type) == (rows, "table")

    def test_results_are_copies(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", x=[1]))
        first = store.get_all_documents()[0]
        first.meta["x"].append(2)
        assert store.get_all_documents()[0].meta == {"x": [1]}

    @pytest.mark.parametrize("policy", ["overwrite", "skip", "fail"])
    def test_duplicates_of_stored_documents(self, store: DocumentStore, policy: Any) -> None:
        store.write_documents(_named("a", "b"))
        changed = [Document("new", id="a"), Document("new", id="c")]
        if policy == "fail":
            with pytest.raises(DuplicateDocumentError) as caught:
                store.write_documents(changed, duplicate_documents=policy)
            assert caught.value.ids == ["a"]
            assert _ids(store.get_all_documents()) == ["a", "b"]
            return
        assert store.write_documents(changed, duplicate_documents=policy) == (
            ["a", "c"] if policy == "overwrite" else ["c"]
        )
        # An overwritten document keeps its place.
        assert _ids(store.get_all_documents()) == ["a", "b", "c"]
        assert store.get_all_documents()[0].content == ("new" if policy == "overwrite" else "text of a")

    @pytest.mark.parametrize(("policy", "kept"), [("overwrite", "second"), ("skip", "first")])
    def test_duplicates_within_a_call(self, store: DocumentStore, policy: Any, kept: str) -> None:
        store.write_documents([Document("first", id="a"), Document("second", id="a")], duplicate_documents=policy)
        assert [document.content for document in store.get_all_documents()] == [kept]

    def test_duplicates_within_a_call_fail(self, store: DocumentStore) -> None:
        with pytest.raises(DuplicateDocumentError):
            store.write_documents(_named("a", "a"), duplicate_documents="fail")
        assert store.get_document_count() == 0

    def test_overwriting_without_an_embedding_drops_the_old_one(self, store: DocumentStore) -> None:
        store.write_documents([Document("t", id="a", embedding=[1, 2, 3])])
        store.write_documents([Document("t", id="a")])
        assert store.get_embedding_count() == 0

    @pytest.mark.parametrize(
        ("document", "error"),
        [
            ({"content": "t", "meta": {"x": float("nan")}}, MetadataError),
            ({"content": "t", "meta": {"x": 2**63}}, MetadataError),
            ({"content": "t", "meta": {"x": {1, 2}}}, MetadataError),
            ({"content": "t", "embedding": [1.0, float("nan"), 2.0]}, EmbeddingError),
            ({"content": "t", "embedding": [1.0, 2.0]}, EmbeddingError),
            ({"content": "\ud800", "id": "a"}, DocumentError),
            ("text", DocumentError),
        ],
    )
    def test_a_bad_document_leaves_nothing_written(self, store: DocumentStore, document: Any, error: Any) -> None:
        with pytest.raises(error):
            store.write_documents([Document("good"), document])
        assert store.get_document_count() == 0

    def test_update_document_meta_merges(self, store: DocumentStore) -> None:
        store.write_documents(
            [Document("t", id="a", meta={"x": 1, "y": 2}, embedding=[1, 2, 3]), Document("u", id="b")]
        )
        store.update_document_meta("a", {"y": 3, "z": None})
        (found,) = store.get_documents_by_id(["a"], return_embedding=True)
        assert found.meta == {"x": 1, "y": 3, "z": None}
        assert found.embedding is not None
        assert found.embedding.tolist() == [1, 2, 3]
        assert _ids(store.get_all_documents()) == ["a", "b"]
        assert store.count({"y": 3}) == 1

    def test_update_of_an_unknown_document_is_an_error(self, store: DocumentStore) -> None:
        with pytest.raises(DocumentNotFoundError):
            store.update_document_meta("nobody", {"x": 1})

    def test_delete_by_ids(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", "b", "c"))
        assert store.delete_documents(ids=["a", "nobody"]) == 1
        assert _ids(store.get_all_documents()) == ["b", "c"]

    def test_delete_by_filter(self, store: DocumentStore) -> None:
        store.write_documents([*_named("a", "b", x=1), *_named("c", x=2)])
        assert store.delete_documents(filters={"x": 1}) == 2
        assert _ids(store.get_all_documents()) == ["c"]

    def test_delete_by_ids_and_filter_is_their_intersection(self, store: DocumentStore) -> None:
        store.write_documents([*_named("a", "b", x=1), *_named("c", x=2)])
        assert store.delete_documents(ids=["a", "c"], filters={"x": 1}) == 1
        assert _ids(store.get_all_documents()) == ["b", "c"]

    @pytest.mark.parametrize(
        "arguments", [{"ids": []}, {"filters": {}}, {"filters": []}, {"ids": ["a"], "filters": {}}]
    )
    def test_nothing_is_deleted_by_accident(self, store: DocumentStore, arguments: Any) -> None:
        store.write_documents(_named("a"))
        assert store.delete_documents(**arguments) == 0
        assert store.get_document_count() == 1

    def test_a_filter_that_matches_all_deletes_all(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", "b"))
        assert store.delete_documents(filters={"$and": {}}) == 2

    @pytest.mark.parametrize("method", ["delete_documents", "delete_all_documents"])
    def test_delete_all(self, store: DocumentStore, method: str) -> None:
        store.write_documents(_named("a", "b"))
        assert getattr(store, method)() == 2
        assert store.get_document_count() == 0
        assert store.query("text") == []
        # An index emptied by deletes still exists.
        assert store.get_all_documents() == []


class _Reads:
    """Getting, listing, counting."""

    def test_get_by_id(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", "b"))
        found = store.get_document_by_id("b")
        assert found is not None
        assert found.content == "text of b"
        assert store.get_document_by_id("nobody") is None

    def test_get_by_ids_keeps_their_order(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", "b", "c"))
        assert _ids(store.get_documents_by_id(["c", "nobody", "a", "c"])) == ["c", "a", "c"]
        assert store.get_documents_by_id([]) == []

    def test_listing_is_in_insertion_order(self, store: DocumentStore) -> None:
        store.write_documents(_named("z", "a"))
        store.write_documents(_named("m"))
        assert _ids(store.get_all_documents()) == ["z", "a", "m"]
        assert _ids(list(store.get_all_documents_generator(batch_size=2))) == ["z", "a", "m"]

    def test_listing_by_filter_keeps_places_of_overwritten_documents(self, store: DocumentStore) -> None:
        store.write_documents(_named("a", "b", "c", x=1))
        store.write_documents(_named("a", x=1))
        assert _ids(store.get_all_documents(filters={"x": 1})) == ["a", "b", "c"]
        assert _ids(list(store.get_all_documents_generator(filters={"x": 1}, batch_size=1))) == ["a", "b", "c"]

    def test_listing_sorts_and_limits(self, store: DocumentStore) -> None:
        values = {"a": 3, "b": 1.5, "c": None, "d": [2, 9], "e": 3}
        store.write_documents([Document(k, id=k, meta={"n": v}) for k, v in values.items()])
        assert _ids(store.get_all_documents(sort="n")) == ["b", "d", "a", "e", "c"]
        assert _ids(store.get_all_documents(sort="-n", limit=3)) == ["d", "a", "e"]
        assert _ids(store.get_all_documents(limit=2)) == ["a", "b"]
        assert store.get_all_documents(limit=0) == []

    def test_embeddings_come_when_asked_for(self, store: DocumentStore) -> None:
        store.write_documents([Document("t", id="a", embedding=[1, 2, 3]), Document("u", id="b")])
        assert [d.embedding is None for d in store.get_all_documents()] == [True, True]
        with_embedding = store.get_all_documents(return_embedding=True)
        assert [d.embedding is None for d in with_embedding] == [False, True]

    def test_counts(self, store: DocumentStore) -> None:
        store.write_documents([Document("t", id="a", embedding=[1, 2, 3], meta={"x": 1}), *_named("b", "c", x=1)])
        assert store.get_document_count() == 3
        assert store.count({"x": 1}) == 3
        assert store.get_document_count(only_documents_without_embedding=True) == 2
        assert (store.get_embedding_count(), store.get_embedding_count({"x": 2})) == (1, 0)

    def test_metadata_values(self, store: DocumentStore) -> None:
        moment = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
        for number, value in enumerate(["x", ["x", "y", "x"], 1, True, 1.0, moment, None]):
            store.write_documents([Document("t", id=str(number), meta={"v": value, "n": number})])
        assert store.get_metadata_values_by_key("v", filters={"n": {"$lt": 6}}) == [
            {"value": 1, "count": 2}, {"value": "x", "count": 2}, {"value": True, "count": 1},
            {"value": moment, "count": 1}, {"value": "y", "count": 1},
        ]  # fmt: skip

    def test_describe(self, store: DocumentStore) -> None:
        assert store.describe_documents()["count"] == 0
        store.write_documents([Document("a"), Document("abc")])
        described = store.describe_documents()
        assert described == {"count": 2, "chars_mean": 2, "chars_max": 3, "chars_min": 1, "chars_median": 2}

    def test_indexes_are_kept_apart(self, store: DocumentStore) -> None:
        store.write_documents([Document("hay", id="a")])
        store.write_documents([Document("straw", id="a"), Document("straw", id="b")], index="other")
        assert (store.get_document_count(), store.get_document_count(index="other")) == (1, 2)
        assert _ids(store.query("straw", index="other")) == ["a", "b"]
        assert store.query("straw") == []
        store.delete_documents(index="other")
        assert store.get_document_count() == 1

    def test_an_unknown_index_is_an_error(self, store: DocumentStore) -> None:
        for read in (
            store.get_all_documents,
            store.get_document_count,
            store.describe_documents,
            store.delete_documents,
        ):
            with pytest.raises(IndexNotFoundError):
                read(index="nowhere")
        with pytest.raises(IndexNotFoundError):
            store.query("text", index="nowhere")

    def test_delete_index(self, store: DocumentStore) -> None:
        store.write_documents(_named("a"), index="other")
        store.delete_index("other")
        store.delete_index("never was")
        with pytest.raises(IndexNotFoundError):
            store.get_document_count(index="other")
        store.write_documents(_named("b"), index="other")
        assert _ids(store.get_all_documents("other")) == ["b"]
        assert _ids(store.query("text", index="other")) == ["b"]

    def test_the_default_index_always_exists(self, store: DocumentStore) -> None:
        store.write_documents(_named("a"))
        store.delete_index(store.index)
        assert store.get_all_documents() == []

    def test_headers_are_refused(self, store: DocumentStore) -> None:
        with pytest.raises(HeadersNotSupportedError):
            store.get_all_documents(headers={"Authorization": "x"})
        assert store.get_all_documents(headers={}) == []


class _Queries:
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
        assert _ids(store.query("cozy fish", all_terms_must_match=True)) == ["a"]

    def test_offset_and_threshold(self, store: DocumentStore) -> None:
        store.write_documents(people())
        everything = store.query("live in Berlin")
        assert _ids(store.query("live in Berlin", top_k=2, offset=1)) == _ids(everything)[1:3]
        best = everything[0].score
        assert _ids(store.query("live in Berlin", score_threshold=best)) == _ids(everything)[:1]

    def test_batches_equal_single_queries(self, store: DocumentStore) -> None:
        store.write_documents(people())
        queries, filters = ["Berlin", "live", "live"], [None, {"rating": {"$lt": 5}}, {}]
        single = [store.query(query, filters=one) for query, one in zip(queries, filters, strict=True)]
        assert store.query_batch(queries, filters) == single
        assert store.query_batch("Berlin") == [single[0]]
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
        assert _ids(store.query("pitt")) == ["t"]
        assert _ids(store.query("58")) == ["t"]

    def test_a_write_is_seen_by_the_next_query(self, store: DocumentStore) -> None:
        store.write_documents(_named("a"))
        assert _ids(store.query("text")) == ["a"]
        store.write_documents([Document("text", id="b")])
        assert sorted(_ids(store.query("text"))) == ["a", "b"]
        store.write_documents([Document("other", id="a")])
        assert _ids(store.query("text")) == ["b"]
        store.delete_documents(ids=["b"])
        assert store.query("text") == []

    def test_filters_are_checked(self, store: DocumentStore) -> None:
        store.write_documents(people())
        with pytest.raises(FilterError):
            store.query("Berlin", filters={"rating": {"$gtt": 1}})

    def test_custom_query_says_that_it_is_not_there(self, store: DocumentStore) -> None:
        with pytest.raises(NotImplementedError, match="custom_query"):
            store.query("x", custom_query="{}")


class DocumentStoreSuite(_Writes, _Reads, _Queries):
    """The whole contract, on the store that the fixture ``store`` gives."""
