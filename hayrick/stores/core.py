"""What every part of a store shares: its table, its caches, its arguments, and how a search stays consistent.

What goes in: a folder, or None for memory, and the constructor's arguments. What comes out: a :class:`StoreCore`, to
which the mixins in ``writing``, ``reading`` and ``searching`` add the public methods. The invariant: an answer
belongs to one state of the index. Every fetch of documents brings the ``seq`` it was read at, and a search that used
an older one is done again.
"""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypedDict, TypeVar, Unpack

from hayrick import filters as language
from hayrick.errors import HeadersNotSupportedError, IndexNotFoundError, SettingsError, StorePathError
from hayrick.stores import folder as folders
from hayrick.stores.documents import records
from hayrick.stores.documents.database import Database
from hayrick.stores.documents.sql import SQLDocumentTable
from hayrick.stores.lock import WriteLock
from hayrick.stores.selection import Selection
from hayrick.stores.settings import StoreSettings, TextSettings
from hayrick.stores.text.cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from hayrick.filters import Filters
    from hayrick.schema import Document
    from hayrick.stores.columns.mask import RowMask
    from hayrick.stores.documents.edit import IndexState, Policy
    from hayrick.stores.folder import Folder

Similarity = Literal["dot_product", "cosine", "l2"]
T = TypeVar("T")

#: How often a search is done again because the index changed under it, before the newest state must do.
_RETRIES: Final = 20
_MAX_INDEX_BYTES: Final = 255


class StoreOptions(TypedDict, total=False):
    """The arguments that every store takes, by keyword; those of Haystack v1 keep its names and defaults.

    Attributes:
        index: The default index's name; it always exists. "document".
        similarity: How vectors are compared: "dot_product" (default), "cosine" or "l2". Kept with the store.
        embedding_dim: How many numbers an embedding has; 768. Kept with the store.
        embedding_field: Under which key a dictionary given to ``write_documents`` has its embedding; "embedding".
        return_embedding: Whether documents come with their embedding unless a call says otherwise; False.
        duplicate_documents: What a write does about an id that is stored: "overwrite" (default), "skip" or "fail".
        progress_bar: Show progress on a terminal for work that takes over a second; True.
        text: How text is analysed (default: English). Kept with the store; other settings rebuild the keyword index.
        read_only: Open an existing store without ever writing to it; False.
        lock_timeout: How many seconds a write waits for another writer; 10.
    """

    index: str
    similarity: Similarity
    embedding_dim: int
    embedding_field: str
    return_embedding: bool
    duplicate_documents: Policy
    progress_bar: bool
    text: TextSettings
    read_only: bool
    lock_timeout: float


