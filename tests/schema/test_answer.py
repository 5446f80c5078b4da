"""Answers, their offsets, and generated answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hayrick.errors import DocumentError
from hayrick.schema import Answer, Document, GeneratedAnswer, Span, TableCell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("inside", [5, 14, 10.5, "10", Span(5, 14), Span(10, 11)])
def test_a_span_holds_its_left_edge(inside):
    assert inside in Span(5, 15)


@pytest.mark.parametrize("outside", [4, 15, Span(10, 15), Span(5, 15), Span(0, 10), Span(10, 20)])
def test_a_span_leaves_out_its_right_edge(outside):
    assert outside not in Span(5, 15)


def test_a_span_holds_nothing_but_numbers_and_spans():
    with pytest.raises(ValueError, match="numbers and spans"):
        assert "hello" in Span(5, 15)


@pytest.mark.parametrize("name", ["text_answer.json", "table_answer.json"])
def test_haystacks_own_sample_answers_load_and_round_trip(data_folder: Path, name: str):
    path = data_folder / "haystack_samples" / "schema" / name
    answer = Answer.from_json(path)
    offset = TableCell(1, 0) if "table" in name else Span(1, 10)
    assert answer.offsets_in_document == [offset]
    assert json.loads(answer.to_json()) == json.loads(path.read_bytes())
    assert Answer.from_dict(answer.to_dict()) == answer


def test_the_single_document_id_of_older_versions_is_read():
    assert Answer.from_dict({"answer": "a", "document_id": "7"}).document_ids == ["7"]
    assert Answer.from_dict({"answer": "a", "document_id": None}).document_ids is None


def test_a_dataframe_as_context_equals_its_rows():
    pandas = pytest.importorskip("pandas", reason="pandas is optional")
    assert Answer("1", context=pandas.DataFrame([[1]], columns=["a"])) == Answer("1", context=[["a"], [1]])


def test_answers_are_ordered_by_score():
    assert Answer("a", score=0.1) < Answer("b", score=0.2)
    with pytest.raises(TypeError, match="has none"):
        sorted([Answer("a", score=0.1), Answer("b")])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"answer": "a", "type": "guess"}, "extractive, generative, other"),
        ({"type": "other"}, "answer missing"),
        ({"answer": "a", "colour": 1}, "unknown colour"),
        ({"answer": "a", "offsets_in_document": [{"start": 1}]}, "start and end, or row and col"),
        ({"answer": "a", "offsets_in_context": [3]}, "start and end, or row and col"),
    ],
)
def test_what_is_no_answer_is_refused(data, message):
    with pytest.raises(DocumentError, match=message):
        Answer.from_dict(data)


def generated():
    return GeneratedAnswer("Yes [1]", "Is it?", [Document("It is.", id="1", meta={"a": [1]})], {"model": {"name": "m"}})


def test_a_generated_answer_round_trips():
    answer = generated()
    assert GeneratedAnswer.from_dict(answer.to_dict()) == answer
    assert GeneratedAnswer.from_json(answer.to_json()) == answer


def test_the_dictionary_of_a_generated_answer_shares_nothing_with_it():
    answer = generated()
    data = answer.to_dict()
    data["meta"]["model"]["name"] = "other"
    data["documents"][0]["meta"]["a"].append(2)
    assert answer == generated()


@pytest.mark.parametrize("data", [{"data": "a", "query": "b"}, {**generated().to_dict(), "more": 1}, []])
def test_what_is_no_generated_answer_is_refused(data):
    with pytest.raises(DocumentError, match="a generated answer"):
        GeneratedAnswer.from_dict(data)


def test_a_generated_answer_is_shown_in_short_and_inert():
    answer = generated()
    assert repr(answer) == "GeneratedAnswer('Yes [1]', query='Is it?', 1 document)"
    assert list(answer.__rich_repr__())[:2] == ["Yes [1]", ("query", "Is it?")]
    answer.data = answer.query = answer.documents[0].content = "<script>"
    html = answer._repr_html_()
    assert "<script>" not in html
    assert html.count("&lt;script&gt;") == 3
