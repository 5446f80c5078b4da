"""The documents of one run: their numbers, the references to them, and their copies.

What goes in: the documents that the generator was shown. What comes out: dictionaries for ``_references``, and copies
of the documents. The invariant: everything that leaves is new, so that no two answers share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hayrick.answers.patterns import Place
    from hayrick.answers.references import Citation
    from hayrick.schema import Document


class Sources:
    """Documents that answers refer to.

    Args:
        documents: In the order that the generator saw; the first has the number 1.

    Attributes:
        numbers: The documents' numbers, by the way they are nearly always written.
    """

    __slots__ = ("_copies", "_entries", "numbers")

    def __init__(self, documents: Sequence[Document]) -> None:
        self.numbers = {str(number): number for number in range(1, len(documents) + 1)}
        self._entries = [_entry(number, document) for number, document in enumerate(documents, 1)]
        self._copies = [document.copies() for document in documents]

    def references_to_all(self) -> list[dict[str, Any]]:
        """One reference a document, none of them with a place in the answer."""
        return [entry.copy() for entry in self._entries]

    def references(self, citations: Iterable[Citation], answer: Place) -> list[dict[str, Any]]:
        """One reference a citation.

        Args:
            citations: Of a whole reply.
            answer: Which part of the reply is the answer; places count from its start, and are None outside of it.
        """
        references = []
        for number, start, end in citations:
            reference = self._entries[number - 1].copy()
            if answer[0] <= start and end <= answer[1]:
                reference["answer_start_idx"] = start - answer[0]
                reference["answer_end_idx"] = end - answer[0]
            references.append(reference)
        return references

    def copies(self) -> list[Document]:
        """A copy of every document."""
        return list(map(next, self._copies))

    def copies_of(self, references: Iterable[dict[str, Any]]) -> list[Document]:
        """A copy of each document referred to, once, in the order of the documents."""
        numbers = {reference["document_position"] for reference in references}
        return [next(self._copies[number - 1]) for number in sorted(numbers)]


def _entry(number: int, document: Document) -> dict[str, Any]:
    return {
        "document_id": document.id,
        "document_position": number,
        "label": "grounded",
        "score": 0.0 if document.score is None else float(document.score),
        "answer_start_idx": None,
        "answer_end_idx": None,
        "document_start_idx": 0,
        "document_end_idx": len(document.content),
    }
