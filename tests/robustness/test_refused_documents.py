"""A write does all it says or nothing, names what it refuses, and never touches what it was given."""

from __future__ import annotations

import datetime as dt
import enum
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from hayrick import Document
from hayrick.errors import DocumentError, MetadataError


def nested(depth: int, *, lists: bool) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value] if lists else {"k": value}
    return value


def cyclic_list() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


def cyclic_dictionary() -> dict[str, object]:
    value: dict[str, object] = {}
    value["again"] = value
    return value


#: What is wrong with it -> metadata, and the path that the error must name.
META = {
    "NaN": ({"a": {"b": float("nan")}}, "a.b"),
    "an infinity": ({"a": [1, float("-inf")]}, "a"),
    "a numpy NaN": ({"a": np.float32("nan")}, "a"),
    "2**63": ({"a": 2**63}, "a"),
    "-2**63 - 1": ({"a": [{"b": -(2**63) - 1}]}, "a.b"),
    "10**400": ({"a": 10**400}, "a"),
    "a surrogate in a value": ({"a": "x\ud800"}, "a"),
    "a surrogate in a key": ({"a": {"x\ud800": 1}}, "a"),
    "a key that is no string": ({"a": {5: 1}}, "a"),
    "None as a key": ({"a": {None: 1}}, "a"),
    "None as a key of nothing": ({"a": {None: None}}, "a"),
    "a tuple as a key": ({"a": {(1, 2): 1}}, "a"),
    "a Decimal": ({"a": Decimal(1)}, "a"),
    "a Fraction": ({"a": Fraction(1, 2)}, "a"),
    "a complex": ({"a": 1j}, "a"),
    "bytes": ({"a": b"x"}, "a"),
    "a set": ({"a": {1}}, "a"),
    "a frozenset": ({"a": [frozenset()]}, "a"),
    "a time": ({"a": dt.time(1)}, "a"),
    "a timedelta": ({"a": dt.timedelta(1)}, "a"),
    "an object": ({"a": object()}, "a"),
    "a function": ({"a": len}, "a"),
    "a path": ({"a": Path("x")}, "a"),
    "a generator": ({"a": iter([1])}, "a"),
    "a numpy complex": ({"a": np.complex64(1)}, "a"),
    "numpy bytes": ({"a": np.bytes_(b"x")}, "a"),
    "a numpy array with NaN": ({"a": np.array([1.0, np.nan])}, "a"),
    "a cyclic list": ({"a": cyclic_list()}, "a"),
    "a cyclic dictionary": ({"a": cyclic_dictionary()}, "a"),
    "dictionaries 40 deep": ({"a": nested(40, lists=False)}, "a"),
    "lists 40 deep": ({"a": nested(40, lists=True)}, "a"),
    "lists 100,000 deep": ({"a": nested(100_000, lists=True)}, "a"),
    "a path over 1 KiB": ({"a": {"b" * 1024: 1}}, "a"),
    "a path over 1 KiB in UTF-8": ({"é" * 600: 1}, "é"),
}


def unchanged(store, write) -> bool:
    """Whether a call leaves every document, count and hit as they were."""
    before = store.get_all_documents(), store.indexes(), [d.id for d in store.query("giraffe good")]
    write()
    return before == (store.get_all_documents(), store.indexes(), [d.id for d in store.query("giraffe good")])


def refused(store, document, error=DocumentError) -> str:
    """The message with which a batch is refused whose middle document is bad; nothing of it is written."""
    batch = [Document("good one", id="good 1"), document, Document("good two", id="good 2")]
    messages = []

    def write():
        with pytest.raises(error) as caught:
            store.write_documents(batch, index="document")
        messages.append(str(caught.value))

    assert unchanged(store, write)
    return messages[0]


@pytest.mark.parametrize(("meta", "path"), META.values(), ids=META)
def test_metadata_that_cannot_be_kept_is_refused_with_its_document_and_path(kept_store, meta, path):
    message = refused(kept_store, {"content": "x", "id": "the bad one", "meta": meta}, MetadataError)
    assert "the bad one" in message
    assert message.startswith(path)


@pytest.mark.parametrize(("meta", "path"), META.values(), ids=META)
def test_an_update_with_metadata_that_cannot_be_kept_changes_nothing(kept_store, meta, path):
    def update():
        with pytest.raises(MetadataError, match=f"^{path}"):
            kept_store.update_document_meta("a", meta)

    assert unchanged(kept_store, update)


