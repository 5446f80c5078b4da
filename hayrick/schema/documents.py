"""A document, and what a search says about it.

What goes in: content with its metadata, id, score and embedding. What comes out: the same, comparable, hashable to an
id, and convertible to dictionaries and JSON. The invariant: a document always has content, an id, and a ``meta``
dictionary; making one never changes the arguments, and costs no hash when an id is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from hayrick.errors import DocumentError, EmbeddingError
from hayrick.schema.display import html_box, html_content, html_fields, summary
from hayrick.schema.encoding import Jsonable, copied, copier, decode
from hayrick.schema.identity import checked_keys, document_id
from hayrick.schema.tables import copied_table, is_table, table_rows

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    from hayrick.schema.tables import Frame

ContentType = Literal["text", "table", "image", "audio"]
HitKind = Literal["bm25", "cosine", "dot_product", "l2", "tfidf", "rrf"]

_CONTENT_TYPES = ("text", "table", "image", "audio")
#: The fields of a document's dictionary, in the order that v1 writes them.
_FIELDS = ("content", "content_type", "score", "meta", "id_hash_keys", "embedding", "id")


@dataclass(frozen=True, slots=True)
class Hit:
    """How a search found a document; it takes no part in equality, ids or dictionaries.

    Attributes:
        raw_score: The engine's own score before scaling; larger is better (an ``l2`` distance is negated).
        kind: What the raw score is.
        rank: The place in the result, from 1.
        retriever: The class name of the retriever, or of the store, that answered.
        paragraph: Where a document was found by one of its paragraphs, that paragraph's number, from 0.
    """

    raw_score: float
    kind: HitKind
    rank: int
    retriever: str = ""
    paragraph: int | None = None


class Document(Jsonable):
    """A piece of text, or a table, with its metadata.

    The names, defaults and ids are those of Haystack v1 (`hayrick.schema.identity` lists the few ids that differ).
    ``id_hash_keys`` stays ``None`` when it was not given, where v1 stored ``["content"]``, which gives another id.

    Args:
        content: Text; for a table a list of rows, header first, or a pandas DataFrame; for images and audio a path.
        content_type: "text", "table", "image" or "audio".
        id: Made from the content when not given (or empty); anything else is turned into a string.
        score: Usually set by a search, larger is better.
        meta: Metadata; kept, not copied.
        embedding: One vector, shape ``(dim,)``; a float array is kept in its dtype, other numbers become float64.
        id_hash_keys: The fields that make the id: content, content_type, score, embedding, meta, ``meta.<key>``.

    Attributes:
        hit: The `Hit` of the search that found it, or None.

    Raises:
        DocumentError: No content, content that does not fit its type, or an id that cannot be made.
        EmbeddingError: An embedding that is not one vector of numbers.
    """

    __slots__ = ("content", "content_type", "embedding", "hit", "id", "id_hash_keys", "meta", "score")

    #: ``str``, or a table; which of them follows ``content_type``, and that no type checker can know.
    content: Any
    content_type: str
    id: str
    score: float | None
    meta: dict[str, Any]
    embedding: NDArray[np.floating[Any]] | None
    id_hash_keys: list[str] | None
    hit: Hit | None

    def __init__(
        self,
        content: str | Sequence[Sequence[Any]] | Frame,
        content_type: str = "text",
        id: str | None = None,
        score: float | None = None,
        meta: dict[str, Any] | None = None,
        embedding: ArrayLike | None = None,
        id_hash_keys: Sequence[str] | None = None,
    ) -> None:
        if content.__class__ is not str or content_type != "text":
            check_content(content, content_type)
        self.content = content
        self.content_type = content_type
        self.score = score
        self.meta = {} if meta is None else meta if meta.__class__ is dict else checked_meta(meta)
        self.embedding = None if embedding is None else vector(embedding)
        self.id_hash_keys = None if id_hash_keys is None else checked_keys(id_hash_keys)
        self.hit = None
        self.id = document_id(self) if id is None or id == "" else str(id)

    def copy(self) -> Self:
        """A copy that shares nothing mutable with this document; the `Hit`, which is frozen, comes along."""
        return self._twin(copied(self.meta))

    def copies(self) -> Iterator[Self]:
        """One `copy` after another, without end; faster than asking for each."""
        new_meta = copier(self.meta)
        while True:
            yield self._twin(new_meta())

    def _twin(self, meta: dict[str, Any]) -> Self:
        content = copied_table(self.content) if self.content_type == "table" else self.content
        vector = None if self.embedding is None else self.embedding.copy()
        twin = type(self)(content, self.content_type, self.id, self.score, meta, vector, self.id_hash_keys)
        twin.hit = self.hit
        return twin

    def to_dict(self, field_map: Mapping[str, str] | None = None) -> dict[str, Any]:
        """All fields but ``hit``, in a new dictionary; a table is a list of rows, an embedding stays an array.

        Args:
            field_map: Names to use instead, as ``{"your name": "field"}``, the same that `from_dict` takes.
        """
        names = {field: name for name, field in (field_map or {}).items()}
        values = {field: getattr(self, field) for field in _FIELDS}
        values["meta"] = copied(self.meta)
        values["id_hash_keys"] = None if self.id_hash_keys is None else list(self.id_hash_keys)
        if self.content_type == "table":
            values["content"] = table_rows(self.content)
        return {names.get(field, field): value for field, value in values.items()}

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        field_map: Mapping[str, str] | None = None,
        id_hash_keys: Sequence[str] | None = None,
    ) -> Self:
        """The document that a dictionary describes; ``data`` and its ``meta`` are left as they are.

        Args:
            data: Fields of a document. Keys that are none go into ``meta``, over keys of that name. A table's rows stay
                rows, where v1 made them a DataFrame.
            field_map: Names of your own, as ``{"your name": "field"}``.
            id_hash_keys: Used where ``data`` has none.

        Raises:
            DocumentError: No content, or two keys that mean the same field.
        """
        if not isinstance(data, Mapping):
            raise DocumentError(f"a document is made from a dictionary, not from a {type(data).__name__}")
        fields, extra = _sorted_out(data, field_map or {})
        if "content" not in fields:
            raise DocumentError(f"a document needs content; found {', '.join(map(str, data)) or 'nothing'}")
        fields["meta"] = {**checked_meta(fields.get("meta") or {}), **extra}
        if fields.get("id_hash_keys") is None:
            fields["id_hash_keys"] = id_hash_keys
        return cls(**fields)

    @classmethod
    def from_json(
        cls, data: str | bytes | Path | Mapping[str, Any], field_map: Mapping[str, str] | None = None
    ) -> Self:
        """The document that JSON text, a JSON file's path, or an already parsed dictionary describes.

        Raises:
            DocumentError: It is not JSON, or not a document.
        """
        return cls.from_dict(decode(data), field_map)

    def __eq__(self, other: object) -> bool:
        """Equal in every field but ``hit``; a DataFrame equals the same table given as rows."""
        if not isinstance(other, Document):
            return NotImplemented
        return (
            self.id == other.id
            and self.content_type == other.content_type
            and self.score == other.score
            and self.id_hash_keys == other.id_hash_keys
            and self.meta == other.meta
            and _same_vector(self.embedding, other.embedding)
            and self._plain_content() == other._plain_content()
        )

    __hash__ = None  # type: ignore[assignment]  # it can change, so it is no key

    def __lt__(self, other: Document) -> bool:
        """Orders by score.

        Raises:
            TypeError: One of them has no score.
        """
        if not isinstance(other, Document):
            return NotImplemented
        if self.score is None or other.score is None:
            raise TypeError("documents are ordered by score, and one of these has none")
        return self.score < other.score

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score={self.score:.6g}"
        return f"{type(self).__name__}({summary(self.content)!r}, id={self.id!r}{score})"

    def __rich_repr__(self) -> Iterator[Any]:
        """What rich shows: a short content, and the fields that are set."""
        yield summary(self.content)
        yield "id", self.id
        yield "content_type", self.content_type, "text"
        yield "score", self.score, None
        yield "meta", self.meta, {}
        yield "embedding", None if self.embedding is None else f"{self.embedding.size} x {self.embedding.dtype}", None
        yield "hit", self.hit, None

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        score = None if self.score is None else f"{self.score:.6g}"
        return html_box(
            html_fields({"id": self.id, "score": score}), html_content(self.content), html_fields(self.meta)
        )

    def _plain_content(self) -> Any:
        return table_rows(self.content) if self.content_type == "table" else self.content


def check_content(content: object, content_type: str) -> None:
    """Refuse content that does not fit its type.

    Raises:
        DocumentError: There is none, the type is unknown, or it is neither text nor a table as the type says.
    """
    if content_type not in _CONTENT_TYPES:
        raise DocumentError(f"content_type {content_type!r} is none of {', '.join(_CONTENT_TYPES)}")
    if content is None:
        raise DocumentError("a document needs content; use an empty string where there is none")
    if content_type == "table" and not is_table(content):
        raise DocumentError(f"a table is a list of rows, each a list, or a pandas DataFrame; found {content!r:.60}")
    if content_type != "table" and not isinstance(content, str):
        hint = "; pass content_type='table' for a table" if is_table(content) else ""
        raise DocumentError(f"the content of a {content_type} is a string, not a {type(content).__name__}{hint}")


def checked_meta(meta: object) -> dict[str, Any]:
    """Metadata as a dictionary.

    Raises:
        DocumentError: It is no mapping.
    """
    if isinstance(meta, dict):
        return meta
    if isinstance(meta, Mapping):
        return dict(meta)
    raise DocumentError(f"meta is a dictionary, not a {type(meta).__name__}")


def vector(embedding: ArrayLike) -> NDArray[np.floating[Any]]:
    """An embedding as an array, shape ``(dim,)``.

    Raises:
        EmbeddingError: It is not one vector of real numbers.
    """
    try:
        array = np.asarray(embedding)
    except (ValueError, TypeError) as error:
        raise EmbeddingError(f"an embedding is one vector of numbers: {error}") from error
    if array.ndim != 1:
        raise EmbeddingError(f"an embedding has one axis, this one has shape {array.shape}")
    if array.dtype.kind == "f":
        return array
    if array.dtype.kind in "iu":
        return array.astype(np.float64)
    raise EmbeddingError(f"an embedding holds real numbers, this one has dtype {array.dtype}")


def _same_vector(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def _sorted_out(data: Mapping[str, Any], field_map: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A dictionary's keys parted into fields, under their own names, and everything else."""
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in data.items():
        field = field_map.get(key, key)
        if field not in _FIELDS:
            if key in field_map:
                raise DocumentError(f"field_map sends {key!r} to {field!r}, which is none of {', '.join(_FIELDS)}")
            extra[key] = value
        elif field in fields:
            raise DocumentError(f"{key!r} and another key both stand for {field!r}")
        else:
            fields[field] = value
    return fields, extra
