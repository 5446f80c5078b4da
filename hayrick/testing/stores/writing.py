"""Writing, updating and deleting."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hayrick.errors import (
    DocumentError,
    DocumentNotFoundError,
    DuplicateDocumentError,
    EmbeddingError,
    MetadataError,
)
from hayrick.schema import Document
from hayrick.testing.stores.samples import RICH_META, ids, named

if TYPE_CHECKING:
    from hayrick.stores.base import DocumentStore


class Writes:
    """Writing, updating, deleting."""

    @pytest.fixture
    def store(self) -> DocumentStore:
        """The store under test, empty."""
        raise NotImplementedError("subclass DocumentStoreSuite and give it a fixture named store")

    def test_write_returns_the_ids(self, store: DocumentStore) -> None:
        assert store.write_documents(named("a", "b")) == ["a", "b"]
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
        store.write_documents(named("a", x=[1]))
        first = store.get_all_documents()[0]
        first.meta["x"].append(2)
        assert store.get_all_documents()[0].meta == {"x": [1]}

    @pytest.mark.parametrize("policy", ["overwrite", "skip", "fail"])
    def test_duplicates_of_stored_documents(self, store: DocumentStore, policy: Any) -> None:
        store.write_documents(named("a", "b"))
        changed = [Document("new", id="a"), Document("new", id="c")]
        if policy == "fail":
            with pytest.raises(DuplicateDocumentError) as caught:
                store.write_documents(changed, duplicate_documents=policy)
            assert caught.value.ids == ["a"]
            assert ids(store.get_all_documents()) == ["a", "b"]
            return
        assert store.write_documents(changed, duplicate_documents=policy) == (
            ["a", "c"] if policy == "overwrite" else ["c"]
        )
        # An overwritten document keeps its place.
        assert ids(store.get_all_documents()) == ["a", "b", "c"]
        assert store.get_all_documents()[0].content == ("new" if policy == "overwrite" else "text of a")

    @pytest.mark.parametrize(("policy", "kept"), [("overwrite", "second"), ("skip", "first")])
    def test_duplicates_within_a_call(self, store: DocumentStore, policy: Any, kept: str) -> None:
        store.write_documents([Document("first", id="a"), Document("second", id="a")], duplicate_documents=policy)
        assert [document.content for document in store.get_all_documents()] == [kept]

    def test_duplicates_within_a_call_fail(self, store: DocumentStore) -> None:
        with pytest.raises(DuplicateDocumentError):
            store.write_documents(named("a", "a"), duplicate_documents="fail")
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
        assert ids(store.get_all_documents()) == ["a", "b"]
        assert store.count({"y": 3}) == 1

    def test_update_of_an_unknown_document_is_an_error(self, store: DocumentStore) -> None:
        with pytest.raises(DocumentNotFoundError):
            store.update_document_meta("nobody", {"x": 1})

    def test_delete_by_ids(self, store: DocumentStore) -> None:
        store.write_documents(named("a", "b", "c"))
        assert store.delete_documents(ids=["a", "nobody"]) == 1
        assert ids(store.get_all_documents()) == ["b", "c"]

    def test_delete_by_filter(self, store: DocumentStore) -> None:
        store.write_documents([*named("a", "b", x=1), *named("c", x=2)])
        assert store.delete_documents(filters={"x": 1}) == 2
        assert ids(store.get_all_documents()) == ["c"]

    def test_delete_by_ids_and_filter_is_their_intersection(self, store: DocumentStore) -> None:
        store.write_documents([*named("a", "b", x=1), *named("c", x=2)])
        assert store.delete_documents(ids=["a", "c"], filters={"x": 1}) == 1
        assert ids(store.get_all_documents()) == ["b", "c"]

    @pytest.mark.parametrize(
        "arguments", [{"ids": []}, {"filters": {}}, {"filters": []}, {"ids": ["a"], "filters": {}}]
    )
    def test_nothing_is_deleted_by_accident(self, store: DocumentStore, arguments: Any) -> None:
        store.write_documents(named("a"))
        assert store.delete_documents(**arguments) == 0
        assert store.get_document_count() == 1

    def test_a_filter_that_matches_all_deletes_all(self, store: DocumentStore) -> None:
        store.write_documents(named("a", "b"))
        assert store.delete_documents(filters={"$and": {}}) == 2

    @pytest.mark.parametrize("method", ["delete_documents", "delete_all_documents"])
    def test_delete_all(self, store: DocumentStore, method: str) -> None:
        store.write_documents(named("a", "b"))
        assert getattr(store, method)() == 2
        assert store.get_document_count() == 0
        assert store.query("text") == []
        # An index emptied by deletes still exists.
        assert store.get_all_documents() == []
