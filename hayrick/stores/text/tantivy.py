"""A keyword index on Tantivy: BM25 over the search fields.

What goes in: rows with their texts, and queries. What comes out: rows with BM25 scores. The invariant: Tantivy keeps no
place for a commit's own data, so the stamp lives in a marker document under row 0, replaced in the same commit as the
documents that it speaks of.

BM25 as Tantivy computes it (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"),
with k1 = 1.2 and b = 0.75, over a document d of |d| terms and N documents of avgdl terms::

    score(q, d) = sum over t of idf(t) * tf(t, d) * (k1 + 1) / (tf(t, d) + k1 * (1 - b + b * |d| / avgdl))
    idf(t)      = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))
"""

from __future__ import annotations

import dataclasses
import json
import operator
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np
import tantivy

from hayrick.errors import StorageError, TextIndexError
from hayrick.stores.text import analysis
from hayrick.stores.text.protocol import Rows, Scores, Stamp, TextQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from hayrick.stores.settings import TextSettings

#: Raised when the schema below or the analysis changes, so that older indexes are rebuilt.
VERSION: Final = 1

_MARKER_ROW: Final = 0
_ANALYSER: Final = "hayrick"
#: Words of the engine's messages that speak of the disk rather than of the index.
_DISK_FAULTS: Final = ("StorageFull", "No space left", "FileTooLarge", "File too large", "os error 5")
_HEAP_BYTES: Final = 64_000_000
#: Fewer documents than this are not worth a second indexing thread.
_LARGE: Final = 5_000


