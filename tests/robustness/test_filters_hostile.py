"""Values, paths and names from a stranger are data: the same rows as the reference says, and the same statements."""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa

from hayrick import InMemoryDocumentStore, SQLiteDocumentStore
from hayrick.filters import read
from hayrick.filters.facts import facts
from hayrick.filters.python import PythonCompiler

SQL = [
    "' OR '1'='1", "' OR 1=1 --", "'; DROP TABLE document; --", "') OR ('1'='1", '" OR ""="', "1; SELECT 1",
    "1 OR 1=1", "/* x */", "--", "#",
    "\\'", "''", "'", '"', "`", "[x]", ":x", ":1", "?", "?1", "@x", "$1", "%s", "%(x)s", "{x}", "{}", "%", "_", "%%",
    "a%", "_a", "\\", "\\\\",
    "NULL", "null", "None", "true", "TRUE", "1", "0", "1.0", "1e0", "0x1", "-0", "NaN", "inf", "x'41'",
    "CAST(1 AS TEXT)", "UNION SELECT *",
    "sqlite_master", "document.id", "rowid", "json_each.value", "ATTACH 'x' AS y", "PRAGMA user_version=9", ";", ",",
    "(", ")", "()", "*", "**",
]  # fmt: skip
JSON = [
    "$", "$.*", "$.a", "$['a']", "$[0]", "$[*]", "$..a", "$[#-1]", "a.b", "a..b", ".a", "a.", ".", "..", "a[0]",
    "[0]", '"', '""', '"a"', 'a"b',
    'a"."b', "a\\", "a\\u0000", "\\u0061", "{", "}", "[", "]", "{}", "[]", '{"a":1}', '["a"]', "}{", '":', '","',
    "\\n", "/", "~", "~0", "~1", "a/b",
    "$eq", "$and", "$or", "$not", "$$", "$date", "$datetime", '{"$date":"2020-01-01"}', "__proto__", "constructor",
    "toString", "meta", "content",
    "facts", "s", "sa", "ba", "b", "n1", "key", "value", "type", "atom",
]  # fmt: skip
TEXT = [
    "", " ", "  ", "\t", "\n", "\r\n", "\0", "a\0", "\0a", "a\0b", "\x01", "\x01\x01", "\x01\x02", "\x02", "\x7f",
    "\x80", "\x1b[0m", "é",
    "e\u0301", "É", "ß", "ss", "ſ", "K", "k", "İ", "i", "ı", "ﬁ", "fi", "Ａ", "A", "a", "😀", "👨‍👩‍👧", "\u200b",
    "\u200d", "\ufeff",
    "\u202e", "\u2028", "\ufffd", "\ufffe", "\uffff", "\U0010ffff", "日本", "שלום", "مرحبا", "\u0300", "a" * 255,
    "a" * 256, "../x", "a/b", "CON",
    "<script>", "&amp;", "http://x", "C:\\x", "-", "--help", "+", "=", "!", "~", "^", "|", "&", "<", ">", "<>", "!=",
    "==", ">=", "2020-13-45",
    "20200101", "2020-1-1", "\u00a0", "\u3000", "\U0001f468", "ﷺ", "İ" * 50, "\x00" * 50, "e" + "\u0301" * 50,
]  # fmt: skip
CORPUS = sorted(set(SQL + JSON + TEXT))
PATHS = [text for text in CORPUS if not text.startswith("$")]


def corpus_documents() -> list[dict[str, object]]:
    """Every text as a value and as a key, beside documents that an injection would also find."""
    documents = []
    for number, text in enumerate(CORPUS):
        meta = {"v": text, "n": number, "list": [text, CORPUS[number - 1]], text: "as a key", "deep": {text: number}}
        documents.append({"id": str(number), "content": "common", "meta": meta})
    return documents


@pytest.fixture(scope="module", params=["sqlite", "memory"])
def corpus_store(request, tmp_path_factory):
    made = (
        InMemoryDocumentStore()
        if request.param == "memory"
        else SQLiteDocumentStore(tmp_path_factory.mktemp("corpus") / "store")
    )
    with made as store:
        store.write_documents(corpus_documents())
        yield store


FACTS = {document["id"]: facts(document["meta"]) for document in corpus_documents()}


def by_reference(filters) -> set[str]:
    matches = PythonCompiler().compile(read(filters))
    return {id_ for id_, found in FACTS.items() if matches(found)}


def by_engines(store, filters) -> list[set[str]]:
    """The ids that the columns find, and those that SQL finds."""
    state, tree = store._state(None), read(filters)
    selection = store._selection(state)
    # The documents were written in one call, so their rows follow their ids.
    return [
        {str(row - 1) for row in found.allowed().tolist()}
        for found in (selection.select(state, tree), selection.by_sql(state, tree))
    ]


def wrong(store, shape, texts) -> list[str]:
    """The texts for which an engine's rows are not the reference's."""
    return [text for text in texts if by_engines(store, shape(text)) != [by_reference(shape(text))] * 2]


#: A third of the texts with each shape in the ordinary run, another third with the next one.
SHARE = pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.exhaustive)])


def test_the_corpus_is_large_enough():
    assert len(CORPUS) > 200


