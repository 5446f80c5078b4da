"""The statements that a document table runs often, built once so that SQLAlchemy compiles each once.

The invariant: every value is a bound parameter, lists included (as one JSON text), so no statement's text or number of
parameters depends on what it is asked.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from hayrick.stores.documents.tables import document, embedding, op, store_index

COLUMNS: Final = (
    document.c.row, document.c.place, document.c.id, document.c.content, document.c.content_type, document.c.form,
    document.c.meta, document.c.facts, document.c.id_hash_keys,
)  # fmt: skip


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
    sa.select(store_index.c.seq, *COLUMNS)
    .select_from(store_index)
    .outerjoin(document, (document.c.index_id == store_index.c.index_id) & document.c.row.in_(members("rows")))
    .where(store_index.c.index_id == sa.bindparam("index_id"))
)
VECTORS = sa.select(embedding).where(embedding.c.row.in_(members("rows")))
LISTING = (
    sa.select(*COLUMNS)
    .where(document.c.index_id == sa.bindparam("index_id"), document.c.place > sa.bindparam("after"))
    .order_by(document.c.place)
    .limit(sa.bindparam("limit"))
)
ADDED = (
    sa.select(*COLUMNS)
    .where(
        document.c.index_id == sa.bindparam("index_id"),
        document.c.row >= sa.bindparam("first"),
        document.c.row <= sa.bindparam("last"),
    )
    .order_by(document.c.row)
    .limit(sa.bindparam("limit"))
)
OPS = (
    sa.select(op).where(op.c.index_id == sa.bindparam("index_id"), op.c.seq > sa.bindparam("since")).order_by(op.c.seq)
)
TOKEN = sa.select(op.c.token).where(op.c.seq == sa.bindparam("seq"), op.c.index_id == sa.bindparam("index_id"))
INSERT_DOCUMENT = document.insert()
DELETE_DOCUMENTS = document.delete().where(document.c.row.in_(members("rows")))
DELETE_VECTORS = embedding.delete().where(embedding.c.row.in_(members("rows")))
