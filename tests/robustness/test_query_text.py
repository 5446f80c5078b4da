"""Any text is a query: it gives a list or a hayrick error, and the next query is answered as if nothing had been."""

from __future__ import annotations

import random
import unicodedata

import numpy as np
import pytest

from hayrick.errors import HayrickError, QueryError

GRAMMAR = [
    "*", "content:*", "*:*", "field:[1 TO *]", "field:{* TO 1}", "content:giraffe", "year:2001", "NOT giraffe",
    "AND", "OR", "NOT",
    "NOT NOT NOT", "giraffe AND", "AND giraffe", "+giraffe -bear", "+", "-", "--", "giraffe^2", "giraffe^", "^2",
    "giraffe~2", "~",
    '"', '""', '"giraffe', 'giraffe"', '"giraffe eats"~2', "'", "(", ")", "(giraffe", "giraffe)", "()", "(()", "[",
    "]", "[1 TO",
    "{", "}", "IN [a b]", "content: IN []", "<", ">", ">=1", "\\", "\\\\", "giraffe\\", "/a.*/", "/(a+)+$/", "?",
    "g?raffe", "gir*",
    "*affe", "${query}", "%", "_", "';--", "' OR '1'='1", "'; DROP TABLE document; --", "$.*", "\n", "\t", " ", "",
    "\r\n" * 100,
]  # fmt: skip
UNICODE = {
    "NUL": "\0",
    "NUL inside": "gir\0affe",
    "a lone high surrogate": "\ud800",
    "a lone low surrogate": "giraffe \udc00",
    "surrogates the wrong way round": "\udc00\ud800",
    "right to left": "\u202egiraffe\u202c שלום مرحبا",
    "joiners": "a\u200d\u200cb\ufeff",
    "many accents": "e" + "\u0301" * 10_000,
    "beyond the basic plane": "😀🏳️‍🌈𝒳",
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "a dotted capital I": "İ" * 1000,
    "a ligature that grows": "\ufdfa" * 10_000,
}
LONG = {
    "100,000 open brackets": "(" * 100_000,
    "100,000 closed brackets": ")" * 100_000,
    "100,000 pairs of brackets": "(" * 100_000 + ")" * 100_000,
    "100,000 square brackets": "[" * 100_000,
    "100,000 quotes": '"' * 100_000,
    "5,000 NOT": "NOT " * 5000,
    "5,000 AND": "giraffe AND " * 5000,
    "100,000 carets": "a" + "^2" * 100_000,
    "a word of 10 MB": "x" * 10_000_000,
    "one word over 10 MB": "zebra " * 1_666_667,
    "10 MB of spaces": " " * 10_000_000,
    "4,096 words": " ".join(f"w{number}" for number in range(4096)),
}
TEXTS = {repr(text): text for text in GRAMMAR} | UNICODE | LONG


def unharmed(store):
    return [document.id for document in store.query("acacia")] == ["a"]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_is_a_query(kept_store, text):
    assert isinstance(kept_store.query(text), list)
    if len(text) < 1_000_000:
        assert isinstance(kept_store.query(text, all_terms_must_match=True), list)
    assert unharmed(kept_store)


def test_5_000_random_strings_are_queries(kept_store):
    choose = random.Random(5)
    signs = ["giraffe", "bear", *GRAMMAR, *(text for text in UNICODE.values() if len(text) < 100)]
    for _ in range(5000):
        if choose.random() < 0.5:
            text = "".join(choose.choices(signs, k=choose.randrange(1, 12)))
        else:
            text = "".join(chr(choose.randrange(choose.choice([128, 0x3000, 0x110000]))) for _ in range(20))
        assert isinstance(kept_store.query(text), list), ascii(text)
    assert unharmed(kept_store)


def test_more_words_than_a_query_may_have_are_a_query_error(kept_store):
    with pytest.raises(QueryError, match="4,096"):
        kept_store.query(" ".join(f"w{number}" for number in range(1_400_000)))
    assert unharmed(kept_store)


@pytest.mark.parametrize("query", [b"giraffe", 5, ["giraffe"], {"query": "giraffe"}, float("nan"), object()], ids=repr)
def test_what_is_no_text_is_a_query_error(kept_store, query):
    with pytest.raises(QueryError):
        kept_store.query(query)


VARIANTS = {
    "NFC": unicodedata.normalize("NFC", "café"),
    "NFD": unicodedata.normalize("NFD", "café"),
    "upper case": "CAFÉ",
    "upper case in NFD": unicodedata.normalize("NFD", "CAFÉ"),
    "title case": "Café",
    "full width": "ｃａｆé",
    "full width capitals in NFD": unicodedata.normalize("NFD", "ＣＡＦÉ"),
    "quoted": '"café"',
}


