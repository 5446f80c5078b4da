"""One write to an index, inside one transaction: rows out, rows in, and the log's account of both.

What goes in: an open transaction, encoded documents, row numbers. What comes out: changed tables. The invariant:
whatever a block of :class:`Edit` does to the documents, its end writes to ``op`` and moves the index's ``seq`` and
count; a block that changes nothing leaves no trace.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import sqlalchemy as sa

from hayrick.errors import DuplicateDocumentError
from hayrick.stores.documents import statements
from hayrick.stores.documents.tables import document, embedding, op, store, store_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType

    from hayrick.stores.documents.records import Record

Policy = Literal["overwrite", "skip", "fail"]

#: How many rows one statement's JSON list names at most.
_CHUNK: Final = 50_000


@dataclass(frozen=True, slots=True)
class IndexState:
    """One named index: its number, the last operation on it, and how many documents it holds."""

    index_id: int
    name: str
    seq: int
    documents: int


class Edit:
    """Changes to one index within an open transaction.

    Args:
        connection: In a write transaction.
        index: The index as that transaction sees it.
    """

    def __init__(self, connection: sa.Connection, index: IndexState) -> None:
        self.connection = connection
        self.index = index
        self.next_row: int = connection.execute(sa.select(store.c.next_row)).scalar_one()
        self.documents = index.documents
        self.operations: list[tuple[str, int, int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None and self.operations:
            self._log()

    def delete(self, rows: Sequence[int]) -> int:
        """Delete rows; how many there were."""
        deleted = 0
        for start in range(0, len(rows), _CHUNK):
            named = {"rows": json.dumps([int(row) for row in rows[start : start + _CHUNK]])}
            self.connection.execute(statements.DELETE_VECTORS, named)
            deleted += self.connection.execute(statements.DELETE_DOCUMENTS, named).rowcount
        self.operations += [("d", first, last) for first, last in runs(rows)] if deleted else []
        self.documents -= deleted
        return deleted

    def add(self, records: Sequence[Record], places: Mapping[str, int]) -> None:
        """Insert documents; one whose id is in ``places`` goes there, the others to the end."""
        if not records:
            return
        first = self.next_row
        self.next_row += len(records)
        numbered = list(enumerate(records, first))
        self.connection.execute(statements.INSERT_DOCUMENT, [
            {
                "row": row, "index_id": self.index.index_id, "place": places.get(record.id, row), "id": record.id,
                "content": record.content, "content_type": record.content_type, "form": record.form,
                "meta": record.meta, "facts": record.facts, "id_hash_keys": record.id_hash_keys,
            }
            for row, record in numbered
        ])  # fmt: skip
        vectors = [{"row": row, "vector": record.vector} for row, record in numbered if record.vector is not None]
        if vectors:
            self.connection.execute(embedding.insert(), vectors)
        self.operations.append(("a", first, self.next_row - 1))
        self.documents += len(records)

    def replace(self, row: int, meta: str, facts: str) -> None:
        """Give a document other metadata, and with it a new row number."""
        new = self.next_row
        self.next_row += 1
        vector = self.connection.execute(sa.select(embedding.c.vector).where(embedding.c.row == row)).scalar()
        # The embedding refers to the document's row, so it steps aside while that changes.
        self.connection.execute(embedding.delete().where(embedding.c.row == row))
        self.connection.execute(document.update().where(document.c.row == row).values(row=new, meta=meta, facts=facts))
        if vector is not None:
            self.connection.execute(embedding.insert(), {"row": new, "vector": vector})
        self.operations += [("d", row, row), ("a", new, new)]

    def _log(self) -> None:
        token = secrets.randbits(62)
        for kind, first, last in self.operations:
            line = {"index_id": self.index.index_id, "kind": kind, "first_row": first, "last_row": last, "token": token}
            written = self.connection.execute(op.insert(), line)
        (seq,) = written.inserted_primary_key  # type: ignore[misc]
        self.connection.execute(store.update().values(next_row=self.next_row))
        self.connection.execute(
            store_index.update()
            .where(store_index.c.index_id == self.index.index_id)
            .values(seq=seq, documents=self.documents)
        )


def runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Row numbers as runs ``(first, last)`` without gaps, ascending."""
    found: list[tuple[int, int]] = []
    for row in sorted(map(int, rows)):
        if found and row <= found[-1][1] + 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found


def create_index(connection: sa.Connection, name: str) -> IndexState:
    """Add an index without documents."""
    written = connection.execute(store_index.insert(), {"name": name, "seq": 0, "documents": 0})
    (index_id,) = written.inserted_primary_key  # type: ignore[misc]
    return IndexState(index_id, name, 0, 0)


def index_for_writing(connection: sa.Connection, name: str) -> IndexState:
    """The index of a name, created where it is new."""
    found = connection.execute(statements.INDEX_BY_NAME, {"name": name}).first()
    return create_index(connection, name) if found is None else IndexState(*found)


def stored_places(connection: sa.Connection, index: IndexState, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """``(row, place)`` of those of ``ids`` that the index holds."""
    named = {"index_id": index.index_id, "ids": json.dumps(ids)}
    # SQLite ends a JSON string at NUL, and would find "a" for an id that no document can have.
    asked = set(ids)
    return {id_: (row, place) for id_, row, place in connection.execute(statements.BY_ID, named) if id_ in asked}


def _overwriting(records: Sequence[Record], _stored: Mapping[str, Any], _name: str) -> list[Record]:
    return list({record.id: record for record in records}.values())


def _skipping(records: Sequence[Record], stored: Mapping[str, Any], _name: str) -> list[Record]:
    firsts: dict[str, Record] = {}
    for record in records:
        firsts.setdefault(record.id, record)
    return [record for id_, record in firsts.items() if id_ not in stored]


def _failing(records: Sequence[Record], stored: Mapping[str, Any], name: str) -> list[Record]:
    seen = set(stored)
    taken = [record.id for record in records if record.id in seen or seen.add(record.id)]  # type: ignore[func-returns-value]
    if taken:
        raise DuplicateDocumentError(taken, name)
    return list(records)


#: What each policy writes, given the records and the ids that are stored.
DUPLICATES: Final[dict[Policy, Callable[[Sequence[Record], Mapping[str, Any], str], list[Record]]]] = {
    "overwrite": _overwriting,
    "skip": _skipping,
    "fail": _failing,
}
