"""A write does all it says or nothing, and never touches what it was given."""

from __future__ import annotations

import copy
import datetime as dt

import numpy as np
import pytest

from hayrick import Document, SQLiteDocumentStore
from hayrick.errors import DuplicateDocumentError, HayrickError, SettingsError


def unchanged(store, write) -> bool:
    """Whether a call leaves every document, count and hit as they were."""
    before = store.get_all_documents(), store.indexes(), [d.id for d in store.query("giraffe good")]
    write()
    return before == (store.get_all_documents(), store.indexes(), [d.id for d in store.query("giraffe good")])


def copies(count: int, text: str) -> list[Document]:
    return [Document(f"{text} {number}", id="twice") for number in range(count)]


class TestDuplicates:
    """Two of the same id: within one call, and against the store, which holds "a" to "d"."""

    def test_fail_within_a_call_writes_nothing(self, kept_store):
        def write():
            with pytest.raises(DuplicateDocumentError) as caught:
                kept_store.write_documents([Document("x", id="new"), *copies(2, "x")], duplicate_documents="fail")
            assert caught.value.ids == ["twice"]

        assert unchanged(kept_store, write)

    def test_fail_against_the_store_writes_nothing(self, kept_store):
        def write():
            with pytest.raises(DuplicateDocumentError) as caught:
                kept_store.write_documents([Document("x", id="new"), Document("x", id="c")], duplicate_documents="fail")
            assert caught.value.ids == ["c"]

        assert unchanged(kept_store, write)

    def test_skip_keeps_the_first_and_the_stored(self, store):
        before = store.get_document_by_id("a")
        written = store.write_documents([*copies(3, "copy"), Document("x", id="a")], duplicate_documents="skip")
        assert written == ["twice"]
        assert store.get_document_by_id("twice").content == "copy 0"
        assert store.get_document_by_id("a") == before

    def test_overwrite_keeps_the_last_in_the_stored_ones_place(self, store):
        store.write_documents([*copies(3, "copy"), Document("first", id="a"), Document("last", id="a")])
        assert [(d.id, d.content) for d in store.get_all_documents()][::4] == [("a", "last"), ("twice", "copy 2")]
        assert store.query("giraffe acacia copy", all_terms_must_match=True) == []
        assert store.count() == 5

    @pytest.mark.parametrize("policy", ["replace", "", 5, ["fail"], "FAIL"], ids=repr)
    def test_an_unknown_policy_is_refused_before_anything_is_written(self, kept_store, policy):
        def write():
            with pytest.raises(SettingsError):
                kept_store.write_documents([Document("x", id="new")], duplicate_documents=policy)

        assert unchanged(kept_store, write)


@pytest.mark.parametrize("policy", ["overwrite", "skip"])
def test_a_write_leaves_what_it_is_given_as_it_was(store, policy):
    given = [
        Document(
            "x",
            id="a",
            meta={"list": [{"deep": [1, None]}], "when": dt.datetime(2020, 1, 1)},
            embedding=np.ones(2, np.float32),
        ),
        {"content": "y", "id": "n", "meta": {"tuple": (1, 2)}, "extra": {"k": [1]}, "embedding": [1, 2]},
        Document([["h"], [1]], "table", id="t", id_hash_keys=["content"]),
    ]
    before = copy.deepcopy(given)
    meta = {"list": [1], "when": dt.date(2020, 1, 1)}
    store.write_documents(given, duplicate_documents=policy)
    store.update_document_meta("n", meta)
    store.query("x")
    assert given == before
    assert meta == {"list": [1], "when": dt.date(2020, 1, 1)}


def test_what_a_store_gives_is_the_callers_own(store):
    for read in (store.get_all_documents, lambda: store.query("giraffe"), lambda: store.get_documents_by_id(["a"])):
        read()[0].meta["tags"].append("scribbled")
        read()[0].meta["new"] = "scribbled"
        assert "scribbled" not in repr(read()[0].meta)


def test_a_generator_that_fails_halfway_writes_nothing(kept_store):
    def documents():
        for number in range(20_000):
            yield Document("good", id=f"g{number}")
        raise KeyboardInterrupt

    def write():
        with pytest.raises(KeyboardInterrupt):
            kept_store.write_documents(documents(), batch_size=100)

    assert unchanged(kept_store, write)


HOSTILE_IDS = [
    "a\0b",
    "a\0",
    "\0a",
    "\ud800",
    "a\udc00",
    "A",
    "a ",
    "á",
    "",
    "'a'",
    '"a"',
    "a' OR '1'='1",
    "%",
    "*",
    "0",
    "null",
    "a" * 70_000,
]


@pytest.mark.parametrize("id_", HOSTILE_IDS, ids=lambda id_: f"{id_!a:.20}")
class TestAnIdThatIsNotStored:
    def test_gets_nothing(self, kept_store, id_):
        assert kept_store.get_document_by_id(id_) is None
        assert [d.id for d in kept_store.get_documents_by_id([id_, "b", id_])] == ["b"]

    def test_deletes_nothing(self, store, id_):
        assert store.delete_documents(ids=[id_]) == 0
        assert store.count() == 4

    def test_updates_nothing(self, kept_store, id_):
        def update():
            with pytest.raises(HayrickError):
                kept_store.update_document_meta(id_, {"year": 1})

        assert unchanged(kept_store, update)


def test_100_000_documents_are_one_write(tmp_path):
    with SQLiteDocumentStore(tmp_path / "store", progress_bar=False) as store:
        written = store.write_documents(
            {"content": f"word{n} of {n % 10}", "id": str(n), "n": n} for n in range(100_000)
        )
        assert len(written) == store.count() == 100_000
        assert [d.id for d in store.query("word77777")] == ["77777"]
        assert store.count({"n": {"$gte": 99_990}}) == 10
