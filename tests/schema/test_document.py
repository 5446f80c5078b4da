"""Documents: what they take, how they compare, and how they travel."""

from __future__ import annotations

import copy
import datetime as dt
import json
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayrick.errors import DocumentError, EmbeddingError, MetadataError
from hayrick.schema import Document, Hit
from hayrick.schema.encoding import copied, copier

if TYPE_CHECKING:
    from pathlib import Path

atoms = st.none() | st.integers() | st.text() | st.dates()
trees = st.recursive(atoms, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)
SAMPLES = ["text_doc.json", "text_doc_emb.json", "table_doc.json", "table_doc_emb.json"]


def test_a_document_has_the_defaults_of_v1():
    document = Document("hello")
    assert (document.content_type, document.score, document.meta, document.embedding) == ("text", None, {}, None)
    assert document.id_hash_keys is None
    assert document.hit is None


def test_documents_share_no_default_metadata():
    one, other = Document("a"), Document("b")
    one.meta["x"] = 1
    assert other.meta == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"content": None}, "needs content"),
        ({"content": 5}, "is a string, not a int"),
        ({"content": b"bytes"}, "is a string, not a bytes"),
        ({"content": "x", "content_type": "video"}, "none of text, table, image, audio"),
        ({"content": "x", "meta": "y"}, "meta is a dictionary"),
    ],
)
def test_what_is_no_document_is_refused(arguments, message):
    with pytest.raises(DocumentError, match=message):
        Document(**arguments)


@pytest.mark.parametrize("kind", ["image", "audio"])
def test_images_and_audio_are_paths(kind):
    assert Document("a/b.png", content_type=kind).content_type == kind


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_float_embedding_is_kept_as_it_is(dtype):
    vector = np.ones(3, dtype=dtype)
    assert Document("x", embedding=vector).embedding is vector


def test_lists_and_whole_numbers_become_float64():
    for numbers in ([1.5, 2.0], [1, 2], np.array([1, 2], dtype=np.uint8)):
        assert Document("x", embedding=numbers).embedding.dtype == np.float64


@pytest.mark.parametrize(
    "embedding", [[[1.0, 2.0]], 1.0, ["a"], [1 + 2j], [True], [[1.0], [1.0, 2.0]], np.array([None])]
)
def test_an_embedding_is_one_vector_of_real_numbers(embedding):
    with pytest.raises(EmbeddingError):
        Document("x", embedding=embedding)


def test_equality_looks_at_every_field_but_the_hit():
    def made(**changed):
        return Document(**({"content": "x", "id": "1", "score": 0.5, "meta": {"a": 1}, "embedding": [1.0]} | changed))

    found = made()
    found.hit = Hit(3.2, "bm25", 1, "BM25Retriever")
    assert found == made()
    for change in (
        {"content": "y"}, {"id": "2"}, {"score": None}, {"meta": {}}, {"embedding": None}, {"embedding": [2.0]},
        {"content_type": "image"}, {"id_hash_keys": ["content"]},
    ):  # fmt: skip
        assert made(**change) != made()
    assert made() != "x"


def test_a_document_is_no_dictionary_key():
    with pytest.raises(TypeError):
        hash(Document("x"))


def test_documents_are_ordered_by_score():
    low, high = Document("a", score=0.1), Document("b", score=0.9)
    assert sorted([high, low], reverse=True) == [high, low]
    assert high > low
    with pytest.raises(TypeError, match="has none"):
        sorted([low, Document("c")])


def test_a_hit_is_frozen():
    with pytest.raises(AttributeError):
        Hit(1.0, "bm25", 1, "x").rank = 2


def test_a_dictionary_holds_all_fields_and_nothing_of_the_hit():
    document = Document("x", id="1", score=0.5, meta={"a": [1]}, embedding=[1.0])
    document.hit = Hit(1.0, "cosine", 1, "x")
    data = document.to_dict()
    assert set(data) == {"content", "content_type", "id", "score", "meta", "embedding", "id_hash_keys"}
    data["meta"]["a"].append(2)
    assert document.meta == {"a": [1]}


def test_a_document_survives_the_round_trip_through_a_dictionary_and_json():
    document = Document("x", score=0.5, meta={"a": [1, {"b": None}]}, embedding=[1.0, 2.5], id_hash_keys=["meta"])
    assert Document.from_dict(document.to_dict()) == document
    assert Document.from_json(document.to_json()) == document


def test_unknown_keys_go_into_the_metadata_and_the_dictionary_is_left_alone():
    data = {"content": "x", "meta": {"a": 1, "year": 0}, "year": 2020}
    before = copy.deepcopy(data)
    assert Document.from_dict(data).meta == {"a": 1, "year": 2020}
    assert data == before


