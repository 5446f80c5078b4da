"""What goes into a store and what comes out of it: documents, labels and answers.

- ``documents``: `Document`, and the `Hit` that a search leaves on it
- ``labels``: `Label`, and the `MultiLabel` that gathers those of one query
- ``answers``: `Answer` with its `Span` or `TableCell` offsets, and `GeneratedAnswer`
- ``identity``: how a document's id is made
- ``tables``: tables as plain rows, whether they came as rows or as a DataFrame
- ``encoding``: JSON, and copies of metadata
- ``display``: the short forms that terminals and notebooks show

The names, arguments and ids are those of Haystack v1; each module says where it differs and why.
"""

from __future__ import annotations

from hayrick.schema.answers import Answer, GeneratedAnswer, Span, TableCell
from hayrick.schema.documents import Document, Hit, HitKind
from hayrick.schema.labels import Label, MultiLabel
from hayrick.schema.tables import table_rows

__all__ = [
    "Answer",
    "Document",
    "GeneratedAnswer",
    "Hit",
    "HitKind",
    "Label",
    "MultiLabel",
    "Span",
    "TableCell",
    "table_rows",
]
