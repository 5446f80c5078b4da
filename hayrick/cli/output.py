"""How every command speaks: errors, tables, JSON.

What goes in: results. What comes out: text for a terminal or a pipe. The invariant: what goes to standard output is the
result alone, and with ``--json`` it is one JSON value.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from hayrick.errors import HayrickError

if TYPE_CHECKING:
    from rich.console import Console

    from hayrick.schema import Document

FOUND: Final = 0
NOTHING: Final = 1
WRONG: Final = 2

_SNIPPET: Final = 160
_META_SHOWN: Final = 4


class Reporting(click.Group):
    """A group whose commands' errors become one line on standard error and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (HayrickError, NotImplementedError) as error:
            if ctx.obj and ctx.obj.get("debug"):
                raise
            click.secho(f"hayrick: {error}", fg="red", err=True)
            ctx.exit(WRONG)


def console(*, stderr: bool = False) -> Console:
    """A console that keeps to 100 columns where nobody says how wide the output is."""
    from rich.console import Console  # noqa: PLC0415 - not needed for JSON, and slow to load

    shown = Console(stderr=stderr, highlight=False)
    return shown if shown.is_terminal else Console(stderr=stderr, highlight=False, width=100)


def print_json(value: Any) -> None:
    """One JSON value; dates as ISO text, numpy numbers as numbers."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def as_dict(document: Document) -> dict[str, Any]:
    """A document as search results show it."""
    found = {"id": document.id, "score": document.score, "content": document.content, "meta": document.meta}
    return found if document.hit is None else {**found, "rank": document.hit.rank, "raw_score": document.hit.raw_score}


def snippet(content: object) -> str:
    """The beginning of a document in one line."""
    text = " ".join(str(content).split())
    return text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"


def documents_table(documents: Iterable[Document], fields: Sequence[str] | None = None) -> Any:
    """Documents as a table: score, id, beginning, and some metadata."""
    from rich.table import Table  # noqa: PLC0415 - see console
    from rich.text import Text  # noqa: PLC0415

    table = Table(show_lines=False, expand=True, pad_edge=False)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("id", overflow="fold", max_width=26)
    table.add_column("content", ratio=3)
    table.add_column("metadata", ratio=2, overflow="fold")
    for document in documents:
        score = "" if document.score is None else f"{document.score:.3f}"
        shown = list(document.meta) if fields is None else [field for field in fields if field in document.meta]
        meta = ", ".join(f"{field}={_short(document.meta[field])}" for field in shown[:_META_SHOWN])
        # Text, not str: content may hold what rich would read as markup.
        table.add_row(score, Text(document.id), Text(snippet(document.content)), Text(meta))
    return table


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"  # noqa: PLR2004 - half a column


def progress(items: Iterable[Any], what: str, total: int | None = None) -> Iterable[Any]:
    """The items, with a progress bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.progress import track  # noqa: PLC0415 - see console

    return track(items, what, total=total, console=console(stderr=True), transient=True)
