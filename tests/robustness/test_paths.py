"""A path is checked before anything is made of it, and what is not hayrick's stays as it is."""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path

import pytest

from hayrick import InMemoryDocumentStore, SQLiteDocumentStore, open_store
from hayrick.errors import (
    DamagedStoreError,
    DocumentStoreError,
    ForeignFileError,
    IndexNotFoundError,
    SettingsError,
    StorageError,
    StorePathError,
    StoreVersionError,
)
from hayrick.stores.documents.tables import FORMAT

OPENERS = [SQLiteDocumentStore, open_store]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture
def folder(folder_store):
    """The folder of a closed store."""
    folder_store.query("giraffe")
    folder_store.close()
    return folder_store.path


@pytest.fixture
def table(folder):
    """The table file of a closed store."""
    return folder / "documents.sqlite"


@pytest.mark.parametrize("opener", OPENERS)
class TestAPathThatCannotHoldAStore:
    @pytest.mark.parametrize("path", ["", "\0", "a\0b", b"bytes", "\ud800"], ids=ascii)
    def test_no_path_at_all(self, opener, path):
        with pytest.raises(StorePathError):
            opener(path)

    def test_a_file_stays_as_it_is(self, opener, tmp_path):
        (tmp_path / "file").write_text("mine")
        with pytest.raises(StorePathError):
            opener(tmp_path / "file")
        assert contents(tmp_path) == {"file": b"mine"}

    def test_a_file_as_parent(self, opener, tmp_path):
        (tmp_path / "file").write_text("mine")
        with pytest.raises(DocumentStoreError):
            opener(tmp_path / "file" / "store")
        assert contents(tmp_path) == {"file": b"mine"}

    @pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc, which takes no folders, even from root")
    def test_a_folder_that_takes_no_files(self, opener):
        with pytest.raises(DocumentStoreError):
            opener("/proc/hayrick/store")

    @pytest.mark.parametrize("path", ["x" * 3000, "y/" * 3000], ids=["one name", "many folders"])
    def test_a_path_too_long_for_the_file_system(self, opener, tmp_path, path):
        with pytest.raises(DocumentStoreError):
            opener(tmp_path / path)

    def test_a_folder_with_other_things_stays_as_it_is(self, opener, tmp_path):
        (tmp_path / "thesis.txt").write_text("mine")
        with pytest.raises(ForeignFileError):
            opener(tmp_path)
        assert contents(tmp_path) == {"thesis.txt": b"mine"}

    def test_a_broken_link(self, opener, tmp_path):
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        with pytest.raises(DocumentStoreError):
            opener(tmp_path / "link")

    def test_a_link_to_itself(self, opener, tmp_path):
        (tmp_path / "link").symlink_to(tmp_path / "link")
        with pytest.raises(DocumentStoreError):
            opener(tmp_path / "link")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root ignores permissions")
def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError):
        SQLiteDocumentStore(tmp_path / "store")


