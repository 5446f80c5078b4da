"""Reading the test data: corpora, queries, judgements."""

from __future__ import annotations

import csv
import gzip
import json

import pytest

from hayrick.schema import Document


class Collection:
    """One folder of the test data."""

    def __init__(self, folder):
        self.documents = documents(folder)
        self.queries = queries(folder) if (folder / "queries.jsonl").exists() else {}
        self.qrels = qrels(folder) if (folder / "qrels.tsv").exists() else {}


@pytest.fixture
def read_collection(data_folder):
    """From a collection's name to the collection."""
    return lambda name: Collection(data_folder / name)


def documents(folder):
    """The corpus of an IR folder: title and text as the content, the rest as metadata."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf8") as lines:
        return [_document(json.loads(line)) for line in lines]


def _document(line):
    return Document(f"{line['title']} {line['text']}", id=line["_id"], meta=line.get("metadata") or {})


def queries(folder):
    with (folder / "queries.jsonl").open(encoding="utf8") as lines:
        return {line["_id"]: line["text"] for line in map(json.loads, lines)}


def qrels(folder):
    """Binary judgements: query id -> document id -> 0 or 1."""
    judged = {}
    with (folder / "qrels.tsv").open(encoding="utf8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            judged.setdefault(line["query-id"], {})[line["corpus-id"]] = int(float(line["score"]) > 0)
    return judged
