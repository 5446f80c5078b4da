"""BM25 top 10 with whole documents from a store on disk, and tantivy-py's addresses alone from the same index.

60,000 Debian packages; queries of three to five words out of their titles. The raw way builds the same query over the
same analysed terms and stops at the addresses. Then the same under filters of several selectivities, against no
filter.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from pathlib import Path

from measure import Comparison, compare, data_folder, report

from hayrick import Document, SQLiteDocumentStore
from hayrick.stores.text.protocol import TextQuery

DOCUMENTS = 60_000
QUERIES = 300
FILTERS = {
    "7 % (section python)": {"section": "python"},
    "1 % (over 100 MB)": {"installed_size_kb": {"$gt": 100_000}},
    "0.02 % (section zope)": {"section": "zope"},
}


def debian() -> list[dict]:
    """The packages."""
    with gzip.open(data_folder() / "debian" / "corpus.jsonl.gz", "rt", encoding="utf8") as lines:
        return [json.loads(line) for _, line in zip(range(DOCUMENTS), lines)]  # noqa: B905 - the shorter ends it


def queries(packages: list[dict]) -> list[str]:
    """Three to five words from titles, spread over the packages."""
    titles = [package["title"].split() for package in packages[:: len(packages) // (QUERIES * 2)]]
    return [" ".join(words[:5]) for words in titles if len(words) >= 3][:QUERIES]


def run(folder: Path) -> list[Comparison]:
    """Index, check, compare."""
    packages = debian()
    asked = queries(packages)
    with SQLiteDocumentStore(folder / "store") as store:
        store.write_documents(
            [Document(f"{p['title']} {p['text']}", id=p["_id"], meta=p["metadata"]) for p in packages]
        )
        del packages
        store.query("")
        index = store._text(store._state(None)).at(store._state(None)).base

        def raw() -> None:
            for query in asked:
                index._searcher.search(index._compiled(TextQuery(query)), 10, count=False)

        def ours() -> None:
            for query in asked:
                store.query(query)

        check(store, index, asked)
        results = [compare("BM25 top 10: whole documents / addresses alone", ours, raw, len(asked))]
        for name, filters in FILTERS.items():
            check_filter(store, asked[:20], filters)
            filtered = lambda f=filters: [store.query(query, filters=f) for query in asked]  # noqa: E731
            results.append(compare(f"BM25 top 10 filtered to {name} / not filtered", filtered, ours, len(asked)))
    return results


def check(store: SQLiteDocumentStore, index: object, asked: list[str]) -> None:
    """The store's scores are the engine's."""
    for query in asked[:50]:
        hits = index._searcher.search(index._compiled(TextQuery(query)), 10, count=False).hits
        scores = [document.hit.raw_score for document in store.query(query)]
        if [round(score, 4) for score, _ in hits] != [round(score, 4) for score in scores]:
            raise SystemExit(f"wrong: other scores for {query!r}")


def check_filter(store: SQLiteDocumentStore, asked: list[str], filters: dict) -> None:
    """A filtered search is the unfiltered one without what does not match."""
    matching = {document.id for document in store.get_all_documents(filters=filters)}
    for query in asked:
        everything = [document.score for document in store.query(query, top_k=DOCUMENTS) if document.id in matching]
        if [document.score for document in store.query(query, filters=filters)] != everything[:10]:
            raise SystemExit(f"wrong: another filtered result for {query!r}")


def main() -> None:
    """Print each pair of figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(run(Path(folder)), as_json=arguments.json)


if __name__ == "__main__":
    main()
