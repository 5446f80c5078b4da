"""Getting, listing and counting."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from hayrick.errors import (
    HeadersNotSupportedError,
    IndexNotFoundError,
)
from hayrick.schema import Document
from hayrick.testing.stores.samples import ids, named

if TYPE_CHECKING:
    from hayrick.stores.base import DocumentStore


class Reads:
    """Getting, listing, counting."""

    def test_get_by_id(self, store: DocumentStore) -> None:
        store.write_documents(named("a", "b"))
        found = store.get_document_by_id("b")
        assert found is not None
        assert found.content == "text of b"
        assert store.get_document_by_id("nobody") is None

    def test_get_by_ids_keeps_their_order(self, store: DocumentStore) -> None:
        store.write_documents(named("a", "b", "c"))
        assert ids(store.get_documents_by_id(["c", "nobody", "a", "c"])) == ["c", "a", "c"]
        assert store.get_documents_by_id([]) == []

    def test_listing_is_in_insertion_order(self, store: DocumentStore) -> None:
        store.write_documents(named("z", "a"))
        store.write_documents(named("m"))
        assert ids(store.get_all_documents()) == ["z", "a", "m"]
        assert ids(list(store.get_all_documents_generator(batch_size=2))) == ["z", "a", "m"]

    def test_listing_by_filter_keeps_places_of_overwritten_documents(self, store: DocumentStore) -> None:
        store.write_documents(named("a", "b", "c", x=1))
        store.write_documents(named("a", x=1))
        assert ids(store.get_all_documents(filters={"x": 1})) == ["a", "b", "c"]
        assert ids(list(store.get_all_documents_generator(filters={"x": 1}, batch_size=1))) == ["a", "b", "c"]

    def test_listing_sorts_and_limits(self, store: DocumentStore) -> None:
        values = {"a": 3, "b": 1.5, "c": None, "d": [2, 9], "e": 3}
        store.write_documents([Document(k, id=k, meta={"n": v}) for k, v in values.items()])
        assert ids(store.get_all_documents(sort="n")) == ["b", "d", "a", "e", "c"]
        assert ids(store.get_all_documents(sort="-n", limit=3)) == ["d", "a", "e"]
        assert ids(store.get_all_documents(limit=2)) == ["a", "b"]
        assert store.get_all_documents(limit=0) == []

    def test_embeddings_come_when_asked_for(self, store: DocumentStore) -> None:
        store.write_documents([Document("t", id="a", embedding=[1, 2, 3]), Document("u", id="b")])
        assert [d.embedding is None for d in store.get_all_documents()] == [True, True]
        with_embedding = store.get_all_documents(return_embedding=True)
        assert [d.embedding is None for d in with_embedding] == [False, True]

    def test_counts(self, store: DocumentStore) -> None:
        store.write_documents([Document("t", id="a", embedding=[1, 2, 3], meta={"x": 1}), *named("b", "c", x=1)])
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
        assert ids(store.query("straw", index="other")) == ["a", "b"]
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
        store.write_documents(named("a"), index="other")
        store.delete_index("other")
        store.delete_index("never was")
        with pytest.raises(IndexNotFoundError):
            store.get_document_count(index="other")
        store.write_documents(named("b"), index="other")
        assert ids(store.get_all_documents("other")) == ["b"]
        assert ids(store.query("text", index="other")) == ["b"]

    def test_the_default_index_always_exists(self, store: DocumentStore) -> None:
        store.write_documents(named("a"))
        store.delete_index(store.index)
        assert store.get_all_documents() == []

    def test_headers_are_refused(self, store: DocumentStore) -> None:
        with pytest.raises(HeadersNotSupportedError):
            store.get_all_documents(headers={"Authorization": "x"})
        assert store.get_all_documents(headers={}) == []