#: A shape of filter for a value from the corpus.
VALUE_SHAPES = {
    "$eq": lambda text: {"v": text},
    "$ne": lambda text: {"v": {"$ne": text}},
    "$in": lambda text: {"v": [text, "not there"]},
    "$nin": lambda text: {"list": {"$nin": [text]}},
    "$gt": lambda text: {"v": {"$gt": text}},
    "$lte": lambda text: {"list": {"$lte": text}},
    "whole list": lambda text: {"list": {"$eq": [text, "a"]}},
    "$or with $not": lambda text: {"$or": [{"v": text}, {"$not": {"list": {"$gte": text}}}]},
}
#: A shape of filter for a path from the corpus.
PATH_SHAPES = {
    "$eq": lambda path: {path: "as a key"},
    "$exists": lambda path: {path: {"$exists": True}},
    "$gt": lambda path: {path: {"$gt": 10}},
    "nested": lambda path: {f"deep.{path}": {"$gte": 0}},
    "$not": lambda path: {"$not": {path: {"$in": ["as a key", 1]}}},
}


@SHARE
class TestTheSameRowsAsTheReference:
    @pytest.mark.parametrize("shape", VALUE_SHAPES)
    def test_for_any_value(self, corpus_store, shape, share):
        assert wrong(corpus_store, VALUE_SHAPES[shape], CORPUS[list(VALUE_SHAPES).index(shape) % share :: share]) == []

    @pytest.mark.parametrize("shape", PATH_SHAPES)
    def test_for_any_path(self, corpus_store, shape, share):
        assert wrong(corpus_store, PATH_SHAPES[shape], PATHS[list(PATH_SHAPES).index(shape) % share :: share]) == []


def test_contains_finds_the_same_rows_as_the_reference(corpus_store):
    for text in CORPUS:
        filters = {"v": {"$contains": text}}
        assert {d.id for d in corpus_store.get_all_documents(filters=filters)} == by_reference(filters), text


@pytest.mark.parametrize("call", ["query", "count", "values", "sort", "delete"])
def test_hostile_text_in_other_arguments_is_data(corpus_store, call):
    choose = random.Random(4)
    for path in choose.sample(PATHS, 60):
        match call:
            case "query":
                assert {d.id for d in corpus_store.query("common", {path: "as a key"}, top_k=1000)} == by_reference(
                    {path: "as a key"}
                )
            case "count":
                assert corpus_store.count({path: {"$exists": True}}) == len(by_reference({path: {"$exists": True}}))
            case "values":
                found = {entry["value"]: entry["count"] for entry in corpus_store.get_metadata_values_by_key(path)}
                assert found.get("as a key", 0) == len(by_reference({path: "as a key"}))
            case "sort":
                assert len(corpus_store.get_all_documents(sort=[path, f"-{path}"])) == len(CORPUS)
            case "delete":
                assert corpus_store.delete_documents(filters={path: "never written", "v": path}) == 0
                assert corpus_store.delete_documents(ids=[f"no {path}"]) == 0
    assert corpus_store.count() == len(CORPUS)


def test_hostile_index_names_keep_to_themselves(store):
    names = [text for text in CORPUS if text and "\0" not in text and len(text) < 200][::12]
    for number, name in enumerate(names):
        store.write_documents([{"id": "a", "content": "x", "number": number}], index=name)
    assert [store.get_document_by_id("a", index=name).meta for name in names] == [
        {"number": n} for n in range(len(names))
    ]
    for number, name in enumerate(names):
        assert store.count({"number": number}, index=name) == 1
        store.delete_index(name)
    assert store.indexes() == ["document"]
    assert store.count() == 4


def statements(store, call) -> frozenset[str]:
    """The text of every statement that a call sends to SQLite."""
    seen: set[str] = set()

    def note(connection, cursor, statement, parameters, context, executemany):
        seen.add(statement)

    engine = store._database.engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        call()
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
    return frozenset(seen)


class TestAStatementsTextDependsOnTheShapeAlone:
    @pytest.mark.parametrize("shape", VALUE_SHAPES.values(), ids=VALUE_SHAPES)
    def test_not_on_the_value(self, corpus_store, shape):
        assert (
            len({statements(corpus_store, lambda t=text: by_engines(corpus_store, shape(t))) for text in CORPUS[::5]})
            == 1
        )

    @pytest.mark.parametrize("shape", PATH_SHAPES.values(), ids=PATH_SHAPES)
    def test_not_on_the_path(self, corpus_store, shape):
        assert (
            len({statements(corpus_store, lambda p=path: by_engines(corpus_store, shape(p))) for path in PATHS[::5]})
            == 1
        )

    def test_not_on_ids_contents_metadata_or_names(self, store):
        def use(text):
            document = {"id": f"i{text}", "content": text, "meta": {text: text}, "id_hash_keys": [f"meta.{text}"]}
            store.write_documents([document], index=f"x{text}")
            store.query(text, index=f"x{text}")
            store.update_document_meta(f"i{text}", {text: 1}, index=f"x{text}")
            store.get_documents_by_id([text], index=f"x{text}")
            store.delete_documents(f"x{text}", [f"i{text}"])
            store.delete_index(f"x{text}")

        texts = [text for text in CORPUS if text and "\0" not in text and len(text) < 100]
        assert len({statements(store, lambda t=text: use(t)) for text in texts[::8]}) == 1

    def test_not_on_how_many_values_there_are(self, corpus_store):
        counts = (2, 3, 1000, 100_000)
        members = [[f"value {number}" for number in range(count)] for count in counts]
        assert (
            len(
                {
                    statements(corpus_store, lambda m=some: by_engines(corpus_store, {"v": {"$in": m}}))
                    for some in members
                }
            )
            == 1
        )
