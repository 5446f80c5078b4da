"""The keyword indexes are caches: whatever is done to their files, a reopened store answers from its documents."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from hayrick import InMemoryDocumentStore, SQLiteDocumentStore

WORDS = ["giraffe", "bear", "café", "winter", "acacia", "zebra", "river", "stone"]
QUERIES = [*WORDS, "giraffe bear", "the winter river", "nothing of this"]
INDEXES = ["document", "other"]


def fill(store, *, start: int = 0, count: int = 40) -> None:
    """Several commits of the keyword index with deletions and overwrites among them."""
    choose = random.Random(start)
    for index in INDEXES:
        for first in range(start, start + count, 20):
            store.write_documents(
                [
                    {"id": f"{index}{number}", "content": " ".join(choose.choices(WORDS, k=5)), "year": number}
                    for number in range(first, first + 20)
                ],
                index=index,
            )
            store.query("giraffe", index=index)
        store.delete_documents(index, filters={"year": {"$gte": start + 3, "$lt": start + 6}})
        store.write_documents(
            [{"id": f"{index}{start}", "content": "an overwritten zebra", "year": start}], index=index
        )
        store.query("giraffe", index=index)


def answers(store) -> list[list[str]]:
    """The ids that every query finds, in every index; the order follows statistics that a rebuild may move."""
    return [
        sorted(document.id for document in store.query(query, filters, top_k=10_000, index=index))
        for index in INDEXES
        for query in QUERIES
        for filters in (None, {"year": {"$gte": 10}})
    ]


def fresh_answers(path: Path) -> list[list[str]]:
    """What a new store in memory with the same documents answers."""
    with SQLiteDocumentStore(path) as store, InMemoryDocumentStore() as fresh:
        for index in INDEXES:
            fresh.write_documents(store.get_all_documents(index), index=index)
        return answers(fresh)


def reopened_answers(path: Path, **options: bool) -> list[list[str]]:
    with SQLiteDocumentStore(path, **options) as store:
        return answers(store)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A closed store with two indexes, several commits each; copied, never changed."""
    path = tmp_path_factory.mktemp("pristine") / "store"
    with SQLiteDocumentStore(path, progress_bar=False) as store:
        fill(store)
    return path


@pytest.fixture(scope="module")
def expected(pristine):
    return fresh_answers(pristine)


@pytest.fixture
def path(pristine, tmp_path):
    """A copy of it to damage."""
    return Path(shutil.copytree(pristine, tmp_path / "store"))


