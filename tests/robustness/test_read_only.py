"""A store opened with read_only=True reads everything and changes no file, whatever state its folder is in."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from hayrick import Document, SQLiteDocumentStore
from hayrick.errors import ReadOnlyStoreError


def photograph(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        str(file.relative_to(folder)): (
            file.stat().st_mtime_ns,
            hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "",
        )
        for file in sorted([folder, *folder.rglob("*")])
    }


def read_everything(store) -> None:
    assert [d.id for d in store.query("acacia")] == ["a"]
    assert [d.id for d in store.query("giraffe", {"year": 2004})] == ["d"]
    assert store.count({"year": {"$gt": 2001}}) == 3
    store.get_all_documents(return_embedding=True)
    store.get_metadata_values_by_key("year")
    store.describe_documents()


def looked_over(store) -> None:
    store.verify()


def refused_writes(store) -> None:
    for write in (
        lambda: store.write_documents([Document("x")]),
        lambda: store.update_document_meta("a", {"year": 1}),
        store.delete_documents,
        lambda: store.delete_documents(ids=["a"]),
        lambda: store.delete_documents(filters={"year": 2001}),
        lambda: store.delete_index("document"),
        store.rebuild,
    ):
        with pytest.raises(ReadOnlyStoreError):
            write()


@pytest.mark.parametrize(
    "use", [read_everything, looked_over, refused_writes], ids=lambda use: use.__name__.replace("_", " ")
)
@pytest.mark.parametrize(
    "state", ["up to date", "no text", "empty text", "no lock files", "behind", "damaged", "no write.lock"]
)
def test_a_read_only_store_changes_no_file(folder_store, state, use):
    path = folder_store.path
    folder_store.query("giraffe")
    if state == "behind":
        folder_store.update_document_meta("b", {"year": 2002})
    folder_store.close()
    match state:
        case "no text":
            shutil.rmtree(path / "text")
        case "empty text":
            shutil.rmtree(path / "text")
            (path / "text" / "1").mkdir(parents=True)
        case "no lock files":
            for file in path.rglob("*.lock"):
                file.unlink()
        case "damaged":
            for file in path.rglob("*.idx"):
                file.write_bytes(b"junk")
        case "no write.lock":
            (path / "write.lock").unlink(missing_ok=True)
    before = photograph(path)
    with SQLiteDocumentStore(path, read_only=True) as store:
        use(store)
    assert photograph(path) == before
