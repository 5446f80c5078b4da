"""The answer builder of the RAG pipeline.

What goes in: a query, a generator's replies, and the documents that the generator was shown. What comes out: one
`GeneratedAnswer` a reply, with the references it makes to the documents. The invariant: nothing given is changed, and
no two answers share anything that can be changed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from hayrick.answers.patterns import Deadline, UserPattern
from hayrick.answers.references import acm_reader, citations, named
from hayrick.answers.sources import Sources
from hayrick.errors import DocumentError, SettingsError
from hayrick.schema import Document, GeneratedAnswer
from hayrick.schema.encoding import copied

if TYPE_CHECKING:
    from hayrick.answers.patterns import Place
    from hayrick.answers.references import Reader

_T = TypeVar("_T")

_log = logging.getLogger("hayrick.answers")

_OWN_TYPE = "hayrick.answers.DeepsetAnswerBuilder"
#: What a pipeline's YAML may call this component: hayrick's name, and the one that deepset documents.
_TYPES = (_OWN_TYPE, "deepset_cloud_custom_nodes.augmenters.deepset_answer_builder.DeepsetAnswerBuilder")
_SETTINGS = (
    "pattern", "reference_pattern", "expand_reference_ranges", "return_only_referenced_documents", "pattern_timeout"
)  # fmt: skip
_ACM = "acm"


class DeepsetAnswerBuilder:
    r"""Turns replies into answers with references.

    Args:
        pattern: A regular expression that finds the answer in a reply: its capture group, or the whole match where it
            has none; no match is an empty answer. Without a pattern, or with "", the whole reply is the answer.
        reference_pattern: A regular expression that finds references: numbers of documents, from 1, in its capture
            group, of which every repetition counts, or in the whole match. ``"acm"`` stands for
            ``\[(?:(\d+),?\s*)+\]``: it finds 1 and 2 in "an answer[1, 2]". Without one every document is referenced.
        expand_reference_ranges: Whether "[1-3]" refers to 1, 2 and 3.
        return_only_referenced_documents: Whether an answer holds the documents it refers to only, instead of all.
        pattern_timeout: Seconds that the patterns may take on one reply.

    Raises:
        PatternError: A pattern that does not compile or has two capture groups.
        SettingsError: A timeout that is no positive number.
    """

    def __init__(
        self,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        *,
        expand_reference_ranges: bool = False,
        return_only_referenced_documents: bool = False,
        pattern_timeout: float = 1.0,
    ) -> None:
        if not (isinstance(pattern_timeout, int | float) and math.isfinite(pattern_timeout) and pattern_timeout > 0):
            raise SettingsError(f"pattern_timeout is a number of seconds above 0, not {pattern_timeout!r}")
        self.pattern = pattern
        self.reference_pattern = reference_pattern
        self.expand_reference_ranges = expand_reference_ranges
        self.return_only_referenced_documents = return_only_referenced_documents
        self.pattern_timeout = pattern_timeout
        self._rules(None, None)  # a bad pattern shows here, not at the first query

    def run(
        self,
        query: str,
        replies: list[str],
        meta: list[dict[str, Any]] | None = None,
        documents: list[Document] | None = None,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        prompt: str | None = None,
    ) -> dict[str, list[GeneratedAnswer]]:
        """One answer a reply.

        An answer's ``meta`` is the reply's own, and ``prompt`` where one is given, and ``_references``: a list with one
        dictionary a citation, in the order of the text, or one a document where there is no reference pattern:

        - ``document_id``; ``document_position``, from 1, in ``documents``; ``label``, always "grounded"
        - ``score``: the document's, or 0.0
        - ``answer_start_idx``, ``answer_end_idx``: the number's place in the answer (with ranges the range's), or None
          where ``pattern`` left it out, or where there is no citation
        - ``document_start_idx``, ``document_end_idx``: 0 and the length of the content (of a table, its rows)

        A reference that no document answers is skipped, with a warning on the logger ``hayrick.answers``.

        Args:
            query: The question.
            replies: What the generator wrote.
            meta: What the generator said of each reply, as many as replies; None or [] where it said nothing.
            documents: What the generator was shown, in that order; the answers hold copies.
            pattern: Used instead of the builder's own.
            reference_pattern: Used instead of the builder's own.
            prompt: What the generator was asked.

        Returns:
            ``{"answers": [...]}``, in the order of the replies.

        Raises:
            DocumentError: Arguments of another kind, or another number of ``meta`` than of replies.
            PatternError: A pattern that does not compile or has two capture groups.
            PatternTimeoutError: The patterns took too long on one reply.
        """
        sources = Sources(_checked(documents or [], Document, "documents"))
        extract, find = self._rules(pattern, reference_pattern)
        if documents is None:  # nothing to refer to: no reference is out of range either
            find = None
        answers = []
        for reply, own in zip(_checked(replies, str, "replies"), _metas(meta, len(replies)), strict=True):
            deadline = Deadline(self.pattern_timeout)
            place = extract.first(reply, deadline) if extract else (0, len(reply))
            references = self._references(reply, place, find and find(reply, deadline), sources)
            attached = sources.copies_of(references) if self.return_only_referenced_documents else sources.copies()
            own.update({} if prompt is None else {"prompt": prompt}, _references=references)
            answers.append(GeneratedAnswer(reply[slice(*place)], query, attached, own))
        return {"answers": answers}

    def to_dict(self) -> dict[str, Any]:
        """The component as a pipeline's YAML holds it: ``type`` and ``init_parameters``."""
        return {"type": _OWN_TYPE, "init_parameters": {name: getattr(self, name) for name in _SETTINGS}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The builder that a component block of a pipeline's YAML describes.

        Args:
            data: ``type``, hayrick's or deepset's name of this component, and ``init_parameters``.

        Raises:
            SettingsError: Another component, or parameters that do not exist.
            PatternError: A pattern that does not compile or has two capture groups.
        """
        if not isinstance(data, Mapping) or data.get("type") not in _TYPES:
            raise SettingsError(f"expected a component of type {' or '.join(_TYPES)}, found {data!r:.200}")
        settings = data.get("init_parameters") or {}
        if not isinstance(settings, Mapping) or (set(settings) - set(_SETTINGS)):
            raise SettingsError(f"init_parameters takes {', '.join(_SETTINGS)}; found {settings!r:.200}")
        return cls(**settings)

    def _rules(self, pattern: str | None, reference_pattern: str | None) -> tuple[UserPattern | None, Reader | None]:
        extract, refer = pattern or self.pattern, reference_pattern or self.reference_pattern
        answer = UserPattern(extract, "pattern") if extract else None
        if refer == _ACM:
            return answer, acm_reader(ranges=self.expand_reference_ranges)
        return answer, UserPattern(refer, "reference_pattern").all if refer else None

    def _references(
        self, reply: str, answer: Place, places: Iterable[Place] | None, sources: Sources
    ) -> list[dict[str, Any]]:
        if places is None:
            return sources.references_to_all()
        found, skipped = citations(reply, places, sources.numbers, ranges=self.expand_reference_ranges)
        if skipped:
            _log.warning("skipped references outside the %d documents: %s", len(sources.numbers), named(skipped))
        return sources.references(found, answer)


def _checked(values: Sequence[_T], kind: type[_T], name: str) -> Sequence[_T]:
    if not isinstance(values, list | tuple) or not all(isinstance(value, kind) for value in values):
        raise DocumentError(f"{name} is a list of {kind.__name__}, not {values!r:.200}")
    return values


def _metas(meta: Sequence[dict[str, Any]] | None, replies: int) -> list[dict[str, Any]]:
    """A dictionary of its own for each reply."""
    if not meta:
        return [{} for _ in range(replies)]
    _checked(meta, dict, "meta")
    if len(meta) != replies:
        raise DocumentError(f"{len(meta)} meta for {replies} replies; give one dictionary for each reply, or none")
    return [copied(own) for own in meta]
