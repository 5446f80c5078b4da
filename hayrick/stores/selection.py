"""Filter -> row set for one named index: the columns answer, and SQL while they are not loaded.

What goes in: a filter's tree and the state of the index that the answer must fit. What comes out: a
:class:`~hayrick.stores.columns.mask.RowMask`. The invariant: both engines give the same rows; which of them is asked
is a matter of time alone. The columns of a large index take seconds to load and then answer in milliseconds, so the
first filter after opening goes to SQL, and the second pays for the columns.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import numpy as np

from hayrick.errors import UnsupportedFilterError
from hayrick.filters.normalise import leaves
from hayrick.filters.sqlalchemy import SQLAlchemyCompiler
from hayrick.stores.columns.columns import IndexColumns
from hayrick.stores.columns.mask import RowMask, expanded
from hayrick.stores.documents.records import readable
from hayrick.stores.documents.tables import document

if TYPE_CHECKING:
    from collections import Counter

    from hayrick.filters import Node
    from hayrick.filters.ast import Kind
    from hayrick.filters.keys import Key
    from hayrick.stores.documents.edit import IndexState
    from hayrick.stores.documents.sql import SQLDocumentTable

#: Up to so many documents the columns load at once: building them takes no longer than a statement.
_SMALL: Final = 2_000
#: SQL reads a document's facts once for each leaf; from so many on, loading the columns is faster.
_FEW_LEAVES: Final = 12


class Selection:
    """Row sets of one named index.

    Args:
        table: The document table.
    """

    def __init__(self, table: SQLDocumentTable) -> None:
        self._table = table
        self._columns = IndexColumns(0)
        self._asked = False
        self._turn = threading.Lock()

    def select(self, index: IndexState, node: Node) -> RowMask:
        """The documents for which the tree holds, at ``index.seq`` or later."""
        if not self._asked and index.documents > _SMALL and leaves(node) <= _FEW_LEAVES:
            self._asked = True
            try:
                return self.by_sql(index, node)
            except UnsupportedFilterError:
                # Declared gaps of the SQL engine; the columns have none.
                return self.columns(index).select(node)
        return self.columns(index).select(node)

    def by_sql(self, index: IndexState, node: Node) -> RowMask:
        """The same from the document table itself.

        Raises:
            UnsupportedFilterError: The SQL engine cannot say the filter.
        """
        clause = SQLAlchemyCompiler(document.c.facts).compile(node)
        found = np.array(self._table.select_places(index.index_id, clause), np.int64).reshape(-1, 2)
        return RowMask(found[:, 0], found[:, 1], np.ones(len(found), np.bool_), index.documents)

    def values(self, index: IndexState, kind: Kind, path: str, node: Node) -> Counter[Key]:
        """How many matching documents hold each key of a kind at a path."""
        return self.columns(index).values(kind, path, node)

    def columns(self, index: IndexState) -> IndexColumns:
        """The columns, at ``index.seq`` or later."""
        columns = self._columns
        if columns.seq == index.seq:
            return columns
        with self._turn:
            if self._columns.seq < index.seq:
                changes = self._table.changes(index, self._columns.seq)
                facts = self._table.added_filterable(index.index_id, changes)
                with readable("the stored facts"):
                    self._columns = self._columns.after(changes.seq, expanded(changes.deleted), facts)
            return self._columns
