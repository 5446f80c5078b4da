"""A disk that takes no more refuses a call with a typed error, and leaves the store whole and usable."""

from __future__ import annotations

import pytest

DISK_FULL = """
import os, resource, sys
from hayrick import SQLiteDocumentStore
from hayrick.errors import StorageError

path, room, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
kept = [{"id": f"k{n}", "content": f"kept {n}"} for n in range(100)]
more = [{"id": f"m{n}", "content": " ".join(f"more{n * 50 + i}" for i in range(50))} for n in range(2000)]
store = SQLiteDocumentStore(path, progress_bar=False)
store.write_documents(kept)
assert len(store.query("kept", top_k=200)) == 100

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

def attempt(call):
    limit(room)
    try:
        call()
    except StorageError:
        return "refused"
    except BaseException as error:
        raise SystemExit(f"{type(error).__module__}.{type(error).__name__}: {error}") from error
    finally:
        limit(resource.RLIM_INFINITY)
    return "done"

if what == "write":
    assert attempt(lambda: store.write_documents(more)) == "refused"
else:
    store.write_documents(more)
    attempt(lambda: store.query("more7"))

def intact(store, count):
    assert store.count() == len(store.get_all_documents()) == count, store.count()
    assert store.verify().ok, store.verify()
    assert len(store.query("kept", top_k=200)) == 100
    assert store.write_documents([{"id": "after", "content": "afterwards"}]) == ["after"]
    assert [d.id for d in store.query("afterwards")] == ["after"]
    assert [d.id for d in store.query("more7")] == (["m0"] if count > 100 else [])
    store.delete_documents(ids=["after"])

held = 100 if what == "write" else 2100
intact(store, held)
store.close()
with SQLiteDocumentStore(path) as again:
    intact(again, held)
"""

ROOMS = [pytest.param(room, marks=pytest.mark.exhaustive) for room in (100, 500, 20_000, 200_000, 500_000)]
full_disk = pytest.mark.skipif("sys.platform == 'win32'", reason="limits the size of files as POSIX does")


@full_disk
@pytest.mark.parametrize("room", [0, 5_000, 60_000, *ROOMS])
def test_a_full_disk_refuses_a_write_and_leaves_the_store_usable(run, tmp_path, room):
    run(DISK_FULL, tmp_path / "store", room, "write")


@full_disk
@pytest.mark.parametrize("room", [0, 5_000, 60_000, *ROOMS])
def test_a_disk_full_at_a_query_refuses_it_at_most_and_leaves_the_store_usable(run, tmp_path, room):
    run(DISK_FULL, tmp_path / "store", room, "query")
