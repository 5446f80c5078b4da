"""Tables as plain rows.

What goes in: a list of rows, header first, or a pandas DataFrame. What comes out: a list of lists whose cells JSON can
hold. The invariant: a DataFrame and the rows it was made from give the same rows, so they are equal, have the same id
and are stored alike. pandas is never imported: a DataFrame can only arrive from a caller who has.
"""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np

from hayrick.errors import DocumentError

Rows = list[list[Any]]


class Frame(Protocol):
    """As much of a pandas DataFrame as hayrick uses."""

    @property
    def columns(self) -> Iterable[Any]:
        """The header."""

    def itertuples(self, index: bool, name: str | None) -> Iterable[tuple[Any, ...]]:
        """The rows, one tuple each."""

    def head(self, n: int) -> Frame:
        """The first ``n`` rows."""

    def copy(self) -> Frame:
        """An independent copy."""

    def __len__(self) -> int:
        """The number of rows, the header not counted."""


def is_frame(value: object) -> TypeGuard[Frame]:
    """Whether ``value`` is a pandas DataFrame; the one place that asks."""
    frame = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return frame is not None and isinstance(value, frame)


def is_table(value: object) -> TypeGuard[Frame | Sequence[Sequence[Any]]]:
    """Whether ``value`` is a DataFrame, or a list (or tuple) of such rows."""
    if isinstance(value, list | tuple):
        return all(isinstance(row, list | tuple) for row in value)
    return is_frame(value)


def table_rows(content: object) -> Rows:
    """A table as new lists of plain cells, header first.

    numpy scalars become Python's, NaN, NaT and NA become None, dates and timestamps their ISO string; anything that
    JSON does not know becomes its ``str``. A DataFrame's index is not part of the table.

    Args:
        content: A list of rows, or a DataFrame.

    Raises:
        DocumentError: It is neither, or a row is not a list.
    """
    if is_frame(content):
        return [_row(content.columns), *map(_row, content.itertuples(index=False, name=None))]
    if isinstance(content, list | tuple) and is_table(content):
        return [_row(row) for row in content]  # type: ignore[union-attr]  # a list, being no frame
    raise DocumentError(f"a table is a list of rows, each a list, or a pandas DataFrame; found {content!r:.60}")


def table_head(content: Frame | Sequence[Sequence[Any]], rows: int) -> tuple[Rows, int]:
    """The header and the first ``rows`` rows as `table_rows` gives them, and how many rows there are in all."""
    if is_frame(content):
        return table_rows(content.head(rows)), len(content)
    return table_rows(content[: rows + 1]), max(len(content) - 1, 0)  # type: ignore[index]  # a list, being no frame


def copied_table(content: Any) -> Any:
    """An independent copy of a table, in the form it came in."""
    return content.copy() if is_frame(content) else [list(row) for row in content]


def _row(cells: Iterable[Any]) -> list[Any]:
    return [cell if cell.__class__ in _AS_THEY_ARE else _cell(cell) for cell in cells]


_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def _cell(value: Any) -> Any:
    if isinstance(value, np.datetime64):  # nanoseconds would turn into a bare integer
        value = value.astype("datetime64[us]")
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value.__class__ in _AS_THEY_ARE:
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, list | tuple):
        return _row(value)
    if isinstance(value, Mapping):
        return {str(key): _cell(member) for key, member in value.items()}
    return _missing_or_text(value)


def _missing_or_text(value: Any) -> str | None:
    pandas = sys.modules.get("pandas")
    if pandas is not None and (value is pandas.NA or value is pandas.NaT):
        return None
    return str(value.isoformat()) if isinstance(value, dt.date | dt.time) else str(value)
