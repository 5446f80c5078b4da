"""The suite that holds a document store to its contract.

Subclass it with one fixture, an empty store::

    class TestMyStore(DocumentStoreSuite):
        @pytest.fixture
        def store(self, tmp_path):
            with MyStore(tmp_path / "store", embedding_dim=3) as store:
                yield store

The store keeps embeddings of three numbers.
"""

from hayrick.testing.stores.reading import Reads
from hayrick.testing.stores.searching import Queries
from hayrick.testing.stores.writing import Writes

__all__ = ["DocumentStoreSuite"]


class DocumentStoreSuite(Writes, Reads, Queries):
    """The whole contract, on the store that the fixture ``store`` gives."""
