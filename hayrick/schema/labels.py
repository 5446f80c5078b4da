"""Labels: what people, or gold data, say about a query, a document and an answer.

What goes in: judgements, one a label. What comes out: the same, and `MultiLabel`, the labels of one query seen
together. The invariant: a `MultiLabel` is never empty, and all its labels have one query and one set of filters.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self
from uuid import uuid4

from hayrick.errors import DocumentError
from hayrick.schema.answers import Answer
from hayrick.schema.display import shorten
from hayrick.schema.documents import Document
from hayrick.schema.encoding import Jsonable, checked, copied

Origin = Literal["user-feedback", "gold-label"]

_ORIGINS = ("user-feedback", "gold-label")
_REQUIRED = ("query", "document", "is_correct_answer", "is_correct_document", "origin")
_LABEL = (*_REQUIRED, "answer", "id", "pipeline_id", "created_at", "updated_at", "meta", "filters")
_MULTI = ("labels", "drop_negative_labels", "drop_no_answers")


@dataclass(slots=True, eq=False)
class Label(Jsonable):
    """One judgement.

    Attributes:
        query: The question.
        document: The document judged.
        is_correct_answer: Whether the answer is right.
        is_correct_document: Whether the document is.
        origin: "user-feedback" or "gold-label".
        answer: The answer judged; None where only the document was.
        id: A random UUID when not given.
        pipeline_id: Which pipeline gave the answer.
        created_at: Local time as ``YYYY-MM-DD HH:MM:SS``; now, when not given.
        updated_at: The same for the last change.
        meta: Anything else.
        filters: The filters that the query was asked with.

    Raises:
        DocumentError: An unknown origin, or a document or answer of another class.
    """

    query: str
    document: Document
    is_correct_answer: bool
    is_correct_document: bool
    origin: Origin
    answer: Answer | None = None
    id: str = ""
    pipeline_id: str | None = None
    created_at: str = ""
    updated_at: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    filters: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        """Fills what was left out, None counting as left out, and refuses what is no label."""
        if self.origin not in _ORIGINS:
            raise DocumentError(f"the origin of a label is one of {', '.join(_ORIGINS)}, not {self.origin!r}")
        if not isinstance(self.document, Document):
            raise DocumentError(f"a label's document is a Document, not a {type(self.document).__name__}")
        if not isinstance(self.answer, Answer | None):
            raise DocumentError(f"a label's answer is an Answer or None, not a {type(self.answer).__name__}")
        self.id = str(self.id or uuid4())
        self.created_at = self.created_at or time.strftime("%Y-%m-%d %H:%M:%S")
        self.meta = {} if self.meta is None else self.meta

    @property
    def no_answer(self) -> bool | None:
        """Whether the label says that there is no answer; None where no answer was judged."""
        return None if self.answer is None else not (self.answer.answer or "").strip()

    @property
    def is_positive(self) -> bool:
        """Whether it vouches for its document, and for its answer where it has one."""
        return self.is_correct_document and (self.answer is None or self.is_correct_answer)

    def to_dict(self) -> dict[str, Any]:
        """All fields, in a new dictionary, document and answer as dictionaries."""
        values = {name: getattr(self, name) for name in _LABEL}
        values["document"] = self.document.to_dict()
        values["answer"] = None if self.answer is None else self.answer.to_dict()
        values["meta"] = copied(self.meta)
        values["filters"] = None if self.filters is None else copied(self.filters)
        return values

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The label that a dictionary describes.

        ``no_answer``, which v1 stored before 1.9, follows from the answer and is not read.

        Raises:
            DocumentError: A key is missing or unknown.
        """
        values = checked(data, (*_LABEL, "no_answer"), len(_REQUIRED), "a label")
        values.pop("no_answer", None)
        for name, kind in (("document", Document), ("answer", Answer)):
            if isinstance(values.get(name), Mapping):
                values[name] = kind.from_dict(values[name])
        return cls(**values)

    def _judgement(self) -> tuple[object, ...]:
        return (self.query, self.is_correct_answer, self.is_correct_document, self.origin, self.pipeline_id)

    def __eq__(self, other: object) -> bool:
        """The same judgement; id, metadata, times and filters do not count, so that repeats can be dropped."""
        if not isinstance(other, Label):
            return NotImplemented
        return (
            self._judgement() == other._judgement() and self.document == other.document and self.answer == other.answer
        )

    def __hash__(self) -> int:
        return hash((*self._judgement(), self.document.id, self.answer and self.answer.answer))


