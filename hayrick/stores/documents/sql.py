"""The document table over a SQL database: the record that everything else in a store is derived from.

What goes in: encoded documents and row numbers. What comes out: rows, counts, and the changes since a point of the
log. The invariant: one call that writes is one transaction, and leaves either all of what it says or nothing; every
change of an index's documents appends to ``op`` in the same transaction and moves the index's ``seq``.
"""

from __future__ import annotations

import itertools
import json
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from hayrick.errors import DamagedStoreError, IndexNotFoundError
from hayrick.stores.documents import statements
from hayrick.stores.documents.edit import (
    DUPLICATES,
    Edit,
    IndexState,
    create_index,
    index_for_writing,
    stored_places,
)
from hayrick.stores.documents.records import readable
from hayrick.stores.documents.tables import document, embedding, metadata, op, store, store_index
from hayrick.stores.settings import StoreSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hayrick.stores.documents.database import Database
    from hayrick.stores.documents.edit import Policy
    from hayrick.stores.documents.records import Record

Clause = sa.ColumnElement[bool]

#: How many documents one page of a listing or of a catch-up holds.
PAGE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened to an index after a point of the log.

    Row numbers are never reused, so the order of the operations does not matter: the rows of ``deleted`` are gone for
    good, and those of ``added`` which the table still holds are alive.

    Attributes:
        seq: The last operation.
        token: That operation's token, or 0 where the index has none.
        deleted: Runs ``(first, last)`` of rows.
        added: Runs ``(first, last)`` of rows, ascending.
    """

    seq: int
    token: int
    deleted: tuple[tuple[int, int], ...]
    added: tuple[tuple[int, int], ...]


class SQLDocumentTable:
    """Documents in a SQL database.

    Args:
        database: Where they are.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    # -- the store's own line ------------------------------------------------------------------------------------

    def create(self, settings: StoreSettings, index: str) -> None:
        """Make the tables of a new store with its default index, in one transaction.

        A store that another process made in the meantime is left as it is.
        """
        with self.database.write() as connection:
            if sa.inspect(connection).has_table(store.name):
                return
            metadata.create_all(connection)
            line = {"store_id": uuid.uuid4().hex, "settings": settings.to_json(), "next_row": 1}
            connection.execute(store.insert(), line)
            self.database.stamp_format(connection)
            create_index(connection, index)

    def identity(self) -> tuple[str, StoreSettings]:
        """The store's id and its settings."""
        with self.database.read() as connection:
            line = connection.execute(sa.select(store)).first()
        if line is None:
            raise DamagedStoreError(f"{self.database.where}: the line that says what the store is has gone")
        with readable(f"{self.database.where}: the store's settings"):
            return line.store_id, StoreSettings.from_json(line.settings)

    def change_settings(self, settings: StoreSettings) -> None:
        """Remember other settings."""
        with self.database.write() as connection:
            connection.execute(store.update().values(settings=settings.to_json()))

    # -- indexes -------------------------------------------------------------------------------------------------

    def indexes(self) -> list[IndexState]:
        """Every index, oldest first."""
        with self.database.read() as connection:
            return [IndexState(*row) for row in connection.execute(statements.INDEXES)]

    def index(self, name: str) -> IndexState:
        """The index of a name.

        Raises:
            IndexNotFoundError: It was never created.
        """
        with self.database.read() as connection:
            row = connection.execute(statements.INDEX_BY_NAME, {"name": name}).first()
        if row is None:
            raise IndexNotFoundError(name, [known.name for known in self.indexes()])
        return IndexState(*row)

    def ensure_index(self, name: str) -> None:
        """Create an index unless it exists."""
        with self.database.write() as connection:
            index_for_writing(connection, name)

    def drop_index(self, name: str) -> int | None:
        """Remove an index with all it holds; its number, or None where there is none of that name."""
        with self.database.write() as connection:
            found = connection.execute(statements.INDEX_BY_NAME, {"name": name}).first()
            if found is None:
                return None
            rows = sa.select(document.c.row).where(document.c.index_id == found.index_id)
            connection.execute(embedding.delete().where(embedding.c.row.in_(rows)))
            for table in (document, op, store_index):
                connection.execute(table.delete().where(table.c.index_id == found.index_id))
            return int(found.index_id)

    # -- writing -------------------------------------------------------------------------------------------------

    def write(self, name: str, records: Sequence[Record], policy: Policy) -> list[str]:
        """Write documents; creates the index where it is new.

        Args:
            name: The index.
            records: Encoded documents.
            policy: What to do about an id that is stored already, or repeated in the call: replace the stored document
                in its place, keep the stored (or first) one, or refuse the whole call.

        Returns:
            The ids written, in the order given.

        Raises:
            DuplicateDocumentError: Under "fail"; nothing was written.
        """
        with self.database.write() as connection:
            index = index_for_writing(connection, name)
            stored = stored_places(connection, index, [record.id for record in records]) if index.documents else {}
            chosen = DUPLICATES[policy](records, stored, name)
            replaced = [stored[record.id] for record in chosen if record.id in stored]
            with Edit(connection, index) as edit:
                edit.delete([row for row, _ in replaced])
                edit.add(chosen, {record.id: stored[record.id][1] for record in chosen if record.id in stored})
            return [record.id for record in chosen]

    def rewrite(self, name: str, id_: str, change: Callable[[str], tuple[str, str]]) -> bool:
        """Give one document other metadata, keeping content, place and embedding.

        Args:
            name: The index.
            id_: The document's id.
            change: From the stored metadata to the new metadata's two stored forms; runs inside the transaction.

        Returns:
            Whether the document exists.
        """
        with self.database.write() as connection:
            index = index_for_writing(connection, name)
            found = stored_places(connection, index, [id_]).get(id_)
            if found is None:
                return False
            row = found[0]
            meta, facts = change(
                connection.execute(sa.select(document.c.meta).where(document.c.row == row)).scalar_one()
            )
            with Edit(connection, index) as edit:
                edit.replace(row, meta, facts)
            return True

    def delete(self, name: str, rows: Sequence[int]) -> int:
        """Delete documents by row; how many of them were there."""
        with self.database.write() as connection, Edit(connection, index_for_writing(connection, name)) as edit:
            return edit.delete(rows)

    def delete_all(self, name: str) -> int:
        """Delete every document of an index, which stays; how many there were."""
        with self.database.write() as connection:
            index = index_for_writing(connection, name)
            rows = connection.execute(sa.select(document.c.row).where(document.c.index_id == index.index_id))
            found = rows.scalars().all()
            with Edit(connection, index) as edit:
                return edit.delete(found)

    # -- reading -------------------------------------------------------------------------------------------------

    def rows_of(self, index: IndexState, ids: Sequence[str]) -> dict[str, int]:
        """The rows of ids; unknown ids are left out."""
        with self.database.read() as connection:
            return {id_: row for id_, (row, _) in stored_places(connection, index, [str(id_) for id_ in ids]).items()}

    def fetch(self, index_id: int, rows: Sequence[int]) -> tuple[int | None, dict[int, tuple[Any, ...]]]:
        """Documents by row, and the seq of the index at that very moment (None: the index has gone).

        Returns:
            The seq, and by row number, for those of ``rows`` that still exist, what ``records.decode`` reads.
        """
        given = {"index_id": index_id, "rows": str(rows)}
        with self.database.read() as connection:
            cursor = connection.connection.cursor()
            cursor.execute(statements.FETCH_TEXT, tuple(given[name] for name in statements.FETCH_PARAMETERS))
            found = cursor.fetchall()
            cursor.close()
        return (found[0][0] if found else None), {line[1]: line[2:] for line in found if line[1] is not None}

    def vectors(self, rows: Sequence[int]) -> dict[int, bytes]:
        """The embeddings of rows, where they have one."""
        with self.database.read() as connection:
            found = connection.execute(statements.VECTORS, {"rows": json.dumps(rows)})
            return {line.row: line.vector for line in found}

    def all_rows(self, index_id: int) -> list[int]:
        """The rows of an index in insertion order."""
        query = sa.select(document.c.row).where(document.c.index_id == index_id).order_by(document.c.place)
        with self.database.read() as connection:
            return list(connection.execute(query).scalars())

    def contents(self, index_id: int) -> Iterator[str]:
        """The stored content of every document of an index, in insertion order."""
        after = -1
        while page := self._all(statements.CONTENTS, index_id=index_id, after=after, limit=PAGE):
            yield from (line.content for line in page)
            after = page[-1].place

    def changes(self, index: IndexState, since: int) -> Changes:
        """What the log says of an index after ``since``."""
        ops = self._all(statements.OPS, index_id=index.index_id, since=since)
        last = ops[-1] if ops else None
        runs = {kind: tuple((o.first_row, o.last_row) for o in ops if o.kind == kind) for kind in "da"}
        return Changes(last.seq if last else since, last.token if last else 0, runs["d"], runs["a"])

    def added_searchable(self, index_id: int, changes: Changes) -> Iterator[Sequence[Any]]:
        """What a keyword index reads of the rows of ``changes.added`` that still exist, ascending, in pages."""
        return self._added(statements.ADDED_SEARCHABLE, index_id, changes)

    def added_filterable(self, index_id: int, changes: Changes) -> Iterator[Any]:
        """``(row, place, facts)`` of the rows of ``changes.added`` that still exist, ascending."""
        return itertools.chain.from_iterable(self._added(statements.ADDED_FILTERABLE, index_id, changes))

    def has_token(self, index_id: int, seq: int, token: int) -> bool:
        """Whether the log's operation ``seq`` carries ``token``: whether a cache that says so read this log."""
        if seq == 0:
            return True
        with self.database.read() as connection:
            found = connection.execute(statements.TOKEN, {"seq": seq, "index_id": index_id}).scalar()
        return found == token

    def select_places(self, index_id: int, clause: Clause) -> list[tuple[int, int]]:
        """``(row, place)`` of the documents for which a clause over the table holds, ascending by row."""
        query = sa.select(document.c.row, document.c.place).where(document.c.index_id == index_id, clause)
        with self.database.read() as connection:
            return [(row, place) for row, place in connection.execute(query.order_by(document.c.row))]

    def embedded(self, index_id: int) -> set[int]:
        """The rows of an index that have an embedding."""
        query = sa.select(embedding.c.row).join(document, document.c.row == embedding.c.row)
        with self.database.read() as connection:
            return set(connection.execute(query.where(document.c.index_id == index_id)).scalars())

    def faults(self) -> list[str]:
        """What SQLite's own checks, and this module's invariants, find wrong; empty where all is well."""
        with self.database.read() as connection:
            found = [row[0] for row in connection.exec_driver_sql("PRAGMA quick_check") if row[0] != "ok"]
            found += [
                f"a {row[0]} without its {row[2]}" for row in connection.exec_driver_sql("PRAGMA foreign_key_check")
            ]
            counted = sa.select(sa.func.count()).where(document.c.index_id == store_index.c.index_id).scalar_subquery()
            for line in connection.execute(sa.select(store_index, counted.label("counted"))):
                if line.counted != line.documents:
                    found.append(f"index {line.name!r} says {line.documents} documents and holds {line.counted}")
        return found

    def _added(self, statement: sa.Select[Any], index_id: int, changes: Changes) -> Iterator[Sequence[Any]]:
        for first, last in changes.added:
            start = first
            while page := self._all(statement, index_id=index_id, first=start, last=last, limit=PAGE):
                yield page
                start = page[-1].row + 1

    def _all(self, statement: sa.Select[Any], **parameters: object) -> Sequence[Any]:
        with self.database.read() as connection:
            return connection.execute(statement, parameters).all()
