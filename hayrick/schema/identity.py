"""How a document's id is made.

What goes in: a document's fields and, optionally, the names of those that count. What comes out: MurmurHash3 (x64,
128 bits, seed 0) as lower-case hexadecimal digits without leading zeros, two at least. The invariant: equal fields give
equal ids, on every machine and in every process.

Without ``id_hash_keys`` the content alone is hashed; with them, ``":"`` and the value of each, one after the other. So
``None`` and ``["content"]`` give different ids for one text, as in Haystack v1. Texts get the ids that v1 gave them;
the ids differ from v1's where v1's were at fault:

- a table's id comes from all its rows: v1 hashed what pandas prints, which leaves out the middle of large frames;
- an embedding's comes from all its numbers: v1 hashed what numpy prints, which leaves out the middle too;
- ``meta`` is hashed with sorted keys at every depth: v1 made two ids of ``{"a": 1, "b": 2}`` and ``{"b": 2, "a": 1}``.
  Metadata whose keys were sorted already keep their id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import mmh3
import numpy as np

from hayrick.errors import DocumentError, MetadataError
from hayrick.schema.tables import table_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

_META = "meta."


class Fields(Protocol):
    """What an id is made from: a document, before it has one."""

    content: Any
    content_type: str
    score: float | None
    meta: dict[str, Any]
    embedding: NDArray[np.floating[Any]] | None
    id_hash_keys: list[str] | None


def document_id(document: Fields) -> str:
    """The id that a document's fields give it.

    Raises:
        DocumentError: No field named by ``id_hash_keys`` is there, or the text is not Unicode.
    """
    keys = document.id_hash_keys
    if keys is None:
        return murmur_hex(_content(document))
    named = [(key, _field(document, key)) for key in keys]
    found = [value for _, value in named if value is not None]
    if not found:
        raise DocumentError(
            f"no id can be made: the document has none of id_hash_keys={keys}; name a field that it has, or pass an id"
        )
    return murmur_hex("".join(f":{value}" for value in found))


def checked_keys(keys: Sequence[str]) -> list[str]:
    """``id_hash_keys`` as a new list of names that can be hashed.

    Raises:
        DocumentError: A name that is none of a document's fields, or a bare string instead of a list.
    """
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise DocumentError(f"id_hash_keys is a list of names, not {keys!r}; write [{keys!r}]")
    for key in keys:
        if key not in _FIELDS and not (isinstance(key, str) and key.startswith(_META) and key != _META):
            raise DocumentError(f"id_hash_keys: unknown {key!r}; it takes {', '.join(_FIELDS)} and meta.<key>")
    return list(keys)


def murmur_hex(text: str) -> str:
    """MurmurHash3 x64-128 of ``text`` in UTF-8, as lower-case hexadecimal digits, unpadded beyond two.

    Raises:
        DocumentError: Half of a surrogate pair, which UTF-8 cannot encode.
    """
    try:
        # Encoded here, never inside mmh3: its C code crashes the process on text that UTF-8 cannot encode.
        data = text.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"no id can be made: the text has a lone surrogate (U+{ord(text[error.start]):04X}), which is not Unicode; "
            f"replace it, for example with text.encode('utf8', 'replace').decode(), or pass an id"
        ) from error
    return f"{mmh3.hash128(data, signed=False):02x}"


def _field(document: Fields, key: str) -> str | None:
    if not key.startswith(_META):
        return _FIELDS[key](document)
    name = key.removeprefix(_META)
    return _canonical(document.meta[name], key) if name in document.meta else None


def _content(document: Fields) -> str:
    if document.content_type != "table":
        return str(document.content)
    return json.dumps(table_rows(document.content), ensure_ascii=False)


def _embedding(document: Fields) -> str:
    if document.embedding is None:
        return str(None)
    # In one byte order and precision, and with -0.0 made 0.0, vectors that are equal are equal bytes.
    return (document.embedding.astype("<f8") + 0.0).tobytes().hex()


_FIELDS: dict[str, Callable[[Fields], str]] = {
    "content": _content,
    "content_type": lambda document: document.content_type,
    "score": lambda document: str(document.score),
    "embedding": _embedding,
    "meta": lambda document: _canonical(document.meta, "meta"),
}


def _canonical(value: Any, path: str) -> str:
    try:
        return str(_ordered(value, path))
    except RecursionError as error:
        raise MetadataError("it contains itself, or nests too deep to make an id from", path) from error


def _ordered(value: Any, path: str) -> Any:
    """``value`` in a form whose ``str`` does not depend on the order of keys, nor on numpy."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        # The type's name keeps 1 and "1" apart, which would otherwise stay in their order of insertion.
        keys = sorted(value, key=lambda key: (str(key), type(key).__name__))
        return {key: _ordered(value[key], f"{path}.{key}") for key in keys}
    if isinstance(value, list | tuple):
        return [_ordered(member, path) for member in value]
    if isinstance(value, set | frozenset):
        raise MetadataError("a set has no order to make an id from; use a sorted list", path)
    return value