class StoreCore:
    """A store without its public methods.

    Args:
        folder: Where it lies; None for memory.
        options: See :class:`StoreOptions`.

    Raises:
        SettingsError: An argument out of range, or other vector settings than the stored vectors have.
        StorePathError, DamagedStoreError, StoreVersionError, StorageError, StoreLockedError: It cannot be opened.
    """

    def __init__(self, folder: Folder | None, **options: Unpack[StoreOptions]) -> None:
        unknown = set(options) - StoreOptions.__annotations__.keys()
        if unknown:
            raise SettingsError(
                f"unknown argument {min(unknown)!r}; known are {', '.join(StoreOptions.__annotations__)}"
            )
        self.index = _checked_index(options.get("index", "document"))
        self.embedding_field = options.get("embedding_field", "embedding")
        self.return_embedding = options.get("return_embedding", False)
        self.duplicate_documents = checked_policy(options.get("duplicate_documents", "overwrite"))
        self.progress_bar = options.get("progress_bar", True)
        self.read_only = options.get("read_only", False)
        self._folder = folder
        self._lock = WriteLock(folder.lock if folder else None, options.get("lock_timeout", 10.0))
        self._database, self._table = self._opened(options)
        try:
            self._store_id, self._settings = self._reconciled(options)
        except BaseException:
            self._database.close()
            raise
        self._turn = threading.Lock()
        self._states: dict[str, IndexState] = {}
        self._texts: dict[int, TextCache] = {}
        self._selections: dict[int, Selection] = {}

    @property
    def path(self) -> Path | None:
        """The store's folder, or None in memory."""
        return self._folder.path if self._folder else None

    @property
    def similarity(self) -> str:
        """How vectors are compared."""
        return self._settings.similarity

    @property
    def embedding_dim(self) -> int:
        """How many numbers an embedding has."""
        return self._settings.embedding_dim

    @property
    def text_settings(self) -> TextSettings:
        """How text is analysed."""
        return self._settings.text

    def close(self) -> None:
        """Let go of files and memory; a closed store refuses every call but this one."""
        with self._turn:
            for cache in self._texts.values():
                cache.close()
            self._texts.clear()
            self._selections.clear()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path) if self.path else ''!r})"

    # -- opening -------------------------------------------------------------------------------------------------

    def _opened(self, options: StoreOptions) -> tuple[Database, SQLDocumentTable]:
        if self._folder is not None and not self.read_only:
            folders.make(self._folder)
        if self.read_only and (self._folder is None or not self._folder.holds_store()):
            raise StorePathError(f"no store at {self.path or 'memory'} to open with read_only=True")
        path = self._folder.table if self._folder else None
        database = Database(path, create=not self.read_only, read_only=self.read_only, write_lock=self._lock.held)
        table = SQLDocumentTable(database)
        try:
            if database.is_blank():
                table.create(_given(StoreSettings(), options), self.index)
        except BaseException:
            database.close()
            raise
        return database, table

    def _reconciled(self, options: StoreOptions) -> tuple[str, StoreSettings]:
        """The store's id and settings after what this call gave; what is kept with the store is written down."""
        store_id, kept = self._table.identity()
        wanted = _given(kept, options)
        vectors_differ = (wanted.similarity, wanted.embedding_dim) != (kept.similarity, kept.embedding_dim)
        if vectors_differ and any(self._table.embedded(index.index_id) for index in self._table.indexes()):
            raise SettingsError(
                f"this store's vectors have embedding_dim={kept.embedding_dim} and similarity={kept.similarity!r}; "
                f"open it without these arguments, or write its documents to a new store"
            )
        if not self.read_only:
            if wanted != kept:
                self._table.change_settings(wanted)
            if all(index.name != self.index for index in self._table.indexes()):
                self._table.ensure_index(self.index)
        return store_id, wanted

    # -- states and caches ---------------------------------------------------------------------------------------

    def _state(self, index: str | None) -> IndexState:
        """What this process knows of an index; a search finds out by itself when that is old."""
        name = self._name(index)
        state = self._states.get(name)
        return self._renewed(name) if state is None else state

    def _renewed(self, name: str) -> IndexState:
        try:
            state = self._states[name] = self._table.index(name)
        except IndexNotFoundError:
            self._states.pop(name, None)
            raise
        return state

    def _name(self, index: str | None) -> str:
        return self.index if index is None else _checked_index(index)

    def _forget(self, name: str) -> None:
        """After a write of this process: its next search need not find out that its state is old."""
        self._states.pop(name, None)

    def _text(self, state: IndexState) -> TextCache:
        with self._turn:
            self._database.check_usable()
            if state.index_id not in self._texts:
                folder = self._folder.text / str(state.index_id) if self._folder else None
                self._texts[state.index_id] = TextCache(
                    self._table, self._store_id, state.index_id, self._settings.text, folder, self._lock,
                    read_only=self.read_only,
                )  # fmt: skip
            return self._texts[state.index_id]

    def _selection(self, state: IndexState) -> Selection:
        with self._turn:
            self._database.check_usable()
            return self._selections.setdefault(state.index_id, Selection(self._table))

    def _drop_caches(self, index_id: int) -> None:
        with self._turn:
            self._selections.pop(index_id, None)
            cache = self._texts.pop(index_id, None)
        if cache is not None:
            cache.close()
        if self._folder is not None:
            shutil.rmtree(self._folder.text / str(index_id), ignore_errors=True)

    # -- searching consistently ----------------------------------------------------------------------------------

    def _mask(self, state: IndexState, filters: Filters) -> RowMask | None:
        """The rows a filter allows; None where it allows all."""
        tree = language.read(filters)
        return None if tree == language.ALL else self._selection(state).select(state, tree)

    def _consistent(
        self, index: str | None, find: Callable[[IndexState], tuple[Sequence[int], T]]
    ) -> tuple[IndexState, dict[int, Any], T]:
        """Find rows and fetch them, both at one state of the index.

        Args:
            index: The index's name, or None for the default.
            find: From the state to the rows wanted and whatever else the caller needs of that state.

        Returns:
            The state, the table row of each row found, and the rest of what ``find`` gave.
        """
        state = self._state(index)
        for _ in range(_RETRIES):
            rows, rest = find(state)
            seq, lines = self._table.fetch(state.index_id, rows)
            if seq == state.seq:
                break
            state = self._renewed(state.name)
        return state, lines, rest

    def _documents(
        self, rows: Sequence[int], lines: Mapping[int, Any], return_embedding: bool | None
    ) -> list[Document]:
        """The documents of rows, in that order; rows that went in the meantime are left out."""
        found = [records.decode(lines[row]) for row in rows if row in lines]
        if self.return_embedding if return_embedding is None else return_embedding:
            vectors = self._table.vectors([row for row in rows if row in lines])
            for document, row in zip(found, (row for row in rows if row in lines), strict=True):
                document.embedding = records.decode_vector(vectors[row]) if row in vectors else None
        return found


def refuse_headers(headers: Mapping[str, str] | None) -> None:
    """Refuse HTTP headers, which an in-process store has no use for.

    Raises:
        HeadersNotSupportedError: They are not empty.
    """
    if headers:
        raise HeadersNotSupportedError


def checked_policy(policy: str) -> Policy:
    """A duplicates policy, checked.

    Raises:
        SettingsError: It is none of overwrite, skip and fail.
    """
    if policy not in ("overwrite", "skip", "fail"):
        raise SettingsError(f"duplicate_documents is 'overwrite', 'skip' or 'fail', not {policy!r}")
    return policy  # type: ignore[return-value]


def _given(settings: StoreSettings, options: StoreOptions) -> StoreSettings:
    return settings.changed(
        similarity=options.get("similarity"), embedding_dim=options.get("embedding_dim"), text=options.get("text")
    )


def _checked_index(name: str) -> str:
    try:
        fits = isinstance(name, str) and 0 < len(name.encode()) <= _MAX_INDEX_BYTES and "\x00" not in name
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise SettingsError(f"an index's name is text of 1 to {_MAX_INDEX_BYTES} bytes without NUL, not {name!r:.80}")
    return name
