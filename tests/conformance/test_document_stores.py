"""Every store, held to the contract by the shared suite."""

from __future__ import annotations

import pytest

from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.sqlite import SQLiteDocumentStore
from hayrick.testing import DocumentStoreSuite


class TestInMemory(DocumentStoreSuite):
    @pytest.fixture
    def store(self):
        with InMemoryDocumentStore(embedding_dim=3) as store:
            yield store


class TestSQLite(DocumentStoreSuite):
    @pytest.fixture
    def store(self, tmp_path):
        with SQLiteDocumentStore(tmp_path / "store", embedding_dim=3) as store:
            yield store