class MultiLabel(Jsonable):
    """The labels of one query, repeats dropped, seen together.

    Args:
        labels: One at least, all with the same query and the same filters.
        drop_negative_labels: Leave out those that are not `Label.is_positive`.
        drop_no_answers: Leave out those that say there is no answer.

    Attributes:
        labels: Those that stay, in the order given.
        query: Their query.
        filters: Their filters.
        id: MD5 of the query and the filters: the same question has the same id everywhere.
        no_answer: Whether every label says that there is no answer.
        answers: The texts of those that have one; ``[""]`` where ``no_answer``.
        offsets_in_documents: The offsets of these answers, as dictionaries.
        offsets_in_contexts: The same within their contexts.
        document_ids: The documents of the labels that do not say "no answer".
        contexts: Their contents.

    Raises:
        DocumentError: No label is given or stays, or their queries or filters differ.
    """

    __slots__ = (
        "answers", "contexts", "document_ids", "drop_negative_labels", "drop_no_answers", "filters", "id", "labels",
        "no_answer", "offsets_in_contexts", "offsets_in_documents", "query",
    )  # fmt: skip

    def __init__(
        self, labels: Sequence[Label], drop_negative_labels: bool = False, drop_no_answers: bool = False
    ) -> None:
        self.drop_negative_labels = drop_negative_labels
        self.drop_no_answers = drop_no_answers
        self.labels = self._kept(labels)
        self.query: str = self._shared("query")
        self.filters: dict[str, Any] | None = self._shared("filters")
        key = self.query + json.dumps(self.filters, sort_keys=True, default=str)
        self.id = hashlib.md5(key.encode(errors="replace"), usedforsecurity=False).hexdigest()
        self._gather()

    def _kept(self, labels: Sequence[Label]) -> list[Label]:
        kept = [
            label
            for label in dict.fromkeys(labels)
            if not (self.drop_negative_labels and not label.is_positive)
            and not (self.drop_no_answers and label.no_answer)
        ]
        if not kept:
            why = f"all {len(labels)} were dropped as negative, or without an answer" if labels else "none is given"
            raise DocumentError(f"a MultiLabel needs at least one label; {why}")
        return kept

    def _shared(self, name: str) -> Any:
        values = [getattr(label, name) for label in self.labels]
        if any(value != values[0] for value in values):
            raise DocumentError(f"the labels of a MultiLabel share one {name}; found {shorten(values, 200)}")
        return values[0]

    def _gather(self) -> None:
        telling = [label for label in self.labels if not label.no_answer]
        answers = [label.answer for label in telling if label.answer is not None]
        self.no_answer = not telling
        self.document_ids = [label.document.id for label in telling]
        self.contexts = [label.document.content for label in telling]
        nothing = {"start": 0, "end": 0}
        self.answers = [answer.answer for answer in answers] if telling else [""]
        self.offsets_in_documents = list(_offsets(answers, "offsets_in_document")) if telling else [dict(nothing)]
        self.offsets_in_contexts = list(_offsets(answers, "offsets_in_context")) if telling else [nothing]

    def __len__(self) -> int:
        return len(self.labels)

    def to_dict(self) -> dict[str, Any]:
        """The labels and what was dropped; the rest follows from them."""
        return {
            "labels": [label.to_dict() for label in self.labels],
            "drop_negative_labels": self.drop_negative_labels,
            "drop_no_answers": self.drop_no_answers,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The labels that a dictionary describes; what v1 stored beside them follows from them and is not read.

        Raises:
            DocumentError: No labels, or labels that do not belong together.
        """
        values = checked({key: data[key] for key in _MULTI if key in data}, _MULTI, 1, "a MultiLabel")
        values["labels"] = [Label.from_dict(label) for label in values["labels"]]
        return cls(**values)

    def __eq__(self, other: object) -> bool:
        """The same labels in the same order."""
        return self.labels == other.labels if isinstance(other, MultiLabel) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it can change, so it is no key

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shorten(self.query)!r}, answers={shorten(self.answers)}, labels={len(self)})"


def _offsets(answers: Sequence[Answer], name: str) -> Iterator[dict[str, int]]:
    for answer in answers:
        for offset in getattr(answer, name) or ():
            yield asdict(offset)
