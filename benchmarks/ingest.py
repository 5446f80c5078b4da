"""Writing 60,000 Debian packages until they can be searched, and the sum of the raw engines' own work.

Raw: rows (id, content, metadata as JSON) into SQLite in one transaction, and the texts into Tantivy in one commit.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from pathlib import Path

import tantivy
from bm25_query import debian
from measure import Comparison, compare, report

from hayrick import Document, SQLiteDocumentStore
from hayrick.stores.settings import TextSettings
from hayrick.stores.text.analysis import analyser


def run(folder: Path) -> list[Comparison]:
    """Both ways, three rounds."""
    packages = debian()
    count = len(packages)
    texts = [f"{package['title']} {package['text']}" for package in packages]
    documents = [Document(t, id=p["_id"], meta=p["metadata"]) for t, p in zip(texts, packages, strict=True)]
    made = iter(range(1_000))

    def ours() -> None:
        with SQLiteDocumentStore(folder / f"store{next(made)}") as store:
            store.write_documents(documents)
            store.query("hay")

    def raw() -> None:
        number = next(made)
        rows(folder / f"{number}.sqlite", packages, texts)
        index(folder / f"index{number}", texts)

    return [compare(f"ingest {count:,} documents / raw SQLite + raw Tantivy", ours, raw, count, rounds=3)]


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
    for row, text in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("row", row)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(run(Path(folder)), as_json=arguments.json)


if __name__ == "__main__":
    main()
