"""Threads share a store, a forked child does not, and a closed store refuses every call; none of them crashes."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading

import pytest

from hayrick import Document, InMemoryDocumentStore, SQLiteDocumentStore, open_store
from hayrick.errors import StoreClosedError

FORK = """
import os, sys
from hayrick import InMemoryDocumentStore, SQLiteDocumentStore
from hayrick.errors import StoreForkedError

store = SQLiteDocumentStore(sys.argv[1]) if len(sys.argv) > 1 else InMemoryDocumentStore()
store.write_documents([{"id": "a", "content": "giraffe"}])
store.query("giraffe")
store.count({"year": 1})

def refused(call):
    try:
        call()
    except StoreForkedError:
        return True
    return False

CALLS = [
    lambda: store.query("giraffe"), lambda: store.query(None), lambda: store.query("giraffe", {"year": 1}),
    store.count, lambda: store.count({"year": 1}), store.get_all_documents, lambda: store.get_document_by_id("a"),
    store.delete_documents,
    lambda: store.write_documents([{"content": "x"}]), lambda: store.write_documents([]), store.rebuild, store.verify,
    lambda: store.update_document_meta("a", {"x": 1}), lambda: store.delete_index("document"), store.indexes,
]
child = os.fork()
if child == 0:
    outcomes = [refused(call) for call in CALLS]
    store.close()
    os._exit(0 if all(outcomes) else 1 + outcomes.index(False))
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == 0, f"call {status - 1} was not refused"
store.write_documents([{"id": "b", "content": "giraffe"}])
assert [d.id for d in store.query("giraffe")] == ["a", "b"]
if len(sys.argv) > 1:
    child = os.fork()
    if child == 0:
        with SQLiteDocumentStore(sys.argv[1]) as own:
            own.write_documents([{"id": "c", "content": "giraffe"}])
            os._exit(0 if len(own.query("giraffe")) == 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [d.id for d in store.query("giraffe")] == ["a", "b", "c"]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks as POSIX does")
@pytest.mark.parametrize("on_disk", [True, False], ids=["sqlite", "memory"])
def test_a_forked_child_is_refused_and_the_parent_goes_on(run, tmp_path, on_disk):
    run(FORK, *([tmp_path / "store"] if on_disk else []))


def in_threads(count: int, work) -> list[BaseException]:
    """Run ``work(number)`` in so many threads; what they raised."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - the test looks at them all
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_eight_threads_share_a_store(store):
    def work(number):
        for turn in range(12):
            name = f"t{number}-{turn}"
            store.write_documents([{"id": name, "content": f"word{number} common", "thread": number}])
            assert store.get_document_by_id(name).id == name
            assert len(store.query(f"word{number}", top_k=1000)) == turn + 1
            assert store.count({"thread": number}) == turn + 1
            assert store.count() >= turn + 5
        store.delete_documents(ids=[f"t{number}-0"])

    assert in_threads(8, work) == []
    assert store.count() == 4 + 8 * 11
    assert len(store.query("common", top_k=1000)) == 8 * 11
    assert store.verify().ok


def test_threads_that_come_and_go_disturb_no_write(store):
    # Each leaves a connection behind, which is collected while another thread is in the midst of a write.
    done = threading.Event()

    def passing():
        while not done.is_set():
            assert in_threads(4, lambda number: store.count()) == []

    visitors = threading.Thread(target=passing)
    visitors.start()
    try:
        for turn in range(40):
            store.write_documents([{"id": f"n{turn}-{n}", "content": "x"} for n in range(50)])
            assert store.count() == 4 + 50 * (turn + 1)
    finally:
        done.set()
        visitors.join()
    assert store.verify().ok


CLOSING = """
import sys, threading
from hayrick import InMemoryDocumentStore, SQLiteDocumentStore
from hayrick.errors import HayrickError
problems = []
for turn in range(int(sys.argv[1])):
    store = SQLiteDocumentStore(sys.argv[2]) if len(sys.argv) > 2 else InMemoryDocumentStore()
    store.write_documents([{"id": str(n), "content": "a giraffe", "n": n} for n in range(50)])
    begun = threading.Barrier(5)

    def read(call):
        begun.wait()
        try:
            while True:
                call()
        except HayrickError:
            pass
        except BaseException as error:
            problems.append(f"{type(error).__module__}.{type(error).__name__}: {error}")

    calls = [store.get_all_documents, lambda: store.query("giraffe"), lambda: store.count({"n": 3}),
             lambda: store.write_documents([{"id": "w", "content": "x"}])]
    threads = [threading.Thread(target=read, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    begun.wait()
    threading.Event().wait(turn * 0.004)
    store.close()
    for thread in threads:
        thread.join()
assert not problems, sorted(set(problems))
"""


@pytest.mark.parametrize("turns", [8, pytest.param(100, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("on_disk", [True, False], ids=["sqlite", "memory"])
def test_closing_under_other_threads_gives_them_hayrick_errors_alone(run, tmp_path, on_disk, turns):
    run(CLOSING, turns, *([tmp_path / "store"] if on_disk else []))


#: What each public method is called with; one that is missing here must take nothing.
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "delete_index": ("document",),
    "get_document_by_id": ("a",),
    "get_documents_by_id": (["a"],),
    "get_metadata_values_by_key": ("year",),
    "has_index": ("document",),
    "query": ("giraffe",),
    "query_batch": (["giraffe"],),
    "update_document_meta": ("a", {"year": 1}),
    "write_documents": ([Document("x")],),
}
OPEN_TO_ALL = {"close", "recognises"}
METHODS = sorted(
    name
    for name, member in inspect.getmembers(SQLiteDocumentStore, callable)
    if not name.startswith("_") and name not in OPEN_TO_ALL
)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("used", [True, False], ids=["used before", "never used"])
def test_a_closed_store_refuses_every_call(store, name, used):
    if used:
        store.query("giraffe", {"year": 2001})
    store.close()
    store.close()

    async def call():
        result = getattr(store, name)(*ARGUMENTS.get(name.removesuffix("_async"), ()))
        return await result if inspect.isawaitable(result) else result

    with pytest.raises(StoreClosedError):
        asyncio.run(call())


def test_a_closed_store_can_be_opened_again(folder_store):
    folder_store.query("giraffe")
    folder_store.close()
    with open_store(folder_store.path) as again:
        assert [d.id for d in again.query("acacia")] == ["a"]


def test_a_store_in_memory_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with InMemoryDocumentStore() as store:
        store.write_documents([Document("x")])
        store.query("x")
    assert list(tmp_path.iterdir()) == []