NAMES = [
    "with space", "ünïcode 日本", "a?b", "a#b", "a%20b", "a%b", "a&mode=ro", "'quoted'", 'a"b', "a;b", "*",
    "$HOME", "-rf",
    "a\\b",
    "a:b", "a\nb", "file:x", "x" * 200,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_name_that_the_file_system_takes_is_a_path(tmp_path, name):
    with SQLiteDocumentStore(tmp_path / name) as store:
        store.write_documents([{"id": "a", "content": "a giraffe"}])
        assert [d.id for d in store.query("giraffe")] == ["a"]
    with open_store(tmp_path / name) as store:
        assert [d.id for d in store.query("giraffe")] == ["a"]
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_relative_path_outlasts_a_change_of_folder(tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    with SQLiteDocumentStore("store") as store:
        monkeypatch.chdir(tmp_path / "away")
        store.write_documents([{"id": "a", "content": "a giraffe"}])
        assert [d.id for d in store.query("giraffe")] == ["a"]
        store.delete_index("document")
        assert store.query("giraffe") == []
    assert list((tmp_path / "away").iterdir()) == []
    assert open_store(tmp_path / "home" / "store").count() == 0


FOREIGN = {
    "text": b"these are my notes\n" * 200,
    "random bytes": random.Random(1).randbytes(20_000),
    "zeros": bytes(20_000),
    "half a magic": b"SQLite format",
}


@pytest.mark.parametrize("opener", OPENERS)
class TestATableThatIsNotHayricks:
    @pytest.mark.parametrize("data", FOREIGN.values(), ids=FOREIGN)
    def test_a_file_of_something_else_is_refused_and_kept(self, opener, tmp_path, data):
        (tmp_path / "documents.sqlite").write_bytes(data)
        with pytest.raises((ForeignFileError, DamagedStoreError)):
            opener(tmp_path)
        assert (tmp_path / "documents.sqlite").read_bytes() == data

    def test_another_programs_database_is_refused_and_kept(self, opener, tmp_path):
        with sqlite3.connect(tmp_path / "documents.sqlite") as connection:
            connection.execute("CREATE TABLE document (mine)")
        connection.close()
        before = contents(tmp_path)
        with pytest.raises(ForeignFileError):
            opener(tmp_path)
        after = contents(tmp_path)
        after.pop("write.lock", None)
        assert after == before

    def test_a_folder_of_that_name(self, opener, tmp_path):
        (tmp_path / "documents.sqlite").mkdir()
        with pytest.raises(DocumentStoreError):
            opener(tmp_path)

    def test_a_newer_format_is_refused_and_kept(self, opener, folder, table):
        with sqlite3.connect(table) as connection:
            connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
        connection.close()
        before = contents(folder)
        with pytest.raises(StoreVersionError):
            opener(folder)
        assert contents(folder) == before

    def test_indexes_without_their_table_are_damage(self, opener, folder, table):
        table.unlink()
        before = contents(folder)
        with pytest.raises(DamagedStoreError):
            opener(folder)
        assert contents(folder) == before


def test_a_store_whose_making_was_cut_short_is_made_again(tmp_path):
    # SQLite makes the file before it writes into it, so a kill in between leaves an empty one.
    (tmp_path / "documents.sqlite").touch()
    (tmp_path / "write.lock").touch()
    with SQLiteDocumentStore(tmp_path) as store:
        store.write_documents([{"id": "a", "content": "a giraffe"}])
        assert store.count() == 1


INDEX_NAMES = [
    "../x", "..", ".", "/", "/x/y", "a/b", "a\\b", "..\\x", "CON", "nul.txt", "text", "documents.sqlite",
    "write.lock", "1", "0", "-1",
    "'; DROP TABLE document; --", '"', "'", "`", "%00", "%2e%2e%2f", "*", "?", " ", "\n", "x" * 255, "é", "e\u0301",
    "É", "Document",
    "document ", "😀", "\u202e", "$index", "{index}", "a.b", "~", "~root", "document\x01", "null", "None",
    "sqlite_master", "é" * 127,
]  # fmt: skip


def test_an_index_name_is_never_a_path(tmp_path):
    with SQLiteDocumentStore(tmp_path / "store") as store:
        for number, name in enumerate(INDEX_NAMES):
            store.write_documents([{"id": "a", "content": f"giraffe number{number}"}], index=name)
        for number, name in enumerate(INDEX_NAMES):
            assert [d.content for d in store.query("giraffe", index=name)] == [f"giraffe number{number}"], name
        assert store.indexes() == ["document", *INDEX_NAMES]
    assert [entry.name for entry in tmp_path.iterdir()] == ["store"]
    assert {part.name for part in (tmp_path / "store").iterdir()} == {"documents.sqlite", "text", "write.lock"}
    assert all(part.name.isdigit() for part in (tmp_path / "store" / "text").iterdir())


@pytest.mark.parametrize(
    "name", ["", "\0", "a\0b", "\ud800", "x" * 256, "é" * 128, 5, b"a", ["a"], True], ids=lambda name: f"{name!a:.20}"
)
def test_an_index_name_that_cannot_be_kept_is_a_settings_error(tmp_path, name):
    with pytest.raises(SettingsError):
        InMemoryDocumentStore(index=name)
    with SQLiteDocumentStore(tmp_path / "store") as store:
        with pytest.raises(SettingsError):
            store.write_documents([], index=name)
        with pytest.raises(SettingsError):
            store.delete_index(name)
        with pytest.raises((SettingsError, IndexNotFoundError)):
            store.query("giraffe", index=name)
