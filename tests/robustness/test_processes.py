"""Several processes, threads and forks on one store: one writes at a time, nobody sees half a write, nobody hangs."""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from hayrick import Document, SQLiteDocumentStore, open_store
from hayrick.errors import StoreLockedError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills and forks as POSIX does")

HOLDER = """
import sys, time
from hayrick import SQLiteDocumentStore
store = SQLiteDocumentStore(sys.argv[1])
with store._database.write():
    print("holding", flush=True)
    sys.stdin.readline()
"""


def test_a_second_writer_is_told_who_holds_the_store(folder_store, start):
    with SQLiteDocumentStore(folder_store.path, lock_timeout=0.3) as second, start(HOLDER, folder_store.path) as holder:
        assert holder.stdout.readline() == "holding\n"
        started = time.monotonic()
        with pytest.raises(StoreLockedError, match=rf"process {holder.pid}\b") as caught:
            second.write_documents([Document("x")])
        assert 0.2 < time.monotonic() - started < 3
        assert caught.value.holder == caught.value.holder.strip()
        # Reading goes on meanwhile: by id, by filter, and by text.
        assert second.get_document_by_id("a").id == "a"
        assert second.count({"year": 2001}) == 1
        assert [d.id for d in second.query("acacia")] == ["a"]
        holder.kill()
        holder.wait()
        assert second.write_documents([Document("x", id="new")]) == ["new"]


def test_opening_an_existing_store_needs_no_lock(folder_store, start):
    with start(HOLDER, folder_store.path) as holder:
        assert holder.stdout.readline() == "holding\n"
        with SQLiteDocumentStore(folder_store.path, lock_timeout=0) as second:
            assert second.count() == 4


def test_a_writer_waits_its_turn(folder_store, start):
    with start(HOLDER, folder_store.path) as holder:
        assert holder.stdout.readline() == "holding\n"
        release = threading.Timer(0.5, lambda: print(file=holder.stdin, flush=True))
        release.start()
        assert folder_store.write_documents([Document("x", id="new")]) == ["new"]
        release.join()


WRITER = """
import sys
from hayrick import SQLiteDocumentStore
path, name, writes = sys.argv[1], sys.argv[2], int(sys.argv[3])
with SQLiteDocumentStore(path) as store:
    for number in range(writes):
        store.write_documents([{"id": f"{name}-{number}", "content": f"{name} number{number}", "meta": {"by": name}}])
        if number % 10 == 0:
            found = store.query(f"{name} number{number}", all_terms_must_match=True)
            assert [document.id for document in found] == [f"{name}-{number}"]
print("done")
"""


def test_four_processes_make_and_write_one_store(start, tmp_path):
    path, writes = tmp_path / "store", 50
    with ExitStack() as running:
        writers = [running.enter_context(start(WRITER, path, f"w{n}", writes)) for n in range(4)]
        ended = [writer.communicate() for writer in writers]
    assert [output for output, _ in ended] == ["done\n"] * 4, "\n".join(errors[-1500:] for _, errors in ended)
    with open_store(path) as store:
        assert store.count() == 4 * writes
        assert [store.count({"by": f"w{n}"}) for n in range(4)] == [writes] * 4
        assert [len(store.query(f"w{n}", top_k=1000)) for n in range(4)] == [writes] * 4
        assert store.verify().ok


READER = """
import json, sys
from hayrick import SQLiteDocumentStore
with SQLiteDocumentStore(sys.argv[1], read_only=sys.argv[2] == "True") as store:
    for line in sys.stdin:
        found = sorted(document.id for document in store.query(line.strip(), top_k=1000))
        listed = sorted(document.id for document in store.get_all_documents())
        print(json.dumps([found, listed, store.count({"year": {"$gt": 0}})]), flush=True)
"""


