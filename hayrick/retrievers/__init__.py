"""Retrievers: Haystack v1's retrievers over hayrick's stores, one class a file."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hayrick.retrievers.base import BaseRetriever
    from hayrick.retrievers.bm25 import BM25Retriever
    from hayrick.retrievers.filter import FilterRetriever

_HOMES = {"BM25Retriever": "bm25", "BaseRetriever": "base", "FilterRetriever": "filter"}

__all__ = ["BM25Retriever", "BaseRetriever", "FilterRetriever"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
