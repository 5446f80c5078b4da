"""Public signatures are those of the documents that hayrick re-creates, argument by argument."""

from __future__ import annotations

import inspect

import pytest

from hayrick.answers.builder import DeepsetAnswerBuilder
from hayrick.retrievers.base import BaseRetriever
from hayrick.retrievers.bm25 import BM25Retriever
from hayrick.retrievers.filter import FilterRetriever

NONE = None
REQUIRED = inspect.Parameter.empty
RETRIEVE = {
    "query": REQUIRED, "filters": NONE, "top_k": NONE, "index": NONE, "headers": NONE, "scale_score": NONE,
}  # fmt: skip
RETRIEVE_BATCH = {
    "queries": REQUIRED, "filters": NONE, "top_k": NONE, "index": NONE, "headers": NONE, "batch_size": NONE,
    "scale_score": NONE,
}  # fmt: skip
SIGNATURES = [
    (BaseRetriever.retrieve, RETRIEVE),
    (BaseRetriever.timing, {"fn": REQUIRED, "attr_name": REQUIRED}),
    (BM25Retriever, {
        "document_store": REQUIRED, "top_k": 10, "all_terms_must_match": False, "custom_query": NONE,
        "scale_score": True,
    }),
    (BM25Retriever.retrieve, RETRIEVE),
    (BM25Retriever.retrieve_batch, RETRIEVE_BATCH),
    (FilterRetriever.retrieve, RETRIEVE),
    (DeepsetAnswerBuilder.run, {
        "query": REQUIRED, "replies": REQUIRED, "meta": NONE, "documents": NONE, "pattern": NONE,
        "reference_pattern": NONE, "prompt": NONE,
    }),
]  # fmt: skip


@pytest.mark.parametrize(("function", "expected"), SIGNATURES, ids=lambda value: getattr(value, "__qualname__", ""))
def test_signature(function, expected):
    parameters = inspect.signature(function).parameters.values()
    positional = {p.name: p.default for p in parameters if p.name != "self" and p.kind is p.POSITIONAL_OR_KEYWORD}
    assert positional == expected
    assert list(positional) == list(expected)


def test_the_answer_builder_begins_with_the_documented_arguments():
    parameters = list(inspect.signature(DeepsetAnswerBuilder).parameters.values())
    assert [(p.name, p.default) for p in parameters[:2]] == [("pattern", None), ("reference_pattern", None)]
