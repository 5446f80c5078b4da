"""Documents in the order of a metadata field.

What goes in: documents and a sort specification. What comes out: the documents sorted. The invariant: the order is
total and stable: by kind (bool, number, string, datetime), then by value as filters compare it, documents without the
field last in either direction, equal ones in the order they came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hayrick.errors import QueryError
from hayrick.filters.ast import Kind
from hayrick.filters.facts import facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hayrick.schema import Document

_ORDERED = {Kind.BOOL: 0, Kind.NUMBER: 1, Kind.STRING: 2, Kind.DATETIME: 3}


def ordered(documents: list[Document], sort: str | Sequence[str] | None) -> list[Document]:
    """Sort by one or more fields.

    Args:
        documents: In insertion order.
        sort: Metadata paths, the most important first; "-year" for descending. A list counts by its least value, or
            its greatest when descending.

    Raises:
        QueryError: The specification is not text.
    """
    paths = [sort] if isinstance(sort, str) else list(sort or ())
    if not all(isinstance(path, str) for path in paths):
        raise QueryError(f"sort takes metadata paths such as 'year' or '-year', not {sort!r:.80}")
    # Sorting is stable, so the least important field goes first.
    for path in reversed(paths):
        descending = path.startswith("-")
        found = [(document, _keys(document, path.removeprefix("-"))) for document in documents]
        pick = max if descending else min
        present = [(document, pick(keys)) for document, keys in found if keys]
        # reverse=True keeps equal elements in their order, as sorted() promises.
        present.sort(key=lambda pair: pair[1], reverse=descending)
        documents = [document for document, _ in present] + [document for document, keys in found if not keys]
    return documents


def _keys(document: Document, path: str) -> list[tuple[int, Any]]:
    return [(_ORDERED[f.kind], f.value) for f in facts(document.meta) if f.path == path and f.kind in _ORDERED]