class TantivyIndex:
    """A keyword index on disk or in memory.

    Args:
        settings: How text is analysed.
        path: An existing folder, empty or with an index of the same settings; None for memory.

    Raises:
        TextIndexError: The folder holds something else, or something damaged.
    """

    def __init__(self, settings: TextSettings, path: Path | None = None) -> None:
        self.settings = settings
        #: Search field -> the engine's name for it, which must not depend on what users call their metadata.
        self._fields = {field: f"text_{number}" for number, (field, _) in enumerate(settings.fields)}
        self._analyser = analysis.analyser(settings)
        with typed_errors(path):
            self._schema = self._make_schema()
            self._index = tantivy.Index(self._schema, path=str(path) if path else None, reuse=path is not None)
            self._index.register_tokenizer(_ANALYSER, self._analyser)
            self._searcher = self._index.searcher()
        self._path = path
        self.stamp = self._read_stamp()

    @property
    def documents(self) -> int:
        """How many documents it holds, the marker not counted."""
        return int(self._searcher.num_docs) - (self.stamp is not None)

    def apply(
        self, deleted: Iterable[tuple[int, int]], added: Iterable[Sequence[tuple[int, Sequence[str]]]], stamp: Stamp
    ) -> None:
        """Take in a piece of the log, in one commit together with its stamp.

        Args:
            deleted: Runs ``(first, last)`` of rows to drop.
            added: Pages of ``(row, texts)``, one text a search field.
            stamp: What the index stands at afterwards.

        Raises:
            TextIndexError, StorageError: Nothing was taken in.
        """
        pages = iter(added)
        first = next(pages, ())
        with typed_errors(self._path):
            threads = min(os.cpu_count() or 1, 4) if len(first) >= _LARGE else 1
            writer = self._index.writer(_HEAP_BYTES * threads, threads)
            # After a kill in mid-commit, replay gives files the names of the orphans; they must go first.
            writer.garbage_collect_files()
            for run in [*deleted, (_MARKER_ROW, _MARKER_ROW)]:
                writer.delete_documents_by_query(self._rows(*run))
            self._add(writer, first)
            for page in pages:
                self._add(writer, page)
            writer.add_document(_marker(stamp))
            writer.commit()
            writer.wait_merging_threads()
        self.reload()

    def top(self, query: TextQuery, limit: int, within: Rows | None = None) -> tuple[Rows, Scores]:
        """The best rows for a query.

        Args:
            query: What is looked for.
            limit: How many at most.
            within: A few rows (up to hundreds) that alone may be found; their scores are what they are without it.

        Returns:
            int64 (n,) and float32 (n,), n <= limit, larger is better: by score, then by row.

        Raises:
            QueryError: The text has more terms than are served.
            TextIndexError: The engine failed.
        """
        compiled = self._compiled(query, within)
        searcher = self._searcher
        limit = min(limit, searcher.num_docs)
        if compiled is None or limit < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        with typed_errors(self._path):
            hits = searcher.search(compiled, limit, count=False).hits
            found = searcher.fast_field_values("row", [address for _, address in hits])
        ranked = [score for score, _ in hits]
        rows, scores = np.array(found, np.int64), np.array(ranked, np.float32)
        # The engine orders by score; among equals its order is that of its own segments.
        if any(map(operator.eq, ranked, ranked[1:])):
            order = np.lexsort((rows, -scores))
            rows, scores = rows[order], scores[order]
        return rows, scores

    def reload(self) -> None:
        """See what another process committed.

        Raises:
            TextIndexError: The index was damaged or removed since.
        """
        with typed_errors(self._path):
            self._index.reload()
            self._searcher = self._index.searcher()
        self.stamp = self._read_stamp()

    def _make_schema(self) -> tantivy.Schema:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", indexed=True, fast=True)
        builder.add_text_field("stamp", stored=True, tokenizer_name="raw", index_option="basic")
        for name in self._fields.values():
            builder.add_text_field(name, tokenizer_name=_ANALYSER)
        return builder.build()

    def _rows(self, first: int, last: int) -> tantivy.Query:
        if first == last:
            return tantivy.Query.term_query(self._schema, "row", first)
        return tantivy.Query.range_query(self._schema, "row", tantivy.FieldType.Unsigned, first, last)

    def _add(self, writer: tantivy.IndexWriter, page: Sequence[tuple[int, Sequence[str]]]) -> None:
        names = list(self._fields.values())
        for row, texts in page:
            document = tantivy.Document()
            document.add_unsigned("row", row)
            for name, text in zip(names, texts, strict=True):
                document.add_text(name, analysis.normalised(text))
            writer.add_document(document)

    def _compiled(self, query: TextQuery, within: Rows | None = None) -> tantivy.Query | None:
        """A query over the analysed terms, or None where there are none."""
        terms = analysis.terms(self._analyser, query.text)
        occur = tantivy.Occur.Must if query.all_terms else tantivy.Occur.Should
        weights = query.fields or self.settings.fields
        clauses = [(occur, self._term(term, count, weights)) for term, count in terms.items()]
        if not clauses:
            return None
        scored = tantivy.Query.boolean_query(clauses)
        return scored if within is None else _both(scored, self._any_row(within))

    def _any_row(self, rows: Rows) -> tantivy.Query:
        # One term query a row: a set query costs milliseconds however few rows it names.
        named = (tantivy.Query.term_query(self._schema, "row", row, index_option="basic") for row in rows.tolist())
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, row) for row in named])

    def _term(self, term: str, count: int, weights: Sequence[tuple[str, float]]) -> tantivy.Query:
        """A term in any search field; a term that the query repeats counts as often."""
        fields = [
            _boosted(
                tantivy.Query.term_query(self._schema, self._fields[field], term, index_option="freq"), weight * count
            )
            for field, weight in weights
        ]
        if len(fields) == 1:
            return fields[0]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, field) for field in fields])

    def _read_stamp(self) -> Stamp | None:
        with typed_errors(self._path):
            hits = self._searcher.search(self._rows(_MARKER_ROW, _MARKER_ROW), 1, count=False).hits
            if not hits:
                return None
            stored = self._searcher.doc(hits[0][1]).get_first("stamp")
        try:
            return Stamp(**json.loads(str(stored)))
        except (ValueError, TypeError) as error:
            raise TextIndexError(f"{self._path}: the keyword index's stamp cannot be read: {error}") from error


def _marker(stamp: Stamp) -> tantivy.Document:
    document = tantivy.Document()
    document.add_unsigned("row", _MARKER_ROW)
    document.add_text("stamp", json.dumps(dataclasses.asdict(stamp)))
    return document


def _both(scored: tantivy.Query, restriction: tantivy.Query) -> tantivy.Query:
    """What both find, with the first one's scores."""
    silent = tantivy.Query.const_score_query(restriction, 0.0)
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, scored), (tantivy.Occur.Must, silent)])


def _boosted(query: tantivy.Query, weight: float) -> tantivy.Query:
    return query if weight == 1.0 else tantivy.Query.boost_query(query, weight)


@contextmanager
def typed_errors(path: Path | None) -> Iterator[None]:
    """Turn the engine's errors, panics included, into hayrick's.

    Raises:
        StorageError: The disk is full or refused.
        TextIndexError: Anything else.
    """
    where = path or "the keyword index in memory"
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        kind = StorageError if any(words in str(error) for words in _DISK_FAULTS) else TextIndexError
        raise kind(f"{where}: {error}") from error
    except BaseException as error:
        # A panic in the engine is no Exception, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise TextIndexError(f"{where}: the engine failed inside: {error}") from error
