"""Document stores: one table of record in SQL, and caches derived from it that answer searches.

The public names resolve lazily, so that ``import hayrick.stores`` loads no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hayrick.stores.base import DocumentStore
    from hayrick.stores.memory import InMemoryDocumentStore
    from hayrick.stores.registry import open_store
    from hayrick.stores.settings import TextSettings
    from hayrick.stores.sqlite import SQLiteDocumentStore

_HOMES = {
    "DocumentStore": "base",
    "InMemoryDocumentStore": "memory",
    "SQLiteDocumentStore": "sqlite",
    "TextSettings": "settings",
    "open_store": "registry",
}

__all__ = ["DocumentStore", "InMemoryDocumentStore", "SQLiteDocumentStore", "TextSettings", "open_store"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
