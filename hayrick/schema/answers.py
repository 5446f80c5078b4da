"""Answers: found in a document, or written by a model.

What goes in: the text of an answer, and where it comes from. What comes out: the same, comparable and convertible.
The invariant: offsets follow Python's slices; start, row and col count from 0, and an end is one past the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

from hayrick.errors import DocumentError
from hayrick.schema.display import html_box, html_content, html_fields, html_text, shorten
from hayrick.schema.documents import Document
from hayrick.schema.encoding import Jsonable, checked, copied
from hayrick.schema.tables import table_rows

AnswerType = Literal["extractive", "generative", "other"]

_TYPES = ("extractive", "generative", "other")
_ANSWER = (
    "answer", "type", "score", "context", "offsets_in_document", "offsets_in_context", "document_ids", "meta"
)  # fmt: skip
_GENERATED = ("data", "query", "documents", "meta")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` of a text, the end excluded."""

    start: int
    end: int

    def __contains__(self, value: object) -> bool:
        """Whether a position, or another span, lies inside; left-inclusive, right-exclusive.

        As in v1 the rule holds for a span's end too: ``Span(5, 8)`` is not in ``Span(2, 8)``.

        Raises:
            ValueError: ``value`` is neither a number nor a span.
        """
        if isinstance(value, Span):
            return self.start <= value.start and value.end < self.end
        try:
            return self.start <= float(value) < self.end  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise ValueError(f"a span holds numbers and spans, not {value!r}") from error


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table, header not counted: ``row`` 0 is the first row under the header."""

    row: int
    col: int


@dataclass(slots=True, eq=False)
class Answer(Jsonable):
    """An answer with its place in a document.

    Attributes:
        answer: The text; empty where the answer is that there is none.
        type: "extractive", "generative" or "other".
        score: The model's confidence, larger is better.
        context: The text, or the table, around the answer.
        offsets_in_document: Where it stands in the document's content.
        offsets_in_context: Where it stands in ``context``.
        document_ids: The documents it comes from.
        meta: Anything else.

    Raises:
        DocumentError: A ``type`` that does not exist.
    """

    answer: str
    type: AnswerType = "extractive"
    score: float | None = None
    context: Any = None
    offsets_in_document: list[Span] | list[TableCell] | None = None
    offsets_in_context: list[Span] | list[TableCell] | None = None
    document_ids: list[str] | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuses an unknown type; ``meta=None`` is an empty one, as in v1."""
        if self.type not in _TYPES:
            raise DocumentError(f"the type of an answer is one of {', '.join(_TYPES)}, not {self.type!r}")
        self.meta = {} if self.meta is None else self.meta

    def to_dict(self) -> dict[str, Any]:
        """All fields, in a new dictionary; a table in ``context`` is a list of rows."""
        values = {name: getattr(self, name) for name in _ANSWER}
        for name in ("offsets_in_document", "offsets_in_context"):
            values[name] = None if values[name] is None else [asdict(offset) for offset in values[name]]
        if self.context is not None and not isinstance(self.context, str):
            values["context"] = table_rows(self.context)
        values["document_ids"] = None if self.document_ids is None else list(self.document_ids)
        values["meta"] = copied(self.meta)
        return values

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The answer that a dictionary describes; ``document_id``, the name before v1.9, is taken too.

        Raises:
            DocumentError: A key is missing or unknown.
        """
        values = checked(data, (*_ANSWER, "document_id"), 1, "an answer")
        legacy = values.pop("document_id", None)
        if legacy is not None and values.get("document_ids") is None:
            values["document_ids"] = [legacy]
        for name in ("offsets_in_document", "offsets_in_context"):
            if values.get(name) is not None:
                values[name] = [_offset(offset) for offset in values[name]]
        return cls(**values)

    def __eq__(self, other: object) -> bool:
        """Equal in every field; a DataFrame in ``context`` equals the same table given as rows."""
        return self.to_dict() == other.to_dict() if isinstance(other, Answer) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it can change, so it is no key

    def __lt__(self, other: Answer) -> bool:
        """Orders by score.

        Raises:
            TypeError: One of them has no score.
        """
        if not isinstance(other, Answer):
            return NotImplemented
        if self.score is None or other.score is None:
            raise TypeError("answers are ordered by score, and one of these has none")
        return self.score < other.score


@dataclass(slots=True, repr=False)
class GeneratedAnswer(Jsonable):
    """An answer that a model wrote.

    Attributes:
        data: The text of the answer.
        query: The question.
        documents: What the model was given, or what it refers to.
        meta: What the generator said of the reply, and ``_references`` and ``prompt`` from the answer builder.
    """

    data: str
    query: str
    documents: list[Document]
    meta: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All fields, in a new dictionary, the documents as dictionaries."""
        documents = [document.to_dict() for document in self.documents]
        return {"data": self.data, "query": self.query, "documents": documents, "meta": copied(self.meta)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The answer that a dictionary describes; ``data`` is left as it is.

        Raises:
            DocumentError: A key is missing or unknown, or a document is none.
        """
        values = checked(data, _GENERATED, 3, "a generated answer")
        documents = [Document.from_dict(document) for document in values["documents"]]
        return cls(values["data"], values["query"], documents, copied(values.get("meta") or {}))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shorten(self.data)!r}, query={shorten(self.query)!r}, {self._count()})"

    def __rich_repr__(self) -> Iterator[Any]:
        """What rich shows: the answer, the question, and each document in short."""
        yield self.data
        yield "query", self.query
        yield "documents", self.documents, []
        yield "meta", self.meta, {}

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, and its documents numbered as the references number them."""
        items = "".join(f"<li>{html_content(document.content)}</li>" for document in self.documents)
        heading = html_fields({"query": self.query, "documents": len(self.documents)})
        return html_box(heading, html_text(self.data), f"<ol>{items}</ol>" if items else "")

    def _count(self) -> str:
        return f"{len(self.documents)} document{'' if len(self.documents) == 1 else 's'}"


def _offset(offset: Any) -> Span | TableCell:
    if isinstance(offset, Span | TableCell):
        return offset
    if isinstance(offset, Mapping):
        for kind, keys in ((Span, ("start", "end")), (TableCell, ("row", "col"))):
            if set(offset) == set(keys):
                return kind(*(offset[key] for key in keys))
    raise DocumentError(f"an offset has start and end, or row and col; found {offset!r}")
