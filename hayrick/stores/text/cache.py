"""The keyword index of one named index, kept up to date with the document table.

What goes in: the state of the named index that a search must see. What comes out: a :class:`~.view.View` at that
state. The invariant: the index is a cache. It says what it was built of; what does not fit is rebuilt, what is
damaged is set aside and rebuilt, what is behind is caught up from the log by whoever holds the write lock, and a
process that cannot hold it answers from the cache plus the rest of the log in its own memory. A stale answer is never
given.
"""

from __future__ import annotations

import logging
import shutil
import threading
from typing import TYPE_CHECKING, Final

from hayrick.errors import StorageError, StoreLockedError, TextIndexError
from hayrick.stores.columns.mask import expanded
from hayrick.stores.documents.records import readable, search_text
from hayrick.stores.text.protocol import Stamp
from hayrick.stores.text.tantivy import VERSION, TantivyIndex
from hayrick.stores.text.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hayrick.stores.documents.edit import IndexState
    from hayrick.stores.documents.sql import Changes, SQLDocumentTable
    from hayrick.stores.lock import WriteLock
    from hayrick.stores.settings import TextSettings

_logger = logging.getLogger(__name__)
_DAMAGED: Final = "damaged-"
_ENGINE_LOCK: Final = ".tantivy-meta.lock"


