"""BM25 top 10 with whole documents from a store on disk, and tantivy-py's addresses alone from the same index.

60,000 Debian packages; queries of three to five words out of their titles. The raw way builds the same query over the
same analysed terms and stops at the addresses. Then the same under filters of several selectivities, against no
filter.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import tantivy
from corpora import debian, text, title_queries
from measure import Comparison, compare, report

from hayrick import Document, SQLiteDocumentStore
from hayrick.stores.settings import TextSettings
from hayrick.stores.text.analysis import analyser

DOCUMENTS = 60_000
QUERIES = 300
FILTERS = {
    "7 % (section python)": {"section": "python"},
    "1.6 % (section games)": {"section": "games"},
    "1 % (over 100 MB)": {"installed_size_kb": {"$gt": 100_000}},
    "0.1 % (section gnustep)": {"section": "gnustep"},
    "no document": {"section": "none"},
}


class Raw:
    """The store's own index through tantivy-py alone, as far as the addresses of the hits.

    Args:
        folder: Where the index lies.
    """

    def __init__(self, folder: Path) -> None:
        self.analyser = analyser(TextSettings())
        index = tantivy.Index.open(str(folder))
        index.register_tokenizer("hayrick", self.analyser)
        self.schema, self.searcher = index.schema, index.searcher()

    def hits(self, query: str) -> list[tuple[float, object]]:
        """Score and address of the ten best."""
        terms = Counter(self.analyser.analyze(query))
        clauses = [(tantivy.Occur.Should, self.term(term, count)) for term, count in terms.items()]
        return self.searcher.search(tantivy.Query.boolean_query(clauses), 10, count=False).hits

    def term(self, term: str, count: int) -> tantivy.Query:
        """One term, as often as the query says it."""
        found = tantivy.Query.term_query(self.schema, "text_0", term, index_option="freq")
        return found if count == 1 else tantivy.Query.boost_query(found, float(count))

    def rows(self, hits: list[tuple[float, object]]) -> list[int]:
        """The hits' row numbers: the best first, equal scores by row."""
        rows = self.searcher.fast_field_values("row", [address for _, address in hits])
        return [row for _, row in sorted(zip((-score for score, _ in hits), rows, strict=True))]


def run(folder: Path) -> list[Comparison]:
    """Index, check, compare."""
    packages = debian(DOCUMENTS)
    asked = title_queries(packages, QUERIES)
    with SQLiteDocumentStore(folder / "store") as store:
        store.write_documents([Document(text(p), id=p["_id"], meta=p["metadata"]) for p in packages])
        del packages
        store.query("")
        raw_index = Raw(folder / "store" / "text" / str(store._state(None).index_id))

        def raw() -> None:
            for query in asked:
                raw_index.hits(query)

        def ours() -> None:
            for query in asked:
                store.query(query)

        check(store, raw_index, asked)
        results = [compare("BM25 top 10: whole documents / addresses alone", ours, raw, len(asked))]
        for name, filters in FILTERS.items():
            check_filter(store, asked[:20], filters)
            filtered = lambda f=filters: [store.query(query, filters=f) for query in asked]  # noqa: E731
            results.append(compare(f"BM25 top 10 filtered to {name} / not filtered", filtered, ours, len(asked)))
    return results


def check(store: SQLiteDocumentStore, raw_index: Raw, asked: list[str]) -> None:
    """The store's documents and scores are the engine's."""
    state = store._state(None)
    for query in asked:
        found, hits = store.query(query), raw_index.hits(query)
        _, lines = store._table.fetch(state.index_id, raw_index.rows(hits))
        if [document.id for document in found] != [lines[row][0] for row in raw_index.rows(hits)]:
            raise SystemExit(f"wrong: other documents for {query!r}")
        if [round(document.hit.raw_score, 4) for document in found] != [round(score, 4) for score, _ in hits]:
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
