"""The tables of a store's SQL database.

The invariant: everything a store cannot lose is here. ``document.row`` is given out by ``store.next_row`` and never
reused, so a row number means one version of one document for ever; whatever is derived from the tables (text index,
columns, vectors) speaks row numbers and follows ``op``. A change of these tables is a new ``FORMAT``.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

#: The version of the on-disk format, in SQLite's ``user_version``.
FORMAT: Final = 1
#: "hayr", in SQLite's ``application_id``: tells a hayrick database from any other.
APPLICATION_ID: Final = 0x68617972

metadata = sa.MetaData()

#: One line: who the store is, what it was told, and the next row number.
store = sa.Table(
    "store",
    metadata,
    sa.Column("store_id", sa.Text, primary_key=True),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("next_row", sa.BigInteger, nullable=False),
)

#: The named indexes. ``seq`` is the last operation on each, ``documents`` how many documents it holds.
store_index = sa.Table(
    "store_index",
    metadata,
    sa.Column("index_id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("documents", sa.BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

#: One row a version of a document; ``place`` is its place in insertion order, which an overwrite keeps.
document = sa.Table(
    "document",
    metadata,
    sa.Column("row", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
    sa.Column("index_id", sa.Integer, sa.ForeignKey("store_index.index_id"), nullable=False),
    sa.Column("place", sa.BigInteger, nullable=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("content_type", sa.Text, nullable=False),
    # How ``content`` is to be read: text, rows of a table, or rows of a data frame.
    sa.Column("form", sa.Text, nullable=False),
    sa.Column("meta", sa.Text, nullable=False),
    sa.Column("facts", sa.Text, nullable=False),
    sa.Column("id_hash_keys", sa.Text),
    sa.UniqueConstraint("index_id", "id"),
    sa.UniqueConstraint("index_id", "place"),
)

#: float32 little-endian, in a table of its own so that reading documents does not read past vectors.
embedding = sa.Table(
    "embedding",
    metadata,
    sa.Column(
        "row",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        sa.ForeignKey("document.row"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("vector", sa.LargeBinary, nullable=False),
)

#: The operation log: runs of rows added ("a") or deleted ("d"). ``token`` is drawn at random for each write, so that a
#: cache knows not only how far it has read but that it read this history and not that of a restored copy.
op = sa.Table(
    "op",
    metadata,
    sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("index_id", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("first_row", sa.BigInteger, nullable=False),
    sa.Column("last_row", sa.BigInteger, nullable=False),
    sa.Column("token", sa.BigInteger, nullable=False),
    sa.Index("op_by_index", "index_id", "seq"),
    sqlite_autoincrement=True,
)
