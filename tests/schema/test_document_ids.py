"""The rules of document ids."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayrick.errors import DocumentError, MetadataError
from hayrick.schema import Document
from hayrick.schema.identity import murmur_hex

#: Ids that Haystack 1.26.4 gave these texts.
VECTORS = {
    "hello": "5b1e906a48ae1d19cbd8a7b341bd9b02",
    ":hello": "25c366e7eb0812d529d4794330628c13",
    "Doc1": "2c9d2c2b7fdad176705bf1ed112771d8",
    "text1": "4f7944b21e062f189b8c19e9293c7602",
    ":text1": "8f654ec60ab5f89c92e3d8fc782ab35f",
    "": "00",
}
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
trees = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)
metadata = st.dictionaries(st.text(), trees, max_size=6)


def turned_round(value):
    """The same value with the keys of every dictionary in the opposite order."""
    if isinstance(value, dict):
        return {key: turned_round(value[key]) for key in reversed(value)}
    return [turned_round(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("text", "expected"), VECTORS.items())
def test_the_id_of_a_text_is_the_one_that_haystack_v1_gave_it(text, expected):
    assert murmur_hex(text) == expected
    assert Document(text).id == expected


def test_naming_the_content_gives_another_id_than_naming_nothing():
    assert Document("hello", id_hash_keys=["content"]).id == VECTORS[":hello"]


def test_an_id_given_wins_and_becomes_a_string():
    assert Document("hello", id=7, id_hash_keys=["content"]).id == "7"
    assert Document("hello", id=0).id == "0"


@pytest.mark.parametrize("nothing", [None, ""])
def test_no_id_and_an_empty_id_are_both_made_from_the_content(nothing):
    assert Document("hello", id=nothing).id == VECTORS["hello"]


def test_the_values_named_are_joined_with_colons():
    document = Document("hello", meta={"url": "x", "a.b": 3}, id_hash_keys=["content", "meta.url", "meta.a.b"])
    assert document.id == murmur_hex(":hello:x:3")


def test_every_field_named_counts():
    def made(**changed):
        fields = {"score": 0.5, "meta": {"a": 1}, "embedding": [1.0, 2.0]} | changed
        return Document("x", id_hash_keys=["content", "content_type", "score", "embedding", "meta"], **fields).id

    others = [made(score=0.6), made(meta={"a": 2}), made(embedding=[1.0, 2.5]), made(content_type="image")]
    assert len({made(), *others}) == 5
    assert made() == made()


def test_missing_metadata_keys_are_skipped_but_none_is_a_value():
    assert Document("hello", meta={"a": 1}, id_hash_keys=["meta.b", "meta.a"]).id == murmur_hex(":1")
    assert Document("hello", meta={"a": None}, id_hash_keys=["meta.a"]).id == murmur_hex(":None")


@pytest.mark.parametrize("keys", [["meta.nowhere"], []])
def test_keys_that_name_nothing_usable_are_refused(keys):
    with pytest.raises(DocumentError, match="none of id_hash_keys"):
        Document("hello", id_hash_keys=keys)


@pytest.mark.parametrize("keys", [["contents"], ["meta."], [3], ["content", "id"]])
def test_an_unknown_key_is_refused_even_when_an_id_is_given(keys):
    with pytest.raises(DocumentError, match=r"id_hash_keys: unknown .*meta\.<key>"):
        Document("hello", id="1", id_hash_keys=keys)


def test_a_string_instead_of_a_list_of_keys_is_refused():
    with pytest.raises(DocumentError, match=r"write \['meta'\]"):
        Document("hello", id_hash_keys="meta")


@given(metadata)
def test_the_order_of_keys_never_changes_an_id_at_any_depth(meta):
    keys = ["content", "meta"]
    assert (
        Document("x", meta=meta, id_hash_keys=keys).id == Document("x", meta=turned_round(meta), id_hash_keys=keys).id
    )


def test_metadata_with_sorted_keys_keeps_the_id_that_v1_gave_it():
    meta = {"a": [1, {"b": "c", "d": None}], "e": 1.5}
    assert Document("x", meta=meta, id_hash_keys=["meta"]).id == murmur_hex(f":{meta}")


def test_numpy_values_and_tuples_in_metadata_count_as_pythons_own():
    plain = Document("x", meta={"a": 1.5, "b": [1, 2]}, id_hash_keys=["meta"])
    fancy = Document("x", meta={"a": np.float64(1.5), "b": (1, np.int64(2))}, id_hash_keys=["meta"])
    assert plain.id == fancy.id


def test_a_set_in_metadata_has_no_order_to_make_an_id_from():
    with pytest.raises(MetadataError, match=r"meta\.tags: a set"):
        Document("x", meta={"tags": {"a"}}, id_hash_keys=["meta"])


def test_metadata_that_contains_itself_is_refused():
    meta = {}
    meta["self"] = meta
    with pytest.raises(MetadataError, match="contains itself"):
        Document("x", meta=meta, id_hash_keys=["meta"])


@pytest.mark.parametrize("keys", [None, ["content"]])
def test_half_a_surrogate_pair_makes_no_id(keys):
    with pytest.raises(DocumentError, match=r"lone surrogate \(U\+D800\)"):
        Document("a\ud800b", id_hash_keys=keys)


def test_a_given_id_needs_no_hash_so_any_text_is_taken():
    assert Document("a\ud800b", id="1").id == "1"


def test_every_number_of_an_embedding_counts():
    vector = np.zeros(5000, dtype=np.float32)
    other = vector.copy()
    other[2500] = 1
    keys = ["embedding"]
    assert Document("x", embedding=vector, id_hash_keys=keys).id != Document("x", embedding=other, id_hash_keys=keys).id


def test_equal_embeddings_give_equal_ids_whatever_their_precision():
    ids = {
        Document("x", embedding=np.array(values, dtype=kind), id_hash_keys=["embedding"]).id
        for values in ([0.0, 0.5], [-0.0, 0.5])
        for kind in (np.float16, np.float32, ">f8")
    }
    assert len(ids) == 1


def test_every_row_of_a_table_counts():
    rows = [["n"], *([number] for number in range(1000))]
    changed = [*rows[:500], ["other"], *rows[501:]]
    assert Document(rows, "table").id != Document(changed, "table").id


def test_a_tables_id_is_that_of_its_rows_as_json():
    rows = [["name", "age"], ["Zoë", 3]]
    assert Document(rows, "table").id == murmur_hex(json.dumps(rows, ensure_ascii=False))
