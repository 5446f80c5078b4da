"""Documents <-> rows of the document table.

What goes in: a document. What comes out: a :class:`Record`, everything that one row and its vector hold; and back. The
invariant: what is read equals what was written, and a document that cannot be kept exactly is refused here, before
anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hayrick.errors import DamagedStoreError, DocumentError, EmbeddingError, MetadataError
from hayrick.filters import keys
from hayrick.filters.ast import Kind
from hayrick.filters.facts import facts
from hayrick.filters.values import check_text
from hayrick.schema import Document
from hayrick.schema.documents import check_content, checked_meta, vector
from hayrick.schema.identity import checked_keys
from hayrick.schema.tables import is_frame, table_rows
from hayrick.stores.documents import frames, metadata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hayrick.stores.settings import StoreSettings

#: How long an id may be, in UTF-8 bytes.
MAX_ID_BYTES: Final = 4096

_TEXT, _ROWS, _FRAME = "text", "rows", "frame"
_FLOAT32: Final = np.dtype("<f4")
#: What reading raises where what is stored is not what is ever written.
_UNREADABLE: Final = (ValueError, TypeError, AttributeError, KeyError)


class Record(NamedTuple):
    """One document as it is stored.

    Attributes:
        id: The document's id.
        content: Text, or a table's rows as JSON.
        content_type: "text", "table", "image" or "audio".
        form: How ``content`` is to be read.
        meta: Metadata as JSON.
        facts: The metadata's facts as JSON (:func:`hayrick.filters.keys.dump`).
        id_hash_keys: JSON, or None.
        vector: float32 little-endian bytes, or None.
    """

    id: str
    content: str
    content_type: str
    form: str
    meta: str
    facts: str
    id_hash_keys: str | None
    vector: bytes | None


def encode(document: Document, settings: StoreSettings) -> Record:
    """What is stored of a document.

    Raises:
        DocumentError, MetadataError, EmbeddingError: Something in it cannot be kept; the message names the document.
    """
    try:
        # A document's fields can be set after it was made, so what its constructor checked is checked again.
        check_content(document.content, document.content_type)
        form, content = _encoded_content(document)
        meta, stored_facts = encode_meta(checked_meta(document.meta))
        return Record(
            id=_checked_id(document.id),
            content=check_text(content),
            content_type=document.content_type,
            form=form,
            meta=meta,
            facts=stored_facts,
            id_hash_keys=None if document.id_hash_keys is None else json.dumps(checked_keys(document.id_hash_keys)),
            vector=None if document.embedding is None else encode_vector(vector(document.embedding), settings),
        )
    except MetadataError as error:
        raise MetadataError(f"{error.message} (document {document.id!r:.80})", error.path) from error
    except EmbeddingError as error:
        raise EmbeddingError(f"document {document.id!r:.80}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"document {document.id!r:.80}: {error}") from error


def encode_meta(meta: Mapping[str, object]) -> tuple[str, str]:
    """Metadata's two stored forms: as it is, and as facts.

    Raises:
        MetadataError: A key or value cannot be kept exactly; the error's ``path`` names it.
    """
    found = facts(meta)
    return metadata.encode(meta), keys.dump(found)


def encode_vector(embedding: NDArray[Any], settings: StoreSettings) -> bytes:
    """An embedding as float32 bytes.

    Raises:
        EmbeddingError: Not ``(embedding_dim,)``, not finite in float32, or zero under cosine.
    """
    if embedding.shape != (settings.embedding_dim,):
        raise EmbeddingError(
            f"an embedding of shape {embedding.shape}, this store keeps ({settings.embedding_dim},); "
            f"open it with embedding_dim={embedding.size} to keep these"
        )
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(embedding, _FLOAT32)
    if not np.isfinite(narrow).all():
        raise EmbeddingError("an embedding with NaN, an infinity, or a number beyond float32")
    if settings.similarity == "cosine" and not narrow.any():
        raise EmbeddingError("an embedding of zeros has no direction, so cosine cannot compare it")
    return narrow.tobytes()


def decode_vector(stored: bytes) -> NDArray[np.float32]:
    """float32 (embedding_dim,): an embedding, the caller's own."""
    return np.frombuffer(stored, _FLOAT32).astype(np.float32)


def decode(stored: tuple[Any, ...]) -> Document:
    """The document of what ``statements.READABLE`` names, without its embedding."""
    id_, content, content_type, form, meta, id_hash_keys = stored
    # Not ``readable``: a search decodes every hit, and entering a block costs more than not raising.
    try:
        return Document(
            content if form == _TEXT else _decoded_table(form, content),
            content_type,
            id_,
            meta=metadata.decode(meta),
            id_hash_keys=None if id_hash_keys is None else json.loads(id_hash_keys),
        )
    except _UNREADABLE as error:
        raise DamagedStoreError(f"the stored document {id_!r:.80} cannot be read: {error}") from error


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Read what is stored: what cannot be read was damaged, since nothing of the kind is ever written.

    Raises:
        DamagedStoreError: It cannot be read.
    """
    try:
        yield
    except _UNREADABLE as error:
        raise DamagedStoreError(f"{what} cannot be read: {error}") from error


def search_text(row: Any, field: str) -> str:
    """The text of one search field: the content, a table's cells, or the strings at a metadata path."""
    if field != "content":
        name = keys.name(Kind.STRING, field)
        return "\n".join(keys.text_of(str(key)) for found, key in keys.load(row.facts) if found == name)
    if row.form == _TEXT:
        # The content of an image or a sound is a path: nothing to search.
        return str(row.content) if row.content_type == "text" else ""
    return "\n".join(" ".join("" if cell is None else str(cell) for cell in line) for line in json.loads(row.content))


def _encoded_content(document: Document) -> tuple[str, str]:
    content = document.content
    if document.content_type != "table":
        return _TEXT, content
    return _FRAME if is_frame(content) else _ROWS, json.dumps(table_rows(content), ensure_ascii=False)


def _decoded_table(form: str, content: str) -> Any:
    rows = json.loads(content)
    return frames.data_frame(rows) if form == _FRAME else rows


def _checked_id(id_: str) -> str:
    if not isinstance(id_, str):
        raise DocumentError(f"an id is text, not a {type(id_).__name__}")
    if not id_ or len(check_text(id_).encode()) > MAX_ID_BYTES or "\x00" in id_:
        raise DocumentError(f"an id has 1 to {MAX_ID_BYTES} bytes in UTF-8, none of them NUL")
    return id_