def test_a_field_map_renames_both_ways():
    names = {"text": "content", "vector": "embedding"}
    document = Document.from_dict({"text": "x", "vector": [1.0], "id": "1"}, field_map=names)
    assert (document.content, document.meta) == ("x", {})
    data = document.to_dict(field_map=names)
    assert data["text"] == "x"
    assert "content" not in data
    assert Document.from_dict(data, field_map=names) == document
    assert Document.from_json(json.dumps({"text": "x", "id": "1"}), field_map=names).content == "x"


@pytest.mark.parametrize(
    ("data", "names", "message"),
    [
        ({"meta": {}}, None, "needs content; found meta"),
        ({"text": "a", "content": "b"}, {"text": "content"}, "both stand for 'content'"),
        ({"text": "a"}, {"text": "body"}, "'body', which is none of"),
        ("text", None, "made from a dictionary"),
    ],
)
def test_a_dictionary_that_is_no_document_is_refused(data, names, message):
    with pytest.raises(DocumentError, match=message):
        Document.from_dict(data, field_map=names)


def test_hash_keys_given_beside_a_dictionary_are_used_where_it_has_none():
    assert Document.from_dict({"content": "x"}, id_hash_keys=["content"]).id_hash_keys == ["content"]
    assert Document.from_dict({"content": "x", "id_hash_keys": ["meta"]}, id_hash_keys=["content"]).id_hash_keys == [
        "meta"
    ]


def test_numpy_numbers_and_dates_become_json():
    meta = {"n": np.int64(3), "f": np.float32(0.5), "d": dt.date(2024, 5, 6), "v": np.array([1, 2])}
    assert json.loads(Document("x", meta=meta).to_json())["meta"] == {"n": 3, "f": 0.5, "d": "2024-05-06", "v": [1, 2]}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object(), {(1, 2): 3}])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(DocumentError, match="cannot be written as JSON"):
        Document("x", meta={"a": value}).to_json()


@pytest.mark.parametrize("text", ["", "{", "[1]", "7", "[" * 100_000])
def test_text_that_is_no_json_object_is_refused(text):
    with pytest.raises(DocumentError):
        Document.from_json(text)


@pytest.mark.parametrize("name", SAMPLES)
def test_haystacks_own_sample_documents_load_and_round_trip(data_folder: Path, name: str):
    path = data_folder / "haystack_samples" / "schema" / name
    document = Document.from_json(path)
    assert document == Document.from_dict(json.loads(path.read_bytes()))
    assert json.loads(document.to_json()) == json.loads(path.read_bytes())


def test_documents_can_be_copied_and_pickled():
    document = Document("x", meta={"a": [1]}, embedding=[1.0])
    document.hit = Hit(1.0, "l2", 2, "x", paragraph=3)
    for twin in (document.copy(), copy.deepcopy(document), pickle.loads(pickle.dumps(document))):  # noqa: S301 - its own bytes
        assert twin == document
        assert twin.hit == document.hit


def test_a_copy_shares_nothing_that_can_be_changed():
    document = Document("x", meta={"a": [1, {"b": 2}]}, embedding=[1.0], id_hash_keys=["meta"])
    twin = document.copy()
    twin.meta["a"][1]["b"] = 3
    twin.meta["new"] = 4
    twin.embedding[0] = 5.0
    twin.id_hash_keys.append("content")
    assert document == Document("x", meta={"a": [1, {"b": 2}]}, embedding=[1.0], id_hash_keys=["meta"])


@given(st.dictionaries(st.text(), trees))
def test_metadata_is_copied_equal_in_both_ways(meta):
    meta["tuple"] = ([1],)
    for new in (copied(meta), copier(meta)()):
        assert new == meta
        new["tuple"][0].append(2)
        assert meta["tuple"] == ([1],)


@pytest.mark.parametrize("copying", [copied, copier])
def test_metadata_that_contains_itself_is_not_copied(copying):
    meta = {}
    meta["self"] = meta
    with pytest.raises(MetadataError, match="contains itself"):
        copying(meta)


def test_the_repr_is_one_short_line():
    assert repr(Document("a \n b", id="1")) == "Document('a b', id='1')"
    assert repr(Document("word " * 10**6, id="1", score=0.123456789)).endswith("…', id='1', score=0.123457)")
    assert len(repr(Document("word " * 10**6, id="1"))) < 100


def test_rich_is_shown_the_fields_that_are_set():
    fields = list(Document("x", id="1", embedding=np.ones(3, np.float32)).__rich_repr__())
    assert fields[:2] == ["x", ("id", "1")]
    assert ("embedding", "3 x float32", None) in fields


def test_a_notebook_is_shown_nothing_that_runs():
    evil = "<script>alert(1)</script>"
    html = Document(evil, id=evil, meta={evil: evil, "vector": np.ones(3), "empty": None})._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "empty" not in html
