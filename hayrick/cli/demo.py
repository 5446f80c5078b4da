"""``hayrick demo``: the main job, on real input that every machine with Python has."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from hayrick.cli import output, stdlib_corpus
from hayrick.cli.answer import quotations, show

if TYPE_CHECKING:
    from rich.console import Console

    from hayrick.schema import Document
    from hayrick.stores.base import DocumentStore

T = TypeVar("T")

_QUERY: Final = "parse a date from a string"
_FILTER: Final[dict[str, Any]] = {
    "public": True,
    "$or": [{"kind": ["function", "method"], "parameter_count": {"$gte": 1, "$lte": 3}}, {"kind": "topic"}],
    "$not": {"module": {"$contains": "email"}},
}
_LISTING: Final[dict[str, Any]] = {"deprecated": True, "public": True, "kind": ["function", "class"]}
_QUESTION: Final = "how do I copy a file with its metadata"
_TOP: Final = 5


@dataclass(frozen=True, slots=True)
class _Timed:
    """A result, and how long it took."""

    result: Any
    milliseconds: float


@click.command("demo")
@click.option("--store", "path", default="hayrick-demo", show_default=True, help="The folder of the store to make.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(*, path: str, as_json: bool) -> None:
    """Index the documentation of Python's standard library, then search it.

    Docstrings of modules, classes, functions and methods, and the topics of the language reference. A second run
    writes the same documents again. The store stays, for `hayrick search`.
    """
    from hayrick.stores.sqlite import SQLiteDocumentStore  # noqa: PLC0415 - so that --help loads no engine

    shown = output.console(stderr=as_json)
    with SQLiteDocumentStore(path) as store:
        shown.rule("[bold]1. Index the standard library's documentation")
        figures = _index(store, shown)
        steps = _searches(store, shown)
    _next(shown, path)
    if as_json:
        output.print_json({"store": path, **figures, "steps": steps})


def _index(store: DocumentStore, shown: Console) -> dict[str, Any]:
    read = _timed(lambda: list(output.progress(stdlib_corpus.stdlib_documents(), "Reading docstrings")))
    documents: list[Document] = read.result
    written = _timed(lambda: store.write_documents(documents))
    # The keyword index is built by the first search after a write.
    indexed = _timed(lambda: store.query(""))
    seconds = (written.milliseconds + indexed.milliseconds) / 1000
    count = store.get_document_count()
    kinds = store.get_metadata_values_by_key("kind")
    shown.print(f"{count:,} documents: " + ", ".join(f"{kind['count']:,} of kind {kind['value']}" for kind in kinds))
    shown.print(
        f"read in {read.milliseconds / 1000:.1f} s, written and indexed in {seconds:.1f} s "
        f"({len(documents) / seconds:,.0f} documents/s)"
    )
    if not stdlib_corpus.has_topics():
        shown.print("This Python comes without pydoc_data, so the language reference's topics are left out.")
    return {"documents": count, "read_s": read.milliseconds / 1000, "index_s": seconds}


def _searches(store: DocumentStore, shown: Console) -> list[dict[str, Any]]:
    shown.rule("[bold]2. Search by BM25")
    shown.print(f"query: {_QUERY!r}")
    plain = _timed(lambda: store.query(_QUERY, top_k=_TOP))
    _table(shown, plain, ["kind", "module", "parameters"])

    shown.rule("[bold]3. The same search under a nested filter")
    _show_filter(shown, _FILTER)
    store.count(_FILTER)
    filtered = _timed(lambda: store.query(_QUERY, filters=_FILTER, top_k=_TOP))
    _table(shown, filtered, ["kind", "module", "parameters"])

    shown.rule("[bold]4. A listing by filter alone")
    _show_filter(shown, _LISTING)
    listed = _timed(lambda: store.get_all_documents(filters=_LISTING, sort="module"))
    _table(shown, _Timed(listed.result[:_TOP], listed.milliseconds), ["kind", "module", "lines"], of=len(listed.result))

    shown.rule("[bold]5. An answer whose references point at the documents it cites")
    answered = _answer(store, shown)
    steps = {"search": plain, "filtered": filtered, "listing": listed, "answer": answered}
    return [
        {"step": step, "milliseconds": round(timed.milliseconds, 3), "documents": len(timed.result)}
        for step, timed in steps.items()
    ]


def _answer(store: DocumentStore, shown: Console) -> _Timed:
    from hayrick.answers.builder import DeepsetAnswerBuilder  # noqa: PLC0415 - see command

    builder = DeepsetAnswerBuilder(reference_pattern="acm")
    documents = store.query(_QUESTION, filters={"package": "shutil", "public": True}, top_k=3)
    reply = quotations(_QUESTION, documents)
    timed = _timed(lambda: builder.run(_QUESTION, [reply], documents=documents)["answers"])
    shown.print(f"question: {_QUESTION!r}")
    shown.print("(no model runs here: the reply quotes the best documents)\n")
    (answer,) = timed.result
    show(answer, shown)
    shown.print(f"\n{len(answer.meta['_references'])} references, {timed.milliseconds:.2f} ms to build the answer")
    return _Timed(documents, timed.milliseconds)


def _next(shown: Console, path: str) -> None:
    shown.rule("[bold]The store stays")
    shown.print(f"It lies in {Path(path).absolute()}. Try:\n", soft_wrap=True)
    for line in suggestions(path):
        shown.print(f"  {line}", soft_wrap=True, markup=False)


def suggestions(path: str) -> list[str]:
    """Commands that work on the store that the demonstration leaves."""
    return [
        f'hayrick search "read a csv file" --store {path}',
        f"hayrick search \"open a file\" --store {path} --filter 'kind in function,method and parameter_count<=2'",
        f"hayrick search --store {path} --filter 'deprecated=true' --filter 'public=true and lines<20' --json",
        f"hayrick doctor {path}",
    ]


def _timed(work: Callable[[], T]) -> _Timed:
    start = time.perf_counter()
    result = work()
    return _Timed(result, (time.perf_counter() - start) * 1000)


def _table(shown: Console, timed: _Timed, fields: Sequence[str], of: int | None = None) -> None:
    shown.print(output.documents_table(timed.result, fields))
    among = "" if of is None else f" of {of:,}"
    shown.print(f"{len(timed.result)} documents{among}, {timed.milliseconds:.2f} ms")


def _show_filter(shown: Console, filters: dict[str, Any]) -> None:
    shown.print(f"filter: {json.dumps(filters)}", markup=False)