#: What is wrong with it -> a document as a dictionary.
DICTIONARIES = {
    "no content": {"id": "the bad one"},
    "content of None": {"id": "the bad one", "content": None},
    "content of 5": {"id": "the bad one", "content": 5},
    "content of bytes": {"id": "the bad one", "content": b"x"},
    "a surrogate in the content": {"id": "the bad one", "content": "x\ud800"},
    "an unknown content type": {"id": "the bad one", "content": "x", "content_type": "video"},
    "metadata of a list": {"id": "the bad one", "content": "x", "meta": [1]},
    "metadata of a string": {"id": "the bad one", "content": "x", "meta": "year"},
    "an embedding too short": {"id": "the bad one", "content": "x", "embedding": [1.0]},
    "an embedding of none": {"id": "the bad one", "content": "x", "embedding": []},
    "an embedding with NaN": {"id": "the bad one", "content": "x", "embedding": [1.0, float("nan")]},
    "an embedding with an infinity": {"id": "the bad one", "content": "x", "embedding": [float("inf"), 1.0]},
    "an embedding beyond float32": {"id": "the bad one", "content": "x", "embedding": [1e39, 1.0]},
    "an embedding of two axes": {"id": "the bad one", "content": "x", "embedding": [[1.0, 2.0]]},
    "an embedding of strings": {"id": "the bad one", "content": "x", "embedding": ["1", "2"]},
    "an embedding of text": {"id": "the bad one", "content": "x", "embedding": "12"},
    "a ragged embedding": {"id": "the bad one", "content": "x", "embedding": [[1.0], [1.0, 2.0]]},
    "a complex embedding": {"id": "the bad one", "content": "x", "embedding": [1j, 2.0]},
    "an embedding of objects": {"id": "the bad one", "content": "x", "embedding": [object(), 1.0]},
    "id_hash_keys of a string": {"id": "the bad one", "content": "x", "id_hash_keys": "content"},
    "a table of text": {"id": "the bad one", "content": "x", "content_type": "table"},
    "a cyclic table": {"id": "the bad one", "content": [["a"], [cyclic_list()]], "content_type": "table"},
    "a table 100,000 deep": {
        "id": "the bad one",
        "content": [["a"], [nested(100_000, lists=True)]],
        "content_type": "table",
    },
    "a surrogate in a table": {"id": "the bad one", "content": [["a"], ["\ud800"]], "content_type": "table"},
}
IDS = {
    "an id of 70 KB": "x" * 70_000,
    "NUL in the id": "bad\0",
    "a surrogate in the id": "bad\ud800",
    "an id of bytes past 4 KiB": "é" * 2049,
}


@pytest.mark.parametrize("document", DICTIONARIES.values(), ids=DICTIONARIES)
def test_a_dictionary_that_is_no_document_is_refused_by_name(kept_store, document):
    assert "the bad one" in refused(kept_store, document)


@pytest.mark.parametrize("id_", IDS.values(), ids=IDS)
def test_an_id_that_cannot_be_kept_is_refused(kept_store, id_):
    assert id_[:3] in refused(kept_store, {"content": "x", "id": id_})


@pytest.mark.parametrize(
    "thing",
    [None, 5, "text", b"bytes", ["a", "list"], object(), Document, float("nan")],
    ids=lambda thing: f"{thing!r:.20}",
)
def test_what_is_no_document_is_refused(kept_store, thing):
    refused(kept_store, thing)


@pytest.mark.parametrize(
    "things", [None, 5, "text", b"bytes", {"content": "x"}, Document("x"), Document], ids=lambda thing: f"{thing!r:.20}"
)
def test_what_is_no_list_of_documents_is_refused(kept_store, things):
    def write():
        with pytest.raises(DocumentError):
            kept_store.write_documents(things)

    assert unchanged(kept_store, write)


#: A document's fields can be set after it was made, past every check of the constructor.
SPOILT = {
    "meta": [[1], None, "year", 5],
    "id": [5, None, "", b"x", ["a"]],
    "content": [None, 5, b"x", ["x"]],
    "content_type": ["video", None, 5, "table"],
    "embedding": ["12", [1.0, 2.0, 3.0], 5, {"a": 1}, np.array(["a", "b"]), np.array([1j, 2]), np.array([None, 1.0])],
    "id_hash_keys": [5, [b"x"], object()],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in SPOILT.items() for value in values],
                         ids=lambda value: f"{value!r:.25}")  # fmt: skip
def test_a_document_spoilt_after_it_was_made_is_refused(store, field, value):
    document = Document("x", id="the bad one")
    setattr(document, field, value)
    refused(store, document)


class Colour(enum.Enum):
    RED = 1


class Words(enum.StrEnum):
    RED = "red"


class Counts(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("given", "kept"), [(Words.RED, "red"), (Counts.ONE, 1), (np.str_("é"), "é"), (np.bool_(1), True)], ids=repr
)
def test_a_subclass_of_a_plain_type_is_kept_as_that_type(store, given, kept):
    store.write_documents([{"content": "x", "id": "n", "meta": {"a": given, "b": [given], "c": {"d": given}}}])
    assert store.get_document_by_id("n").meta == {"a": kept, "b": [kept], "c": {"d": kept}}
    assert store.count({"a": kept, "c.d": kept}) == 1


def test_a_plain_enum_is_refused(kept_store):
    refused(kept_store, {"content": "x", "id": "n", "meta": {"a": Colour.RED}}, MetadataError)