@pytest.mark.parametrize("spelling", VARIANTS.values(), ids=VARIANTS)
def test_every_spelling_of_a_word_finds_it(kept_store, spelling):
    assert [document.id for document in kept_store.query(spelling)] == ["c"]


@pytest.mark.parametrize("stored", VARIANTS.values(), ids=VARIANTS)
def test_a_word_is_found_however_it_was_written_down(store, stored):
    store.write_documents([{"id": "new", "content": f"the {stored} here"}], index="other")
    for spelling in VARIANTS.values():
        assert [document.id for document in store.query(spelling, index="other")] == ["new"]


#: What top_k is -> how many of the two giraffes come; None where it is refused.
TOP_K = [
    (1, 1), (2, 2), (10**12, 2), (2**63, 2), (10**400, 2), (np.int64(1), 1), (np.uint8(2), 2), (np.array(1), 1),
    (0, None), (-1, None), (-(10**12), None), (True, None), (False, None), (2.5, None), (2.0, None), ("3", None),
    ("", None),
    ([2], None), (np.array([2]), None), (np.float64(2), None), (np.True_, None), (float("nan"), None),
    (float("inf"), None),
    (np.int64(0), None), (np.int8(-3), None), (int, None), (b"2", None),
]  # fmt: skip
FILTERS = [None, {"year": {"$gte": 2000}}]


@pytest.mark.parametrize("filters", FILTERS, ids=["unfiltered", "filtered"])
@pytest.mark.parametrize(("top_k", "found"), TOP_K, ids=lambda value: f"{value!r:.20}")
def test_top_k_is_a_whole_number_above_0(kept_store, top_k, found, filters):
    if found is None:
        with pytest.raises(QueryError, match="top_k"):
            kept_store.query("giraffe", filters, top_k=top_k)
    else:
        assert len(kept_store.query("giraffe", filters, top_k=top_k)) == found


def test_top_k_of_none_is_not_taken_for_1(kept_store):
    try:
        found = kept_store.query("giraffe", top_k=None)
    except QueryError:
        return
    assert len(found) == 2


@pytest.mark.parametrize("filters", FILTERS, ids=["unfiltered", "filtered"])
@pytest.mark.parametrize("query", ["giraffe", None])
@pytest.mark.parametrize(
    "offset",
    [-1, True, 2.5, "3", "", [2], np.array([2]), np.True_, float("nan"), int],
    ids=lambda value: f"{value!r:.20}",
)
def test_an_offset_that_is_no_whole_number_is_a_query_error(kept_store, offset, query, filters):
    with pytest.raises(QueryError, match="offset"):
        kept_store.query(query, filters, offset=offset)


@pytest.mark.parametrize("filters", FILTERS, ids=["unfiltered", "filtered"])
@pytest.mark.parametrize("query", ["giraffe", None])
@pytest.mark.parametrize("offset", [10**12, 2**63, 10**400, np.int64(99)], ids=lambda value: f"{value!r:.20}")
def test_an_offset_past_the_end_finds_nothing(kept_store, offset, query, filters):
    assert kept_store.query(query, filters, offset=offset) == []


@pytest.mark.parametrize(
    ("threshold", "found"), [(None, 2), (0, 2), (0.5, 2), (1.1, 0), (-1e300, 2), (np.float32(0.1), 2)]
)
def test_a_score_threshold_leaves_out_lower_scores(kept_store, threshold, found):
    assert len(kept_store.query("giraffe", score_threshold=threshold)) == found


@pytest.mark.parametrize("threshold", ["0.5", [0.5], float("nan"), True, np.array([0.5, 0.5]), 1j], ids=repr)
def test_a_score_threshold_that_is_no_number_is_a_query_error(kept_store, threshold):
    with pytest.raises(QueryError, match="score_threshold"):
        kept_store.query("giraffe", score_threshold=threshold)


@pytest.mark.parametrize("limit", [-1, True, 2.5, "3", [2], np.array([2])], ids=repr)
def test_a_limit_that_is_no_whole_number_is_a_query_error(kept_store, limit):
    with pytest.raises(QueryError, match="limit"):
        kept_store.get_all_documents(limit=limit)


@pytest.mark.parametrize("key", [5, None, b"year", ["year"], {"year": 1}], ids=repr)
def test_a_metadata_key_that_is_no_text_is_a_hayrick_error(kept_store, key):
    with pytest.raises(HayrickError):
        kept_store.get_metadata_values_by_key(key)
