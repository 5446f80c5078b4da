"""The document store: Haystack v1's store methods, written once over a document table, columns and a keyword index.

What goes in: documents, filters, queries. What comes out: documents. The invariant: the table of record is the truth
and everything else is derived from it, at the state that an answer says it belongs to.
"""

from __future__ import annotations

import sqlite3

from hayrick.errors import ReadOnlyStoreError
from hayrick.stores.asynchronous import Asynchronous
from hayrick.stores.documents.database import journal_mode
from hayrick.stores.health import Finding, Level, Report


class DocumentStore(Asynchronous):
    """Documents with metadata, filters over the metadata, and keyword search, in one process.

    Open one of :class:`~hayrick.stores.sqlite.SQLiteDocumentStore` (on disk) and
    :class:`~hayrick.stores.memory.InMemoryDocumentStore`, or :func:`~hayrick.stores.registry.open_store`. A store may
    be shared between threads, and on disk between processes, one of which writes at a time. Use it as a context
    manager, or close it.
    """

    def verify(self) -> Report:
        """Check the documents, and how the derived indexes stand to them, without changing anything."""
        faults = [Finding("fault", "documents", text) for text in self._table.faults()]
        findings = faults or [Finding("ok", "documents", "SQLite's checks and the counts agree")]
        for state in self._table.indexes():
            detail = self._text(state).status(state)
            level: Level = "ok" if detail == "up to date" else "note"
            findings.append(Finding("ok", f"index {state.name!r}", f"{state.documents:,} documents"))
            findings.append(Finding(level, f"keyword index of {state.name!r}", detail))
        engine = f"SQLite {sqlite3.sqlite_version}, journal {journal_mode()}"
        return Report((*findings, Finding("ok", "engine", engine)))

    def rebuild(self, index: str | None = None) -> None:
        """Build an index's derived indexes anew from its documents.

        Args:
            index: The index; the store's default where None.

        Raises:
            ReadOnlyStoreError, StoreLockedError: The store cannot be written now.
        """
        if self.read_only:
            raise ReadOnlyStoreError(f"{self.path} was opened with read_only=True")
        state = self._renewed(self._name(index))
        with self._turn:
            self._selections.pop(state.index_id, None)
        self._text(state).rebuild(state)
