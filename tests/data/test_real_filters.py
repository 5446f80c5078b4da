"""Filters over real collections: the same counts as a count made from the file."""

from __future__ import annotations

import pytest

from hayrick.retrievers.filter import FilterRetriever
from hayrick.stores.sqlite import SQLiteDocumentStore

MOVIES = {"year": {"$gte": 1990, "$lt": 2000}, "genres": ["Drama", "Comedy"]}
DEBIAN = {"section": ["python", "net"], "installed_size_kb": {"$gt": 1000}, "$not": {"priority": "optional"}}
TAGGED = {"tags": "role::program", "$or": {"installed_size_kb": {"$lt": 100}, "section": {"$contains": "game"}}}


def in_movies(meta):
    return 1990 <= meta["year"] < 2000 and {"Drama", "Comedy"} & set(meta["genres"])


def in_debian(meta):
    return meta["section"] in {"python", "net"} and meta["installed_size_kb"] > 1000 and meta["priority"] != "optional"


def tagged(meta):
    small = meta.get("installed_size_kb") is not None and meta["installed_size_kb"] < 100
    return "role::program" in (meta.get("tags") or []) and (small or "game" in meta["section"])


@pytest.mark.parametrize(
    ("name", "cases", "query"),
    [
        ("movies", [(MOVIES, in_movies)], "a soldier comes home from the war"),
        ("debian", [(DEBIAN, in_debian), (TAGGED, tagged)], "chess engine with a graphical interface"),
    ],
)
def test_counts_equal_the_file(read_collection, tmp_path, name, cases, query):
    documents = read_collection(name).documents
    with SQLiteDocumentStore(tmp_path / "store") as store:
        store.write_documents(documents)
        assert store.get_document_count() == len(documents)
        for filters, matches in cases:
            expected = {document.id for document in documents if matches(document.meta)}
            found = FilterRetriever(store).retrieve("", filters)
            assert {document.id for document in found} == expected
            assert store.count(filters) == len(expected)
            ranked = store.query(query, filters=filters, top_k=20)
            assert {document.id for document in ranked} <= expected
            # Exactly the best of the unfiltered ranking that match, with their scores.
            everything = store.query(query, top_k=len(documents))
            best = [(d.id, d.score) for d in everything if d.id in expected][:20]
            assert [(d.id, d.score) for d in ranked] == best
