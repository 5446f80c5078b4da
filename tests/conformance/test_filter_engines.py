"""Every engine, held to the filter language by the shared suite."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from hayrick import filters as language
from hayrick.errors import UnsupportedFilterError
from hayrick.filters import keys
from hayrick.filters.facts import facts
from hayrick.filters.python import matcher
from hayrick.filters.sqlalchemy import SQLAlchemyCompiler
from hayrick.retrievers.bm25 import BM25Retriever
from hayrick.retrievers.filter import FilterRetriever
from hayrick.schema import Document
from hayrick.stores.columns.columns import IndexColumns
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.sqlite import SQLiteDocumentStore
from hayrick.testing import FilterSuite

NO_ROWS = ()


class TestPython(FilterSuite):
    @pytest.fixture
    def engine(self):
        def match(documents, filters):
            matches = matcher(language.read(filters))
            return [position for position, meta in enumerate(documents) if matches(meta)]

        return match


class TestPythonWithoutNormalising(FilterSuite):
    @pytest.fixture
    def engine(self):
        def match(documents, filters):
            matches = matcher(language.parse(filters))
            return [position for position, meta in enumerate(documents) if matches(meta)]

        return match


class TestColumns(FilterSuite):
    """One segment a call; segments of every size are the business of tests/stores/test_columns.py."""

    @pytest.fixture
    def engine(self):
        def match(documents, filters):
            tree = language.read(filters)
            stored = [(row, row, keys.dump(facts(meta))) for row, meta in enumerate(documents)]
            return IndexColumns(0).after(1, NO_ROWS, stored).select(tree).allowed().tolist()

        return match


class TestSQL(FilterSuite):
    """SQLite; what the engine declares it cannot say is answered by the reference, as a store would by its columns."""

    @pytest.fixture
    def engine(self):
        table = sa.Table("d", sa.MetaData(), sa.Column("n", sa.Integer, primary_key=True), sa.Column("facts", sa.Text))
        database = sa.create_engine("sqlite://")
        connection = database.connect()
        table.create(connection)

        def match(documents, filters):
            tree = language.read(filters)
            connection.execute(table.delete())
            connection.execute(
                table.insert(), [{"n": n, "facts": keys.dump(facts(m))} for n, m in enumerate(documents)]
            )
            try:
                clause = SQLAlchemyCompiler(table.c.facts).compile(tree)
            except UnsupportedFilterError:
                matches = matcher(tree)
                return [n for n, meta in enumerate(documents) if matches(meta)]
            return connection.execute(sa.select(table.c.n).where(clause).order_by(table.c.n)).scalars().all()

        yield match
        connection.close()
        database.dispose()

    def test_declared_gaps_are_few(self):
        """What SQL leaves to the columns, each by its own error: nothing else may be left."""
        compiler = SQLAlchemyCompiler(sa.column("facts"))
        gaps = [{"a": {"$contains": "\x00"}}, {"a": {"$eq": ["2020-01-01"] * 11}}]
        for gap in gaps:
            with pytest.raises(UnsupportedFilterError):
                compiler.compile(language.read(gap))


def _positions(documents):
    return sorted(int(document.id) for document in documents)


class _ThroughAStore(FilterSuite):
    """The whole way: documents written to a store, the filter given to a retriever."""

    def retrieve(self, store, filters):
        raise NotImplementedError

    @pytest.fixture
    def store(self):
        with InMemoryDocumentStore() as store:
            yield store

    @pytest.fixture
    def engine(self, store):
        def match(documents, filters):
            store.delete_documents()
            store.write_documents([Document("hay", id=str(n), meta=dict(m)) for n, m in enumerate(documents)])
            return _positions(self.retrieve(store, filters))

        return match


class TestFilterRetriever(_ThroughAStore):
    def retrieve(self, store, filters):
        return FilterRetriever(store).retrieve("", filters)


class TestBM25Retriever(_ThroughAStore):
    def retrieve(self, store, filters):
        return BM25Retriever(store, top_k=1000).retrieve("hay", filters)


class TestSQLiteStore(_ThroughAStore):
    @pytest.fixture
    def store(self, tmp_path):
        with SQLiteDocumentStore(tmp_path / "store") as store:
            yield store

    def retrieve(self, store, filters):
        return store.get_all_documents(filters=filters)
