"""Rows of a table -> a pandas DataFrame, where pandas is installed; the one module that imports it.

What goes in: rows, header first. What comes out: a DataFrame, or the rows themselves where there is no pandas. The
invariant: only a table that was written as a DataFrame comes here, so pandas is never loaded for anyone else.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


def data_frame(rows: list[list[Any]]) -> Any:
    """A DataFrame of the rows, or the rows where pandas is not installed."""
    if importlib.util.find_spec("pandas") is None or not rows:
        return rows
    return importlib.import_module("pandas").DataFrame(rows[1:], columns=rows[0])
