"""A store after any sequence of writes, deletes and reopenings is what a dictionary would be."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from hayrick import filters as language
from hayrick.filters.python import matcher
from hayrick.schema import Document
from hayrick.stores.memory import InMemoryDocumentStore
from hayrick.stores.sqlite import SQLiteDocumentStore

IDS = st.sampled_from("abcdefgh")
WORDS = st.lists(st.sampled_from(["hay", "straw", "barn", "field"]), max_size=3).map(" ".join)
METAS = st.fixed_dictionaries({}, optional={"n": st.integers(0, 5), "t": st.lists(st.sampled_from("xyz"), max_size=2)})
FILTERS = st.sampled_from([{"n": {"$gte": 2}}, {"t": "x"}, {"$not": {"n": 3}}, {"t": {"$exists": True}}, {"n": None}])
POLICIES = st.sampled_from(["overwrite", "skip"])


class StoreMachine(RuleBasedStateMachine):
    """The model is a dictionary, which like the store keeps an overwritten entry in its place."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.model = {}
        self.store = self.open()

    def open(self):
        return SQLiteDocumentStore(self.folder / "store")

    def teardown(self):
        self.store.close()
        shutil.rmtree(self.folder)

    @rule(documents=st.lists(st.tuples(IDS, WORDS, METAS), min_size=1, max_size=4), policy=POLICIES)
    def write(self, documents, policy):
        given = [Document(text, id=id_, meta=meta) for id_, text, meta in documents]
        self.store.write_documents(given, duplicate_documents=policy)
        for id_, text, meta in documents:
            if policy == "overwrite" or id_ not in self.model:
                self.model[id_] = (text, meta)

    @rule(id_=IDS, meta=METAS)
    @precondition(lambda self: self.model)
    def update(self, id_, meta):
        id_ = id_ if id_ in self.model else next(iter(self.model))
        self.store.update_document_meta(id_, meta)
        text, old = self.model[id_]
        self.model[id_] = (text, {**old, **meta})

    @rule(ids=st.lists(IDS, max_size=3))
    def delete_ids(self, ids):
        assert self.store.delete_documents(ids=ids) == len(set(ids) & self.model.keys())
        self.model = {id_: kept for id_, kept in self.model.items() if id_ not in ids}

    @rule(filters=FILTERS)
    def delete_matching(self, filters):
        matches = matcher(language.read(filters))
        self.store.delete_documents(filters=filters)
        self.model = {id_: (text, meta) for id_, (text, meta) in self.model.items() if not matches(meta)}

    @rule()
    def reopen(self):
        self.store.close()
        self.store = self.open()

    @rule()
    def rebuild(self):
        self.store.rebuild()

    @rule(word=st.sampled_from(["hay", "straw", "barn"]), filters=FILTERS | st.none())
    def search(self, word, filters):
        matches = matcher(language.read(filters))
        expected = {id_ for id_, (text, meta) in self.model.items() if word in text.split() and matches(meta)}
        assert {hit.id for hit in self.store.query(word, filters=filters, top_k=100)} == expected

    @invariant()
    def listing_equals_the_model(self):
        assert [(d.id, (d.content, d.meta)) for d in self.store.get_all_documents()] == list(self.model.items())
        assert self.store.get_document_count() == len(self.model)


class MemoryMachine(StoreMachine):
    def open(self):
        return InMemoryDocumentStore()

    def reopen(self):
        """Memory has nothing to reopen."""


_SETTINGS = settings(max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
TestStoreOnDisk = StoreMachine.TestCase
TestStoreOnDisk.settings = _SETTINGS
TestStoreInMemory = MemoryMachine.TestCase
TestStoreInMemory.settings = _SETTINGS
