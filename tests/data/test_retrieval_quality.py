"""BM25 on judged collections: at least what Tantivy gives by itself."""

from __future__ import annotations

import gzip
import json

import pytest
import pytrec_eval

from hayrick.retrievers.bm25 import BM25Retriever
from hayrick.schema import Document
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.settings import TextSettings


def ndcg_at_10(collection):
    judged = collection.qrels
    asked = {name: text for name, text in collection.queries.items() if name in judged}
    with InMemoryDocumentStore() as store:
        store.write_documents(collection.documents)
        results = BM25Retriever(store, top_k=100, scale_score=False).retrieve_batch(list(asked.values()))
    run = {name: {hit.id: hit.score for hit in hits} for name, hits in zip(asked, results, strict=True)}
    measured = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(run)
    return sum(query["ndcg_cut_10"] for query in measured.values()) / len(measured)


@pytest.mark.parametrize(
    ("name", "floor"),
    [("scifact", 0.6818), ("cranfield", 0.3830), ("cacm", 0.4657), ("vaswani", 0.4334), ("adi", 0.4864)],
)
def test_ndcg_is_at_least_the_floor(read_collection, name, floor):
    assert ndcg_at_10(read_collection(name)) >= floor


@pytest.mark.parametrize(("language", "floor"), [("en", 0.9), ("de", 0.87), ("es", 0.87), ("zh", 0.9)])
def test_each_language_finds_the_paragraph_of_a_question(data_folder, language, floor):
    """Chinese has no spaces between words: without an analyser of its own nothing would be found."""
    with gzip.open(data_folder / "xquad" / f"xquad.{language}.json.gz", "rt", encoding="utf8") as file:
        paragraphs = [paragraph for article in json.load(file)["data"] for paragraph in article["paragraphs"]]
    documents = [Document(paragraph["context"]) for paragraph in paragraphs]
    asked = [(qa["question"], d.id) for p, d in zip(paragraphs, documents, strict=True) for qa in p["qas"]]
    with InMemoryDocumentStore(text=TextSettings(language=language)) as store:
        store.write_documents(documents)
        results = store.query_batch([question for question, _ in asked], top_k=1)
    right = sum(bool(hits) and hits[0].id == gold for hits, (_, gold) in zip(results, asked, strict=True))
    assert right / len(asked) >= floor
