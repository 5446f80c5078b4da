"""The keyword index is a cache: it is caught up, rebuilt or set aside, and never answers for another state."""

from __future__ import annotations

import pytest

from hayrick.errors import SettingsError
from hayrick.schema import Document
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.settings import TextSettings
from hayrick.stores.sqlite import SQLiteDocumentStore


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


def ids(documents):
    return [document.id for document in documents]


def test_writes_that_were_never_searched_are_caught_up_after_reopening(path):
    with SQLiteDocumentStore(path) as store:
        store.write_documents([Document("hay", id="a")])
        assert ids(store.query("hay")) == ["a"]
        store.write_documents([Document("hay hay", id="b")])
    with SQLiteDocumentStore(path) as store:
        assert sorted(ids(store.query("hay"))) == ["a", "b"]


def test_other_text_settings_rebuild_the_index(path):
    with SQLiteDocumentStore(path) as store:
        store.write_documents([Document("the houses", id="a")])
        assert ids(store.query("house")) == ["a"]
    with SQLiteDocumentStore(path, text=TextSettings(stemming=False, stop_words=False)) as store:
        assert store.query("house") == []
        assert ids(store.query("the")) == ["a"]
    with SQLiteDocumentStore(path) as store:
        assert store.text_settings.stemming is False
        assert ids(store.query("the")) == ["a"]


def test_a_reader_beside_a_writer_answers_from_the_log(path):
    """While another holds the lock the index cannot be brought up to date, and the answer is right all the same."""
    with SQLiteDocumentStore(path) as store:
        store.write_documents([Document("hay", id=str(n), meta={"n": n}) for n in range(20)])
        store.query("hay")
        store.write_documents([Document("hay straw", id="new", meta={"n": 99}), Document("barn", id="3")])
        store.delete_documents(ids=["5"])
        with SQLiteDocumentStore(path) as other, store._lock.held():
            found = ids(other.query("hay", top_k=100))
            assert sorted(found) == sorted({"new", *map(str, range(20))} - {"3", "5"})
            assert ids(other.query("straw")) == ["new"]
            assert ids(other.query("barn")) == ["3"]
            assert ids(other.query("hay", filters={"n": {"$gt": 50}})) == ["new"]
        assert sorted(ids(store.query("hay", top_k=100))) == sorted(found)


def test_an_index_dropped_elsewhere_is_noticed(path):
    with SQLiteDocumentStore(path) as store, SQLiteDocumentStore(path) as other:
        store.write_documents([Document("hay", id="a")], index="x")
        assert ids(other.query("hay", index="x")) == ["a"]
        store.delete_index("x")
        with pytest.raises(KeyError):
            other.query("hay", index="x")
        store.write_documents([Document("hay", id="b")], index="x")
        assert ids(other.query("hay", index="x")) == ["b"]


def test_verify_tells_what_is_behind_and_changes_nothing(path):
    with SQLiteDocumentStore(path) as store:
        store.write_documents([Document("hay", id="a")])
        assert any(f.level == "note" and "absent" in f.detail for f in store.verify().findings)
        store.query("hay")
        assert all(f.level == "ok" for f in store.verify().findings)
        store.write_documents([Document("hay", id="b")])
        assert any(f.level == "note" and "behind" in f.detail for f in store.verify().findings)
        assert store.verify().ok


def test_weighted_search_fields_add_up():
    text = TextSettings(search_fields=("content", "title^3"))
    with InMemoryDocumentStore(text=text) as store:
        store.write_documents(
            [
                Document("hay and much else besides", id="content", meta={"title": "x"}),
                Document("nothing of it", id="title", meta={"title": ["other", "hay"]}),
            ]
        )
        assert ids(store.query("hay")) == ["title", "content"]
        assert ids(store.query("hay nothing", all_terms_must_match=True)) == ["title"]


@pytest.mark.parametrize(
    "arguments",
    [{"language": "klingon"}, {"k1": 1.5}, {"b": 0.5}, {"search_fields": ()}, {"search_fields": "content"},
     {"search_fields": ("title^x",)}, {"search_fields": ("title^-1",)}, {"search_fields": ("a", "a^2")}],
)  # fmt: skip
def test_text_settings_that_cannot_be_served_are_refused(arguments):
    with pytest.raises(SettingsError):
        TextSettings(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [{"similarity": "euclid"}, {"embedding_dim": 0}, {"embedding_dim": True}, {"duplicate_documents": "maybe"},
     {"index": ""}, {"index": "a\x00"}, {"nonsense": 1}],
)  # fmt: skip
def test_store_settings_that_cannot_be_served_are_refused(arguments):
    with pytest.raises(SettingsError):
        InMemoryDocumentStore(**arguments)


def test_vector_settings_are_kept_with_the_store(path):
    with SQLiteDocumentStore(path, embedding_dim=2, similarity="cosine") as store:
        store.write_documents([Document("hay", embedding=[1, 2])])
    with SQLiteDocumentStore(path) as store:
        assert (store.embedding_dim, store.similarity) == (2, "cosine")
    with pytest.raises(SettingsError):
        SQLiteDocumentStore(path, embedding_dim=3)


def test_own_stop_words(path):
    with InMemoryDocumentStore(text=TextSettings(stop_words=("hay",))) as store:
        store.write_documents([Document("the hay")])
        assert store.query("hay") == []
        assert len(store.query("the")) == 1
