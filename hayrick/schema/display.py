"""The short forms that terminals and notebooks show.

What goes in: text, rows, metadata. What comes out: one line of text, or HTML in which everything from outside is
escaped. The invariant: however large or hostile a document, its display is short and inert.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from hayrick.schema.tables import table_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Characters of text, and rows of a table, that a display shows.
LINE, PARAGRAPH, ROWS = 60, 600, 8


def shorten(value: object, width: int = LINE) -> str:
    """``value`` on one line of at most ``width`` characters, cut with an ellipsis."""
    # Only the head is looked at, so that a document of 100 MB prints as fast as a short one.
    text = " ".join(str(value)[: 4 * width].split())
    return text if len(text) <= width else text[: width - 1] + "\N{HORIZONTAL ELLIPSIS}"


def summary(content: Any) -> str:
    """A document's content on one line: its text, or a table's size and header."""
    if isinstance(content, str):
        return shorten(content)
    head, count = table_head(content, 0)
    return shorten(f"{count} rows of {', '.join(map(str, head[0] if head else []))}")


def html_content(content: Any) -> str:
    """A document's content as an HTML paragraph or table."""
    if isinstance(content, str):
        return html_text(content)
    return _html_table(content)


def html_text(text: str) -> str:
    """Text as an HTML paragraph."""
    cut = "&hellip;" if len(text) > PARAGRAPH else ""
    return f"<p style='white-space:pre-wrap'>{escape(text[:PARAGRAPH])}{cut}</p>"


def html_fields(fields: Mapping[str, Any]) -> str:
    """Named values as one small line of HTML, those that are None or empty text left out."""
    shown = (f"<b>{escape(shorten(k))}</b> {escape(shorten(v))}" for k, v in fields.items() if str(v) and v is not None)
    return f"<small>{' &middot; '.join(shown)}</small>"


def html_box(*parts: str) -> str:
    """Pieces of HTML in one framed block."""
    return f"<div style='border-left:3px solid #c9a227;padding-left:.8em'>{''.join(parts)}</div>"


def _html_table(content: Any) -> str:
    rows, count = table_head(content, ROWS)
    tail = f"<small>and {count - ROWS} more rows</small>" if count > ROWS else ""
    head = _html_row(rows[0], "th") if rows else ""
    return f"<table>{head}{''.join(_html_row(row, 'td') for row in rows[1:])}</table>{tail}"


def _html_row(cells: Sequence[Any], tag: str) -> str:
    shown = ("" if cell is None else escape(shorten(cell)) for cell in cells)
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in shown)}</tr>"