@pytest.mark.parametrize("read_only", [False, True], ids=["ordinary", "read-only"])
def test_a_reader_sees_another_processes_write_at_its_next_query(folder_store, start, read_only):
    with start(READER, folder_store.path, read_only) as reader:

        def seen(query="giraffe"):
            print(query, file=reader.stdin, flush=True)
            return json.loads(reader.stdout.readline() or reader.stderr.read())

        assert seen() == [["a", "d"], ["a", "b", "c", "d"], 4]
        folder_store.write_documents([{"id": "e", "content": "one more giraffe", "year": 5}])
        assert seen() == [["a", "d", "e"], ["a", "b", "c", "d", "e"], 5]
        folder_store.delete_documents(ids=["a"])
        assert seen() == [["d", "e"], ["b", "c", "d", "e"], 4]
        folder_store.query("giraffe")  # the writer applies its log
        assert seen() == [["d", "e"], ["b", "c", "d", "e"], 4]
        folder_store.write_documents([{"id": "e", "content": "no longer", "year": 5}])
        assert seen() == [["d"], ["b", "c", "d", "e"], 4]
        folder_store.rebuild()
        assert seen() == [["d"], ["b", "c", "d", "e"], 4]
        folder_store.update_document_meta("e", {"year": 0})
        assert seen("longer") == [["e"], ["b", "c", "d", "e"], 3]
        folder_store.delete_documents()
        assert seen() == [[], [], 0]
        folder_store.delete_index("document")
        folder_store.write_documents([{"id": "f", "content": "a giraffe again"}])
        assert seen() == [["f"], ["f"], 0]


KILLED = """
import sys
from hayrick import SQLiteDocumentStore
path, first = sys.argv[1], int(sys.argv[2])
store = SQLiteDocumentStore(path)
print("ready", flush=True)
for batch in range(first, 10**9):
    store.write_documents([{"id": f"{batch}-{n}", "content": f"batch{batch} common", "batch": batch} for n in range(5)])
    print(batch, flush=True)
    if batch % 3 == 0:
        store.query("common")
    if batch % 5 == 0:
        store.delete_documents(filters={"batch": batch})
        print(-batch, flush=True)
"""


def killed_once(start, path: Path, first: int, delay: float) -> tuple[set[int], set[int]]:
    """Kill a writer after a delay: the batches, written and deleted, that it had acknowledged."""
    with start(KILLED, path, first) as writer:
        assert writer.stdout.readline() == "ready\n", writer.stderr.read()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        lines = [int(line) for line in writer.stdout.read().splitlines()]
    return {line for line in lines if line > 0}, {-line for line in lines if line < 0}


@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(start, tmp_path, rounds):
    choose, path, acknowledged, deleted, first = random.Random(9), tmp_path / "store", set(), set(), 1
    for _ in range(rounds):
        written, gone = killed_once(start, path, first, choose.random() * 0.4)
        acknowledged |= written
        deleted |= gone
        with open_store(path, lock_timeout=5) as store:
            counted = {entry["value"]: entry["count"] for entry in store.get_metadata_values_by_key("batch")}
            assert set(counted.values()) <= {5}, "half a batch"
            assert acknowledged - deleted - set(counted) <= {batch for batch in acknowledged if batch % 5 == 0}, (
                "lost a batch"
            )
            assert not deleted & set(counted), "a deleted batch came back"
            stored = {d.id for d in store.get_all_documents()}
            assert {d.id for d in store.query("common", top_k=10**6)} == stored
            assert store.verify().ok
        first = max([*counted, *acknowledged, first]) + 1


@pytest.mark.parametrize("delay", [0.005, 0.01, 0.02])
def test_a_store_whose_maker_was_killed_can_be_made(start, tmp_path, delay):
    script = """
import sys
from hayrick import SQLiteDocumentStore
import hayrick.stores.text.tantivy
print("ready", flush=True)
SQLiteDocumentStore(sys.argv[1])
sys.stdin.readline()
"""
    with start(script, tmp_path / "store") as maker:
        maker.stdout.readline()
        time.sleep(delay)
        maker.kill()
        maker.wait()
    with SQLiteDocumentStore(tmp_path / "store") as store:
        assert store.write_documents([Document("x", id="new")]) == ["new"]
