"""Haystack v1's stores, retrievers and answers in one process, with no servers.

Every public name can be imported from here. Each is loaded from its own module when it is first asked for, so that
``import hayrick`` loads no engine and costs next to nothing.
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hayrick.answers.builder import DeepsetAnswerBuilder
    from hayrick.errors import (
        DamagedStoreError,
        DocumentError,
        DocumentNotFoundError,
        DocumentStoreError,
        DuplicateDocumentError,
        EmbeddingError,
        FilterError,
        FilterLimitError,
        ForeignFileError,
        HayrickError,
        HeadersNotSupportedError,
        IndexNotFoundError,
        MetadataError,
        MissingDependencyError,
        PatternError,
        PatternTimeoutError,
        QueryError,
        ReadOnlyStoreError,
        SettingsError,
        StorageError,
        StoreClosedError,
        StoreForkedError,
        StoreLockedError,
        StorePathError,
        StoreVersionError,
        TextIndexError,
        UnsupportedFilterError,
    )
    from hayrick.retrievers.bm25 import BM25Retriever
    from hayrick.retrievers.filter import FilterRetriever
    from hayrick.schema import Answer, Document, GeneratedAnswer, Hit, Label, MultiLabel, Span
    from hayrick.stores.base import DocumentStore
    from hayrick.stores.memory import InMemoryDocumentStore
    from hayrick.stores.registry import open_store
    from hayrick.stores.settings import TextSettings
    from hayrick.stores.sqlite import SQLiteDocumentStore

__version__ = "0.1.0"

# Type checkers and linters read only a plain list; tests/test_public.py holds it, the imports above and `_HOMES` equal.
__all__ = [
    "Answer",
    "BM25Retriever",
    "DamagedStoreError",
    "DeepsetAnswerBuilder",
    "Document",
    "DocumentError",
    "DocumentNotFoundError",
    "DocumentStore",
    "DocumentStoreError",
    "DuplicateDocumentError",
    "EmbeddingError",
    "FilterError",
    "FilterLimitError",
    "FilterRetriever",
    "ForeignFileError",
    "GeneratedAnswer",
    "HayrickError",
    "HeadersNotSupportedError",
    "Hit",
    "InMemoryDocumentStore",
    "IndexNotFoundError",
    "Label",
    "MetadataError",
    "MissingDependencyError",
    "MultiLabel",
    "PatternError",
    "PatternTimeoutError",
    "QueryError",
    "ReadOnlyStoreError",
    "SQLiteDocumentStore",
    "SettingsError",
    "Span",
    "StorageError",
    "StoreClosedError",
    "StoreForkedError",
    "StoreLockedError",
    "StorePathError",
    "StoreVersionError",
    "TextIndexError",
    "TextSettings",
    "UnsupportedFilterError",
    "__version__",
    "open_store",
]

#: Public name -> the module it is loaded from.
_HOMES: Final[dict[str, str]] = {
    "Answer": "hayrick.schema",
    "BM25Retriever": "hayrick.retrievers.bm25",
    "DeepsetAnswerBuilder": "hayrick.answers.builder",
    "Document": "hayrick.schema",
    "DocumentStore": "hayrick.stores.base",
    "FilterRetriever": "hayrick.retrievers.filter",
    "GeneratedAnswer": "hayrick.schema",
    "Hit": "hayrick.schema",
    "InMemoryDocumentStore": "hayrick.stores.memory",
    "Label": "hayrick.schema",
    "MultiLabel": "hayrick.schema",
    "SQLiteDocumentStore": "hayrick.stores.sqlite",
    "Span": "hayrick.schema",
    "TextSettings": "hayrick.stores.settings",
    "open_store": "hayrick.stores.registry",
    **{name: "hayrick.errors" for name in __all__ if name.endswith("Error")},
}

# A library stays silent until the application asks; without this, warnings would land on stderr.
logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    """Load a public name on first use, and keep it so that the next use costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
