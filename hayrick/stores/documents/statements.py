"""The statements that a document table runs often, built once so that SQLAlchemy compiles each once.

The invariant: every value is a bound parameter, lists included (as one JSON text), so no statement's text or number of
parameters depends on what it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from hayrick.stores.documents.tables import document, embedding, op, store_index

#: What makes a document, in the order that :func:`hayrick.stores.documents.records.decode` reads.
READABLE: Final = (
    document.c.id, document.c.content, document.c.content_type, document.c.form, document.c.meta,
    document.c.id_hash_keys,
)  # fmt: skip
#: What a keyword index reads.
SEARCHABLE: Final = (
    document.c.row, document.c.content, document.c.content_type, document.c.form, document.c.facts,
)  # fmt: skip
#: What the columns read.
FILTERABLE: Final = (document.c.row, document.c.place, document.c.facts)


def members(parameter: str) -> sa.Select[Any]:
    """The members of a JSON list bound as one parameter: no limit on their number."""
    each = sa.func.json_each(sa.bindparam(parameter, type_=sa.Text)).table_valued("value")
    return sa.select(each.c.value)


INDEX_BY_NAME = sa.select(store_index).where(store_index.c.name == sa.bindparam("name"))
INDEXES = sa.select(store_index).order_by(store_index.c.index_id)
BY_ID = sa.select(document.c.id, document.c.row, document.c.place).where(
    document.c.index_id == sa.bindparam("index_id"), document.c.id.in_(members("ids"))
)
# The index's line is there even when none of its documents is, so that every answer carries the seq it belongs to.
FETCH = (
    sa.select(store_index.c.seq, document.c.row, *READABLE)
    .select_from(store_index)
    # Row numbers belong to one index, so naming it again would only tempt the planner into a scan of the index.
    .outerjoin(document, document.c.row.in_(members("rows")))
    .where(store_index.c.index_id == sa.bindparam("index_id"))
)
VECTORS = sa.select(embedding).where(embedding.c.row.in_(members("rows")))
CONTENTS = (
    sa.select(document.c.place, document.c.content)
    .where(document.c.index_id == sa.bindparam("index_id"), document.c.place > sa.bindparam("after"))
    .order_by(document.c.place)
    .limit(sa.bindparam("limit"))
)


def added(columns: Sequence[sa.ColumnElement[Any]]) -> sa.Select[Any]:
    """Some columns of the rows of one index in a run of row numbers, ascending."""
    return (
        sa.select(*columns)
        .where(
            document.c.index_id == sa.bindparam("index_id"),
            document.c.row >= sa.bindparam("first"),
            document.c.row <= sa.bindparam("last"),
        )
        .order_by(document.c.row)
        .limit(sa.bindparam("limit"))
    )


ADDED_SEARCHABLE = added(SEARCHABLE)
ADDED_FILTERABLE = added(FILTERABLE)
OPS = (
    sa.select(op).where(op.c.index_id == sa.bindparam("index_id"), op.c.seq > sa.bindparam("since")).order_by(op.c.seq)
)
TOKEN = sa.select(op.c.token).where(op.c.seq == sa.bindparam("seq"), op.c.index_id == sa.bindparam("index_id"))
INSERT_DOCUMENT = document.insert()
DELETE_DOCUMENTS = document.delete().where(document.c.row.in_(members("rows")))
DELETE_VECTORS = embedding.delete().where(embedding.c.row.in_(members("rows")))

#: ``FETCH`` as SQLite reads it, and the names of its parameters in order. Every search runs it, and SQLAlchemy's own
#: way with a statement costs as much as the search.
_fetch = FETCH.compile(dialect=sqlite.dialect())
FETCH_TEXT: Final = str(_fetch)
FETCH_PARAMETERS: Final = tuple(_fetch.positiontup or ())