class TextCache:
    """The keyword index of one named index.

    Args:
        table: The document table.
        store_id: The store's id.
        index_id: The named index.
        settings: How text is analysed.
        folder: Where it is kept; None for memory.
        lock: The store's write lock.
        read_only: Never touch the folder.
    """

    def __init__(
        self,
        table: SQLDocumentTable,
        store_id: str,
        index_id: int,
        settings: TextSettings,
        folder: Path | None,
        lock: WriteLock,
        *,
        read_only: bool,
    ) -> None:
        self._table = table
        self._settings = settings
        self._folder = folder
        self._lock = lock
        self._read_only = read_only
        self._turn = threading.RLock()
        self._blank = Stamp(store_id, index_id, f"{VERSION} {settings}", 0, 0)
        self._base: TantivyIndex | None = None
        self._view: View | None = None

    def at(self, index: IndexState) -> View:
        """The index as of ``index.seq`` or later.

        Raises:
            TextIndexError, StorageError: It can neither be read nor rebuilt.
        """
        view = self._view
        if view is not None and view.seq == index.seq:
            return view
        with self._turn:
            if self._view is None or self._view.seq != index.seq:
                self._view = self._refreshed(index)
            return self._view

    def close(self) -> None:
        """Let go of files and memory."""
        with self._turn:
            # The engine lets go of its files with the last search that still uses them.
            self._view = self._base = None

    def rebuild(self, index: IndexState) -> None:
        """Throw the index away and build it anew from the table.

        Raises:
            StoreLockedError: Another process is writing.
        """
        with self._turn, self._lock.held():
            self.close()
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._view = self._refreshed(index)

    def status(self, index: IndexState) -> str:
        """In words, how the stored index stands to the table, without changing anything."""
        try:
            base = self._base or self._opened()
        except TextIndexError as error:
            return f"damaged; it will be rebuilt by the next search ({error})"
        if base is None or (base.stamp is None and not index.seq):
            return "absent; it will be built by the first search"
        if not self._fits(base.stamp):
            return "of another store, state or analysis; it will be rebuilt by the next search"
        seq = base.stamp.seq if base.stamp else 0
        if seq != index.seq:
            return f"{index.seq - seq} operations behind; it will be caught up by the next search"
        if base.documents != index.documents:
            return f"damaged: it holds {base.documents} documents of {index.documents}"
        return "up to date"

    # -- from here on self._turn is held ---------------------------------------------------------------------------

    def _refreshed(self, index: IndexState) -> View:
        base = self._current_base()
        since = base.stamp.seq if base is not None and base.stamp is not None else 0
        if since >= index.seq and base is not None:
            return View(base, since)
        if self._read_only:
            return self._overlaid(base, index)
        try:
            # Whoever waits for the lock here would hold up a search for as long as another's write takes.
            with self._lock.held(0 if self._folder is not None else None):
                return self._caught_up(index)
        except StoreLockedError:
            return self._overlaid(base, index)
        except StorageError as error:
            _logger.warning("the keyword index cannot be brought up to date, searching goes on in memory: %s", error)
            return self._overlaid(base, index)

    def _current_base(self) -> TantivyIndex | None:
        """The stored index as it is on disk now, if it is one of ours and sound."""
        try:
            if self._base is None:
                self._base = self._opened()
            elif self._folder is not None:
                self._base.reload()
        except TextIndexError as error:
            _logger.info("the keyword index cannot be read: %s", error)
            self._base = None
            return None
        if not self._fits(self._base.stamp if self._base else None):
            self._base = None
        return self._base

    def _opened(self) -> TantivyIndex | None:
        # Opening an empty folder would make an index there, which a reader must not.
        if self._folder is not None and not (self._folder / "meta.json").exists():
            return None
        # The engine would make its lock file where that is absent.
        if self._folder is not None and self._read_only and not (self._folder / _ENGINE_LOCK).exists():
            return None
        return TantivyIndex(self._settings, self._folder)

    def _fits(self, stamp: Stamp | None) -> bool:
        if stamp is None:
            return self._folder is None
        ours = (stamp.store_id, stamp.index_id, stamp.settings)
        if ours != (self._blank.store_id, self._blank.index_id, self._blank.settings):
            return False
        return self._table.has_token(stamp.index_id, stamp.seq, stamp.token)

    def _caught_up(self, index: IndexState) -> View:
        """Apply the log to the stored index, which the held lock makes ours."""
        base = self._current_base()
        if base is None:
            base = self._base = self._fresh()
        stamp = base.stamp or self._blank
        changes = self._table.changes(index, stamp.seq)
        if changes.seq != stamp.seq or base.stamp is None:
            base.apply(changes.deleted, self._pages(index.index_id, changes), self._stamp(changes))
        return View(base, changes.seq)

    def _overlaid(self, base: TantivyIndex | None, index: IndexState) -> View:
        """The stored index as it is, and the rest of the log in an index of this process's own."""
        since = base.stamp.seq if base is not None and base.stamp is not None else 0
        changes = self._table.changes(index, since)
        tail = TantivyIndex(self._settings)
        tail.apply((), self._pages(index.index_id, changes), self._stamp(changes))
        return View(base or TantivyIndex(self._settings), changes.seq, tail, expanded(changes.deleted))

    def _stamp(self, changes: Changes) -> Stamp:
        return Stamp(self._blank.store_id, self._blank.index_id, self._blank.settings, changes.seq, changes.token)

    def _pages(self, index_id: int, changes: Changes) -> Iterator[Sequence[tuple[int, Sequence[str]]]]:
        names = [name for name, _ in self._settings.fields]
        for page in self._table.added_searchable(index_id, changes):
            with readable(f"a document of rows {page[0].row} to {page[-1].row}"):
                texts = [(line.row, [search_text(line, name) for name in names]) for line in page]
            yield texts

    def _fresh(self) -> TantivyIndex:
        """An empty index in place of whatever is there; what cannot be read is kept aside, once."""
        if self._folder is None:
            return TantivyIndex(self._settings)
        try:
            if self._folder.exists():
                aside = self._folder.with_name(f"{_DAMAGED}{self._folder.name}")
                shutil.rmtree(aside, ignore_errors=True)
                self._folder.rename(aside)
                if self._readable(aside):
                    shutil.rmtree(aside)
                else:
                    _logger.warning("the keyword index %s was damaged; set aside as %s", self._folder, aside.name)
            if self._folder.parent.is_file():
                self._folder.parent.rename(self._folder.parent.with_name(f"{_DAMAGED}{self._folder.parent.name}"))
            self._folder.mkdir(parents=True)
        except OSError as error:
            raise StorageError(f"cannot make room for the keyword index at {self._folder}: {error}") from error
        return TantivyIndex(self._settings, self._folder)

    def _readable(self, folder: Path) -> bool:
        """Whether an index that does not fit is sound all the same: of other settings, say, and so of no more use."""
        try:
            return TantivyIndex(self._settings, folder).stamp is not None
        except TextIndexError:
            return False
