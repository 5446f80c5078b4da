"""The methods of a store that change it.

The invariant: a call checks all of its input before it touches the table, and then does all it says in one transaction,
or nothing. The caller's objects are never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hayrick.errors import DocumentError, DocumentNotFoundError
from hayrick.schema import Document
from hayrick.stores.core import StoreCore, checked_policy, refuse_headers
from hayrick.stores.documents import metadata, records
from hayrick.stores.progress import tracked

if TYPE_CHECKING:
    from hayrick.filters import Filters
    from hayrick.stores.documents.edit import Policy


class Writing(StoreCore):
    """Write, update and delete."""

    def write_documents(
        self,
        documents: Iterable[Document | Mapping[str, Any]],
        index: str | None = None,
        batch_size: int = 10_000,
        duplicate_documents: Policy | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Write documents, all or none; a new index is created.

        Args:
            documents: Documents, or dictionaries (keys that are no field of a document go into its metadata).
            index: The index; the store's default where None.
            batch_size: Accepted for compatibility; the whole call is one transaction.
            duplicate_documents: What to do about an id that is stored, or repeated in the call: "overwrite" (the last
                one wins, in the stored one's place), "skip" (the first one stays) or "fail". The store's own where
                None.
            headers: Not supported by a store in process.

        Returns:
            The ids written, in the order given; under "skip" without those skipped.

        Raises:
            DocumentError, MetadataError, EmbeddingError: A document cannot be kept; nothing was written.
            DuplicateDocumentError: Under "fail"; nothing was written.
            ReadOnlyStoreError, StoreLockedError, StorageError: Nothing was written.
        """
        refuse_headers(headers)
        name = self._name(index)
        policy = self.duplicate_documents if duplicate_documents is None else checked_policy(duplicate_documents)
        self._database.check_writable()
        given = tracked(_listed(documents), "Reading documents", show=self.progress_bar)
        encoded = [records.encode(self._document(one, at), self._settings) for at, one in enumerate(given)]
        try:
            return self._table.write(name, encoded, policy)
        finally:
            self._forget(name)

    def update_document_meta(
        self,
        id: str,
        meta: Mapping[str, Any],
        index: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Merge metadata into a document's: keys of ``meta`` replace, other keys stay; content and vector stay.

        Args:
            id: The document's id.
            meta: The keys to set.
            index: The index; the store's default where None.
            headers: Not supported by a store in process.

        Raises:
            DocumentNotFoundError: No such document.
            MetadataError: Something in ``meta`` cannot be kept; nothing was changed.
        """
        refuse_headers(headers)
        if not isinstance(meta, Mapping):
            raise DocumentError(f"meta is a dictionary, not a {type(meta).__name__}")
        self._database.check_writable()
        state = self._renewed(self._name(index))
        records.encode_meta(meta)
        try:
            if not self._table.rewrite(
                state.name, id, lambda stored: records.encode_meta({**metadata.decode(stored), **meta})
            ):
                raise DocumentNotFoundError(id, state.name)
        finally:
            self._forget(state.name)

    def delete_documents(
        self,
        index: str | None = None,
        ids: Sequence[str] | None = None,
        filters: Filters = None,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """Delete documents: all of them when neither ids nor filters are given.

        Args:
            index: The index; the store's default where None.
            ids: Delete these; an empty list deletes none. With filters: those of them that match.
            filters: Delete what matches. ``{}`` and ``[]``, given, delete none: what matches everything by an
                accident of the caller's code must not empty the index.
            headers: Not supported by a store in process.

        Returns:
            How many documents were deleted.

        Raises:
            FilterError: The filter is not of the language; nothing was deleted.
            IndexNotFoundError: The index was never created.
        """
        refuse_headers(headers)
        if isinstance(ids, str):
            raise DocumentError("ids is a list of ids, not one string")
        self._database.check_writable()
        state = self._renewed(self._name(index))
        try:
            if filters is not None and not filters:
                return 0
            # Held from the choice to the deed, so that what is deleted is what matched.
            with self._lock.held():
                self._renewed(state.name)
                rows = self._chosen(state.name, ids, filters)
                return self._table.delete_all(state.name) if rows is None else self._table.delete(state.name, rows)
        finally:
            self._forget(state.name)

    def delete_all_documents(
        self, index: str | None = None, filters: Filters = None, headers: Mapping[str, str] | None = None
    ) -> int:
        """Delete all documents, or those that match; :meth:`delete_documents` under its older name.

        Returns:
            How many documents were deleted.
        """
        return self.delete_documents(index, None, filters, headers)

    def delete_index(self, index: str) -> None:
        """Remove an index with everything in it; an unknown name is no error, and the default index stays, empty.

        Args:
            index: The index's name.
        """
        name = self._name(index)
        index_id = self._table.drop_index(name)
        self._forget(name)
        if index_id is not None:
            self._drop_caches(index_id)
        if name == self.index:
            self._table.ensure_index(name)

    def _document(self, given: Document | Mapping[str, Any], position: int) -> Document:
        if isinstance(given, Document):
            return given
        if not isinstance(given, Mapping):
            raise DocumentError(f"write_documents takes documents or dictionaries, not a {type(given).__name__}")
        field_map = {} if self.embedding_field == "embedding" else {self.embedding_field: "embedding"}
        try:
            return Document.from_dict(given, field_map=field_map)
        except DocumentError as error:
            raise type(error)(f"document {given.get('id', position)!r:.80}: {error}") from error

    def _chosen(self, name: str, ids: Sequence[str] | None, filters: Filters) -> list[int] | None:
        """The rows that ids and filters name together; None for all of the index."""
        state = self._state(name)
        mask = None if filters is None else self._mask(state, filters)
        if ids is None:
            return None if mask is None else mask.allowed().tolist()
        rows = list(self._table.rows_of(state, ids).values())
        return rows if mask is None else [r for r, ok in zip(rows, mask.test(np.array(rows, int)), strict=True) if ok]


def _listed(documents: Iterable[Document | Mapping[str, Any]]) -> list[Document | Mapping[str, Any]]:
    if isinstance(documents, Document | Mapping | str | bytes) or not isinstance(documents, Iterable):
        raise DocumentError(f"write_documents takes a list of documents, not a {type(documents).__name__}")
    return list(documents)
