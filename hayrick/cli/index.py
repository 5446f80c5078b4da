"""``hayrick index``: files into a store."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from hayrick.cli import output, sources

if TYPE_CHECKING:
    from hayrick.schema import Document

_BATCH: Final = 20_000


@click.command("index")
@click.argument("source", nargs=-1, required=True)
@click.option("--store", "path", required=True, help="The store's folder; made where it does not exist.")
@click.option("--index", "name", help="The index in the store; its default where not given.")
@click.option("--language", help="How text is analysed, for example en, de, zh; kept with the store.")
@click.option(
    "--search-field", "fields", multiple=True, help="What searches look in: content, title^2; kept with the store."
)
@click.option("--duplicates", type=click.Choice(["overwrite", "skip", "fail"]), default="overwrite", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(
    *, source: tuple[str, ...], path: str, name: str | None, language: str | None, fields: tuple[str, ...],
    duplicates: Any, as_json: bool,
) -> None:  # fmt: skip
    """Write files into a store.

    SOURCE is a file or folder: .txt .md .rst .html, .pdf (with pypdf), and records in .jsonl .json .csv (also .gz) with
    "content" or "text", "id" or "_id", everything else being metadata; or - for JSON Lines on standard input. In CSV,
    numbers and true/false are taken as such.
    """
    from hayrick.stores.sqlite import SQLiteDocumentStore  # noqa: PLC0415 - so that --help loads no engine

    start = time.perf_counter()
    read = (document for one in source for document in sources.read_documents(one))
    written = 0
    with SQLiteDocumentStore(path, **_text(language, fields)) as store:
        for batch in output.progress(_batches(read), "Indexing"):
            written += len(store.write_documents(batch, name, duplicate_documents=duplicates))
        count = 0
        if name is None or store.has_index(name):
            # A search now brings the keyword index up to date, so that nobody has to wait for it later.
            store.query("", index=name)
            count = store.get_document_count(index=name)
    _report(path, written, count, time.perf_counter() - start, as_json=as_json)


def _report(path: str, written: int, count: int, seconds: float, *, as_json: bool) -> None:
    if as_json:
        output.print_json({"store": path, "written": written, "documents": count, "seconds": round(seconds, 3)})
    else:
        rate = f"{written / seconds:,.0f} documents/s" if seconds else ""
        click.echo(f"{written:,} documents written to {path} in {seconds:.1f} s ({rate}); it holds {count:,}.")


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    while batch := list(itertools.islice(documents, _BATCH)):
        yield batch


def _text(language: str | None, fields: tuple[str, ...]) -> Any:
    """The text settings that were given, as a store's options."""
    from hayrick.stores.settings import TextSettings  # noqa: PLC0415 - see command

    given: dict[str, Any] = {"language": language} if language else {}
    if fields:
        given["search_fields"] = fields
    return {"text": TextSettings(**given)} if given else {}
