"""Labels and multi-labels."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from hayrick.errors import DocumentError
from hayrick.schema import Answer, Document, Label, MultiLabel, Span, TableCell

if TYPE_CHECKING:
    from pathlib import Path


def label(answer="yes", document="1", *, good=True, query="q", **fields):
    found = (
        None if answer is None else Answer(answer, offsets_in_document=[Span(0, 3)], offsets_in_context=[Span(1, 4)])
    )
    return Label(query, Document(f"text {document}", id=document), good, good, "gold-label", found, **fields)


def test_a_label_gets_an_id_and_a_time():
    one, other = label(), label()
    assert one.id != other.id
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", one.created_at)
    assert (one.updated_at, one.meta, one.filters) == (None, {}, None)


def test_none_counts_as_left_out():
    made = label(id=None, created_at=None, meta=None)
    assert made.id
    assert made.created_at
    assert made.meta == {}


@pytest.mark.parametrize(("text", "expected"), [("yes", False), ("", True), (" \n", True), (None, None)])
def test_no_answer_follows_from_the_answers_text(text, expected):
    assert label(text).no_answer is expected


@pytest.mark.parametrize(
    ("answer", "good_answer", "good_document", "expected"),
    [("a", True, True, True), ("a", False, True, False), ("a", True, False, False), (None, False, True, True)],
)
def test_a_label_without_an_answer_is_positive_by_its_document_alone(answer, good_answer, good_document, expected):
    made = label(answer)
    made.is_correct_answer, made.is_correct_document = good_answer, good_document
    assert made.is_positive is expected


def test_equality_and_hash_ignore_ids_times_metadata_and_filters():
    one = label(id="1", meta={"a": 1}, filters={"x": 1}, created_at="2020-01-01 00:00:00")
    other = label(id="2")
    assert one == other
    assert hash(one) == hash(other)
    assert label("no") != one
    assert label(document="2") != one
    assert one != "label"


@pytest.mark.parametrize(
    ("change", "message"),
    [({"origin": "me"}, "origin"), ({"document": {}}, "a Document"), ({"answer": "yes"}, "an Answer or None")],
)
def test_what_is_no_label_is_refused(change, message):
    fields = {"query": "q", "document": Document("x"), "is_correct_answer": True, "is_correct_document": True,
              "origin": "gold-label"}  # fmt: skip
    with pytest.raises(DocumentError, match=message):
        Label(**(fields | change))


@pytest.mark.parametrize("name", ["text_label.json", "table_label.json"])
def test_haystacks_own_sample_labels_load_and_round_trip(data_folder: Path, name: str):
    path = data_folder / "haystack_samples" / "schema" / name
    loaded = Label.from_json(path)
    offset = TableCell(1, 0) if "table" in name else Span(1, 3)
    assert loaded.answer.offsets_in_document == [offset]
    assert json.loads(loaded.to_json()) == json.loads(path.read_bytes())
    assert Label.from_dict(loaded.to_dict()) == loaded


def test_a_dictionary_of_the_time_before_v1_9_loads():
    assert Label.from_dict(label("").to_dict() | {"no_answer": True}).no_answer is True


def test_missing_and_unknown_keys_are_named():
    with pytest.raises(DocumentError, match="document, is_correct_answer"):
        Label.from_dict({"query": "q"})
    with pytest.raises(DocumentError, match="unknown colour"):
        Label.from_dict(label().to_dict() | {"colour": "red"})


def test_a_multilabel_keeps_the_order_and_drops_repeats():
    multi = MultiLabel([label("b", "2"), label("a", "1"), label("b", "2")])
    assert multi.answers == ["b", "a"]
    assert multi.document_ids == ["2", "1"]
    assert multi.contexts == ["text 2", "text 1"]
    assert len(multi) == 2


def test_no_answers_are_left_out_of_what_a_multilabel_gathers():
    multi = MultiLabel([label("a", "1"), label("", "2")])
    assert multi.no_answer is False
    assert (multi.answers, multi.document_ids) == (["a"], ["1"])
    assert multi.offsets_in_documents == [{"start": 0, "end": 3}]
    assert multi.offsets_in_contexts == [{"start": 1, "end": 4}]


def test_where_every_label_says_so_there_is_no_answer():
    multi = MultiLabel([label("", "1"), label(" ", "2")])
    assert multi.no_answer is True
    assert (multi.answers, multi.document_ids, multi.contexts) == ([""], [], [])
    assert multi.offsets_in_documents == multi.offsets_in_contexts == [{"start": 0, "end": 0}]


def test_labels_of_documents_alone_are_no_no_answers():
    multi = MultiLabel([label(None, "1")], drop_no_answers=True)
    assert (multi.no_answer, multi.answers, multi.document_ids) == (False, [], ["1"])


def test_negatives_and_no_answers_can_be_dropped():
    labels = [label("a", "1"), label("b", "2", good=False), label("", "3")]
    assert MultiLabel(labels, drop_negative_labels=True).answers == ["a"]
    assert len(MultiLabel(labels, drop_no_answers=True)) == 2
    assert len(MultiLabel(labels, drop_negative_labels=True, drop_no_answers=True)) == 1


@pytest.mark.parametrize(("labels", "message"), [([label(good=False)], "all 1 were dropped"), ([], "none is given")])
def test_an_empty_multilabel_is_refused_with_the_reason(labels, message):
    with pytest.raises(DocumentError, match=message):
        MultiLabel(labels, drop_negative_labels=True)


@pytest.mark.parametrize("other", [label(query="other"), label("b", filters={"a": 1})])
def test_labels_of_different_questions_do_not_gather(other):
    with pytest.raises(DocumentError, match="share one"):
        MultiLabel([label(), other])


def test_the_id_of_a_multilabel_is_that_of_its_query_and_filters():
    one = MultiLabel([label("a", filters={"a": 1, "b": 2})])
    other = MultiLabel([label("b", "2", filters={"b": 2, "a": 1})])
    assert one.id == other.id
    assert one.id != MultiLabel([label("a")]).id


def test_a_multilabel_round_trips():
    multi = MultiLabel([label("a"), label("b", "2", good=False)], drop_negative_labels=True)
    for twin in (MultiLabel.from_dict(multi.to_dict()), MultiLabel.from_json(multi.to_json())):
        assert twin == multi
        assert twin.drop_negative_labels is True
    assert repr(multi) == "MultiLabel('q', answers=['a'], labels=1)"
