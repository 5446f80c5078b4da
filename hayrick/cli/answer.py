"""``hayrick answer``: a reply and the documents it cites, as an answer with references."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hayrick.cli import output
from hayrick.cli.search import FILTER_HELP
from hayrick.cli.shorthand import parse_filters
from hayrick.errors import QueryError

if TYPE_CHECKING:
    from rich.console import Console

    from hayrick.schema import Document, GeneratedAnswer

_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]*\s*")
_QUOTED: Final = 3


@click.command("answer")
@click.argument("query")
@click.option("--store", "path", required=True, help="The store's folder.")
@click.option("--reply", help="What a model replied, citing documents as [1], [2, 3].")
@click.option("--reply-file", help="A file with the reply; - for standard input.")
@click.option("--pattern", help="A regular expression that finds the answer in the reply.")
@click.option("--reference-pattern", default="acm", show_default=True, help="How the reply cites documents.")
@click.option("--filter", "-f", "words", multiple=True, help=FILTER_HELP)
@click.option("--top-k", "-k", default=5, show_default=True, help="How many documents the answer may cite.")
@click.option("--index", "name", help="The index in the store; its default where not given.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def command(
    *, query: str, path: str, reply: str | None, reply_file: str | None, pattern: str | None, reference_pattern: str,
    words: tuple[str, ...], top_k: int, name: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Find documents for QUERY and build an answer with references to them.

    The reply comes from whatever model you run; its [1] is the first document that `hayrick search QUERY` finds.
    Without a reply the answer is made of quotations from the best documents.
    """
    from hayrick.answers.builder import DeepsetAnswerBuilder  # noqa: PLC0415 - so that --help loads no engine
    from hayrick.stores.registry import open_store  # noqa: PLC0415

    builder = DeepsetAnswerBuilder(pattern, reference_pattern)
    given = _given_reply(reply, reply_file)
    with open_store(path) as store:
        documents = store.query(query, parse_filters(words), top_k, index=name)
    if not documents:
        click.echo("no documents found", err=True)
        raise SystemExit(output.NOTHING)
    replies = [quotations(query, documents) if given is None else given]
    (found,) = builder.run(query, replies, documents=documents)["answers"]
    if as_json:
        output.print_json({"quoted": given is None, **found.to_dict()})
        return
    if given is None:
        click.echo("(no reply given: the answer quotes the best documents)\n")
    show(found, output.console())


def quotations(query: str, documents: list[Document]) -> str:
    """An extractive reply: from each of the best documents the sentence with most of the query's words, cited."""
    wanted = set(re.findall(r"\w+", query.lower()))
    quoted = []
    for number, document in enumerate(documents[:_QUOTED], 1):
        sentences = [" ".join(sentence.split()) for sentence in _SENTENCE.findall(str(document.content))]
        best = max(filter(None, sentences), key=lambda s: len(wanted & set(re.findall(r"\w+", s.lower()))), default="")
        # A quotation's own brackets are no citations of ours.
        quoted.append(f'"{best.replace("[", "(").replace("]", ")")}" [{number}].')
    return " ".join(quoted)


def show(answer: GeneratedAnswer, shown: Console) -> None:
    """The answer's text with its citations in bold, and below it the documents that it cites."""
    from rich.text import Text  # noqa: PLC0415 - not needed for JSON

    text, references = Text(answer.data), answer.meta["_references"]
    for reference in references:
        if reference["answer_start_idx"] is not None:
            text.stylize("bold cyan", reference["answer_start_idx"], reference["answer_end_idx"])
    shown.print(text)
    for position in dict.fromkeys(reference["document_position"] for reference in references):
        shown.print(Text(f"\n[{position}] ", style="bold cyan") + Text(_cited(answer, position)))


def _cited(answer: GeneratedAnswer, position: int) -> str:
    reference: dict[str, Any] = next(r for r in answer.meta["_references"] if r["document_position"] == position)
    document = next(d for d in answer.documents if d.id == reference["document_id"])
    return f"{document.id} (score {reference['score']:.3f})\n    {output.snippet(document.content)}"


def _given_reply(reply: str | None, reply_file: str | None) -> str | None:
    if reply is not None and reply_file is not None:
        raise QueryError("give --reply or --reply-file, not both")
    if reply_file is None:
        return reply
    try:
        return sys.stdin.read() if reply_file == "-" else Path(reply_file).read_text(encoding="utf8")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read the reply in {reply_file}: {error}") from error
