"""Every error that hayrick raises on purpose, in one tree; this module imports nothing.

    HayrickError
    ├── FilterError (ValueError)              a filter is not of the language; carries ``path``
    │   ├── FilterLimitError                  a filter past a stated limit
    │   └── UnsupportedFilterError            one engine cannot say it; carries ``engine``; the store falls back
    ├── DocumentError (ValueError)            a document, label or answer cannot be taken
    │   ├── MetadataError                     its metadata cannot be stored; carries ``path``
    │   └── EmbeddingError                    its embedding is not finite, of another dimension, or zero under cosine
    ├── QueryError (ValueError)               a query, ``top_k`` or another argument of a search is out of range
    ├── SettingsError (ValueError)            a store setting that does not exist or cannot be served
    ├── DocumentStoreError
    │   ├── DuplicateDocumentError            an id is taken and the policy is "fail"; carries ``ids``
    │   ├── DocumentNotFoundError (KeyError)  no document of an id that must exist; carries ``id``
    │   ├── IndexNotFoundError (KeyError)     a named index was never created; carries ``index``
    │   ├── StoreClosedError                  used after ``close()``
    │   ├── StoreForkedError                  used in a child process after ``fork()``
    │   ├── StoreLockedError                  another writer holds the store; carries ``holder``
    │   ├── ReadOnlyStoreError                a write on a store opened with ``read_only=True``
    │   ├── StorePathError                    the path cannot hold a store
    │   │   └── ForeignFileError              it holds something that is not hayrick's
    │   ├── StoreVersionError                 written by a newer hayrick; carries ``found``, ``supported``
    │   ├── DamagedStoreError                 the table of record cannot be read
    │   ├── StorageError (OSError)            the disk refused: full, failing, or not writable
    │   └── TextIndexError                    the keyword engine failed
    ├── HeadersNotSupportedError (NotImplementedError)   HTTP headers given to an in-process store
    ├── PatternError (ValueError)             a regular expression of the answer builder
    │   └── PatternTimeoutError (TimeoutError)
    └── MissingDependencyError (ImportError)  an extra is not installed; carries ``extra``

Where a builtin stands in brackets the error is one of those too, so that callers who never heard of hayrick
catch it as they would expect.
"""

from __future__ import annotations

#: How many ids a message names.
_SHOWN = 3


class HayrickError(Exception):
    """The root: catch it to catch everything that hayrick raises on purpose."""


class FilterError(HayrickError, ValueError):
    """A filter that is not of the language.

    Args:
        message: What is wrong and how to mend it, without the place.
        path: Where the fault lies, as one would write it in Python-like notation: ``filters.$or[1].year.$gtt``.
    """

    def __init__(self, message: str, path: str = "filters") -> None:
        super().__init__(f"{path}: {message}")
        self.message = message
        self.path = path


class FilterLimitError(FilterError):
    """A filter deeper, wider or longer than the language allows."""


class UnsupportedFilterError(FilterError):
    """One engine cannot say this filter; a store answers it with another engine.

    Args:
        engine: The engine's name.
        what: What it cannot say.
    """

    def __init__(self, engine: str, what: str) -> None:
        super().__init__(f"the {engine} engine cannot say {what}")
        self.engine = engine
        self.what = what


class DocumentError(HayrickError, ValueError):
    """A document, label or answer that cannot be taken as it is."""


class MetadataError(DocumentError):
    """Metadata that cannot be stored.

    Args:
        message: What is wrong and how to mend it.
        path: The dotted path of the value at fault, from ``meta``.
    """

    def __init__(self, message: str, path: str = "meta") -> None:
        super().__init__(f"{path}: {message}")
        self.message = message
        self.path = path


class EmbeddingError(DocumentError):
    """An embedding of the wrong shape, dimension or type, not finite, or zero where that has no direction."""


class QueryError(HayrickError, ValueError):
    """A query or one of its numbers (``top_k``, ``offset``...) that no search can serve."""


class SettingsError(HayrickError, ValueError):
    """A setting that does not exist, or that the engine cannot serve."""