def truncated(file: Path, other: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def emptied(file: Path, other: Path) -> None:
    file.write_bytes(b"")


def zeroed(file: Path, other: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def deleted(file: Path, other: Path) -> None:
    file.unlink()


def replaced_by_junk(file: Path, other: Path) -> None:
    file.write_bytes(random.Random(3).randbytes(max(file.stat().st_size, 100)))


def lengthened(file: Path, other: Path) -> None:
    file.write_bytes(file.read_bytes() + b"junk")


def replaced_by_a_folder(file: Path, other: Path) -> None:
    file.unlink()
    file.mkdir()


def replaced_by_another_of_its_kind(file: Path, other: Path) -> None:
    shutil.copyfile(other, file)


RARE = [emptied, replaced_by_junk, lengthened, replaced_by_a_folder]
DAMAGE = [
    *(truncated, zeroed, deleted, replaced_by_another_of_its_kind),
    *(pytest.param(damage, marks=pytest.mark.exhaustive) for damage in RARE),
]


def kind(file: Path) -> str:
    return file.suffix if len(file.stem) == 32 or "." in file.stem[1:] else file.name


def files_by_kind(folder: Path) -> dict[str, Path]:
    return {kind(file): file for file in sorted(folder.iterdir())}


def damaged_answers(pristine: Path, path: Path, damage, *, every_file: bool) -> dict[str, list[list[str]]]:
    """For each kind of file, or each file, of the first index: the answers after damaging it."""
    found = {}
    others = files_by_kind(pristine / "text" / "2")
    files = (
        sorted((pristine / "text" / "1").iterdir()) if every_file else files_by_kind(pristine / "text" / "1").values()
    )
    for file in files:
        shutil.rmtree(path)
        shutil.copytree(pristine, path)
        damage(path / "text" / "1" / file.name, others[kind(file)])
        found[file.name if every_file else kind(file)] = reopened_answers(path)
    return found


@pytest.fixture
def known_gap(request, damage):
    """The engine does not notice a sound file of another index in the place of its own, and gives wrong answers."""
    if damage.__name__ == "replaced_by_another_of_its_kind":
        reason = "keyword indexes have no checksums yet (docs/promises.md)"
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.mark.parametrize(
    "every_file", [False, pytest.param(True, marks=pytest.mark.exhaustive)], ids=["one of each kind", "every file"]
)
@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__.replace("_", " "))
@pytest.mark.usefixtures("known_gap")
def test_a_damaged_file_changes_no_answer(pristine, path, expected, damage, every_file):
    found = damaged_answers(pristine, path, damage, every_file=every_file)
    assert len(found) > 5
    assert [name for name, answer in found.items() if answer != expected] == []


def test_an_undamaged_store_answers_as_a_new_one(path, expected):
    assert reopened_answers(path) == expected


@pytest.mark.parametrize("what", ["text", "text/1"])
def test_a_deleted_folder_changes_no_answer(path, expected, what):
    shutil.rmtree(path / what)
    assert reopened_answers(path) == expected
    assert reopened_answers(path, read_only=True) == expected


@pytest.mark.parametrize("what", ["text", "text/1"])
def test_a_file_in_a_folders_place_changes_no_answer(path, expected, what):
    for _ in range(2):  # the second time, what was set aside the first time is in the way
        shutil.rmtree(path / what)
        (path / what).write_text("junk")
        assert reopened_answers(path) == expected


def test_two_indexes_swapped_change_no_answer(path, expected):
    (path / "text" / "1").rename(path / "text" / "x")
    (path / "text" / "2").rename(path / "text" / "1")
    (path / "text" / "x").rename(path / "text" / "2")
    assert reopened_answers(path) == expected


def test_a_read_only_store_with_a_damaged_index_answers_from_its_documents(path, expected):
    for file in (path / "text" / "1").glob("*.idx"):
        zeroed(file, file)
    assert reopened_answers(path, read_only=True) == expected


def test_an_older_copy_of_the_indexes_put_back_is_caught_up(path, pristine):
    with SQLiteDocumentStore(path) as store:
        fill(store, start=100)
    shutil.rmtree(path / "text")
    shutil.copytree(pristine / "text", path / "text")
    assert reopened_answers(path) == fresh_answers(path)


def test_a_newer_copy_of_the_indexes_put_back_is_caught_up(path, pristine):
    with SQLiteDocumentStore(path) as store:
        fill(store, start=100)
    newer = path.with_name("newer")
    shutil.copytree(path / "text", newer)
    shutil.rmtree(path)
    shutil.copytree(pristine, path)
    shutil.rmtree(path / "text")
    shutil.copytree(newer, path / "text")
    assert reopened_answers(path) == fresh_answers(path)


def test_another_stores_indexes_are_not_taken_for_its_own(path, tmp_path):
    # The same steps with other words: every sequence number and every row is the same.
    with SQLiteDocumentStore(tmp_path / "twin") as twin:
        fill(twin, start=500)
    shutil.rmtree(path / "text")
    shutil.copytree(tmp_path / "twin" / "text", path / "text")
    assert reopened_answers(path) == fresh_answers(path)


@pytest.mark.parametrize("searched", [True, False], ids=["searched in between", "not searched in between"])
def test_an_older_table_under_newer_indexes_is_believed(path, pristine, searched):
    with SQLiteDocumentStore(path) as store:
        fill(store, start=100)
    shutil.copyfile(pristine / "documents.sqlite", path / "documents.sqlite")
    if searched:
        assert reopened_answers(path) == fresh_answers(path)
    with SQLiteDocumentStore(path) as store:
        fill(store, start=300)  # sequence numbers and rows that the indexes know with other content
        assert answers(store) == answers(store)
    assert reopened_answers(path) == fresh_answers(path)


def test_a_store_that_overtakes_its_own_newer_indexes_is_believed(path, pristine):
    with SQLiteDocumentStore(path) as store:
        fill(store, start=100)
    shutil.copyfile(pristine / "documents.sqlite", path / "documents.sqlite")
    with SQLiteDocumentStore(path) as store:
        for number in range(120):
            store.write_documents([{"id": f"n{number}", "content": WORDS[number % 8], "year": number}])
        store.write_documents([], index="other")
    assert reopened_answers(path) == fresh_answers(path)


def test_an_index_deleted_and_made_again_does_not_find_its_old_text(path):
    with SQLiteDocumentStore(path) as store:
        store.delete_index("other")
        store.write_documents([{"id": "new", "content": "winter", "year": 1}], index="other")
        assert [d.id for d in store.query("giraffe winter", index="other")] == ["new"]
    assert reopened_answers(path) == fresh_answers(path)


FLIPS = """
import json, random, shutil, sys
from pathlib import Path
from hayrick import SQLiteDocumentStore
from hayrick.errors import HayrickError

pristine, path, count, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
choose = random.Random(seed)
files = sorted((pristine / "text" / "1").iterdir(), key=lambda file: (file.suffix, file.stat().st_size))
weights = [file.stat().st_size for file in files]
found = []
for _ in range(count):
    shutil.rmtree(path)
    shutil.copytree(pristine, path)
    (file,) = choose.choices(files, weights)
    data = bytearray(file.read_bytes())
    at = choose.randrange(len(data))
    data[at] ^= 1 << choose.randrange(8)
    (path / "text" / "1" / file.name).write_bytes(data)
    print(f"{file.suffix} byte {at}", file=sys.stderr)
    try:
        with SQLiteDocumentStore(path) as store:
            answer = [sorted(d.id for d in store.query(word, top_k=10_000)) for word in sys.argv[5:]]
    except HayrickError as error:
        answer = type(error).__name__
    found.append([file.suffix, answer])
print(json.dumps(found))
"""


def flipped_answers(run, pristine: Path, path: Path, count: int) -> list[tuple[str, list[list[str]] | str]]:
    return [tuple(pair) for pair in json.loads(run(FLIPS, pristine, path, count, 1, *WORDS))]


@pytest.mark.parametrize("count", [20, pytest.param(600, marks=pytest.mark.exhaustive)])
def test_a_flipped_bit_in_an_index_never_crashes_the_interpreter(run, pristine, path, count):
    assert len(flipped_answers(run, pristine, path, count)) == count


@pytest.mark.exhaustive
@pytest.mark.xfail(
    reason="the engine's files carry no checksum that opening verifies, so a bit flipped inside goes unnoticed"
)
def test_a_flipped_bit_in_an_index_changes_no_answer(run, pristine, path):
    with SQLiteDocumentStore(pristine, read_only=True) as store:
        expected = [sorted(d.id for d in store.query(word, top_k=10_000)) for word in WORDS]
    assert {suffix for suffix, answer in flipped_answers(run, pristine, path, 600) if answer != expected} == set()
