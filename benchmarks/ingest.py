"""Writing 60,000 Debian packages until they can be searched, and the sum of the raw engines' own work.

Raw: rows (id, content, metadata as JSON) into SQLite in one transaction, and the texts into Tantivy in one commit.
``--profile`` shows instead where hayrick's time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import sqlite3
import tempfile
from pathlib import Path

import tantivy
from corpora import debian, text
from measure import Comparison, compare, report

from hayrick import Document, SQLiteDocumentStore
from hayrick.stores.settings import TextSettings
from hayrick.stores.text.analysis import analyser


def run(folder: Path, packages: list[dict]) -> list[Comparison]:
    """Both ways, three rounds."""
    count = len(packages)
    texts = list(map(text, packages))
    documents = [Document(t, id=p["_id"], meta=p["metadata"]) for t, p in zip(texts, packages, strict=True)]
    made = iter(range(1_000))

    def ours() -> None:
        ingest(folder / f"store{next(made)}", documents)

    def raw() -> None:
        number = next(made)
        rows(folder / f"{number}.sqlite", packages, texts)
        index(folder / f"index{number}", texts)

    return [compare(f"ingest {count:,} documents / raw SQLite + raw Tantivy", ours, raw, count, rounds=3)]


def ingest(path: Path, documents: list[Document]) -> None:
    """Hayrick's way, until the first query has its answer."""
    with SQLiteDocumentStore(path, progress_bar=False) as store:
        store.write_documents(documents)
        store.query("hay")


def profile(path: Path, packages: list[dict]) -> None:
    """Print the functions that take hayrick's way the most time; the profiler itself slows small ones most."""
    documents = [Document(text(p), id=p["_id"], meta=p["metadata"]) for p in packages]
    profiler = cProfile.Profile()
    profiler.runcall(ingest, path, documents)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def rows(path: Path, packages: list[dict], texts: list[str]) -> None:
    """The raw table."""
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE d (row INTEGER PRIMARY KEY, id TEXT UNIQUE, content TEXT, meta TEXT)")
    metas = (json.dumps(package["metadata"]) for package in packages)
    named = zip((package["_id"] for package in packages), texts, metas, strict=True)
    with database:
        database.executemany("INSERT INTO d (id, content, meta) VALUES (?, ?, ?)", named)
    database.close()


def index(path: Path, texts: list[str]) -> None:
    """The raw keyword index, analysed alike."""
    path.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name="english")
    raw = tantivy.Index(builder.build(), path=str(path))
    raw.register_tokenizer("english", analyser(TextSettings()))
    writer = raw.writer(128_000_000, 2)
    for row, one in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("row", row)
        document.add_text("text", one)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=60_000)
    parser.add_argument("--profile", action="store_true", help="where hayrick's time goes, instead of a comparison")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    packages = debian(arguments.documents)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.profile:
            profile(Path(folder) / "store", packages)
        else:
            report(run(Path(folder), packages), as_json=arguments.json)


if __name__ == "__main__":
    main()