class DocumentStoreError(HayrickError):
    """Anything that went wrong in a document store."""


class DuplicateDocumentError(DocumentStoreError):
    """Documents whose ids are taken, under ``duplicate_documents="fail"``; nothing was written.

    Args:
        ids: The ids that are taken, in the order given.
        index: The index's name.
    """

    def __init__(self, ids: list[str], index: str) -> None:
        more = len(ids) - _SHOWN
        shown = ", ".join(map(repr, ids[:_SHOWN])) + (f" and {more} more" if more > 0 else "")
        super().__init__(
            f"index {index!r} already holds (or the call repeats) {shown}; nothing was written. "
            f"Pass duplicate_documents='skip' or 'overwrite' to allow it"
        )
        self.ids = ids
        self.index = index


class DocumentNotFoundError(DocumentStoreError, KeyError):
    """No document of an id that must exist.

    Args:
        id: The id asked for.
        index: The index's name.
    """

    def __init__(self, id: str, index: str) -> None:
        super().__init__(f"index {index!r} holds no document {id!r:.80}")
        self.id = id
        self.index = index

    def __str__(self) -> str:
        # KeyError shows the repr of its argument; this error carries a sentence.
        return str(self.args[0])


class IndexNotFoundError(DocumentStoreError, KeyError):
    """A named index that was never created.

    Args:
        index: The name asked for.
        known: The names that exist.
    """

    def __init__(self, index: str, known: list[str]) -> None:
        super().__init__(f"no index named {index!r}; this store has {', '.join(map(repr, known))}")
        self.index = index
        self.known = known

    def __str__(self) -> str:
        # KeyError shows the repr of its argument; this error carries a sentence.
        return str(self.args[0])


class StoreClosedError(DocumentStoreError):
    """A store used after ``close()``."""


class StoreForkedError(DocumentStoreError):
    """A store opened before ``fork()`` and used in the child: open one there instead."""


class StoreLockedError(DocumentStoreError):
    """Another process is writing and did not finish in time.

    Args:
        message: What was waited for, and how long.
        holder: What the lock file says of the process that holds it.
    """

    def __init__(self, message: str, holder: str) -> None:
        super().__init__(f"{message}; held by {holder}")
        self.holder = holder


class ReadOnlyStoreError(DocumentStoreError):
    """A write on a store that was opened with ``read_only=True``."""


class StorePathError(DocumentStoreError):
    """A path that cannot hold, or does not hold, a store."""


class ForeignFileError(StorePathError):
    """A path that holds something which hayrick did not write; it is left as it is."""


class StoreVersionError(DocumentStoreError):
    """A store written by a newer hayrick.

    Args:
        found: The format version in the file.
        supported: The newest format version that this hayrick reads.
    """

    def __init__(self, found: int, supported: int) -> None:
        super().__init__(
            f"the store has format {found}, this hayrick reads up to {supported}; upgrade hayrick to open it"
        )
        self.found = found
        self.supported = supported


class DamagedStoreError(DocumentStoreError):
    """The table of record cannot be read; nothing was changed."""


class StorageError(DocumentStoreError, OSError):
    """The disk refused a read or a write; what was acknowledged before still stands."""


class TextIndexError(DocumentStoreError):
    """The keyword engine failed in a way that a rebuild did not mend."""


class HeadersNotSupportedError(HayrickError, NotImplementedError):
    """HTTP headers given to a store that makes no requests."""

    def __init__(self) -> None:
        super().__init__("this store runs in process and sends no requests, so it takes no headers; leave them out")


class PatternError(HayrickError, ValueError):
    """A regular expression that does not compile or has more than one capture group."""


class PatternTimeoutError(PatternError, TimeoutError):
    """A regular expression that ran past its time limit on the text it was given."""


class MissingDependencyError(HayrickError, ImportError):
    """A package that an extra brings is not installed.

    Args:
        package: What could not be imported.
        extra: The extra that brings it.
        what: What it is wanted for.
    """

    def __init__(self, package: str, extra: str, what: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'hayrick[{extra}]'")
        self.package = package
        self.extra = extra
