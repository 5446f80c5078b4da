"""Which references are found in a reply, and which are skipped."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayrick.answers import DeepsetAnswerBuilder
from hayrick.schema import Document

DOCUMENTS = [Document(f"content {number}", id=str(number)) for number in range(1, 13)]
DOCUMENTED = r"\[(?:(\d+),?\s*)+\]"


def references(reply, pattern="acm", **settings):
    builder = DeepsetAnswerBuilder(reference_pattern=pattern, **settings)
    return builder.run("q", [reply], documents=DOCUMENTS)["answers"][0].meta["_references"]


def cited(reply, pattern="acm", **settings):
    return [reference["document_position"] for reference in references(reply, pattern, **settings)]


@pytest.mark.parametrize("pattern", ["acm", DOCUMENTED])
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("this is an answer[1, 2]", [1, 2]),
        ("[1][2] and [10,11, 12]", [1, 2, 10, 11, 12]),
        ("[1 2]", [1, 2]),
        ("[1,]", [1]),
        ("[1,2,]", [1, 2]),
        ("[3,  ]", [3]),
        ("[2,\n1]", [2, 1]),
        ("[1], [1]", [1, 1]),
        ("[12]", [12]),
        ("[[3]]", [3]),
        ("nothing, [], [a], [1, b], 1, (1), [1", []),
    ],
)
def test_acm_and_the_expression_it_stands_for_find_every_number_of_a_list(pattern, reply, expected):
    assert cited(reply, pattern) == expected


@pytest.mark.parametrize("reply", ["[ 1 , 2 ]", "[1 ,2]", "[\t1\n2 ]"])
def test_acm_takes_blanks_anywhere_between_the_numbers(reply):
    assert cited(reply) == [1, 2]


@pytest.mark.parametrize("reply", ["[0]", "[13]", "[99]", "[1234567890]", "[0000000001]", "[" + "9" * 5000 + "]"])
def test_a_number_outside_the_documents_is_skipped_and_never_wraps_around(reply, caplog):
    assert cited(reply) == []
    assert "skipped references outside the 12 documents" in caplog.text
    assert len(caplog.text) < 300


@pytest.mark.parametrize(("reply", "pattern"), [("[-1]", r"\[(-?\d+)\]"), ("[1.5]", r"\[([\d.]+)\]")])
def test_what_only_holds_a_number_is_no_number(reply, pattern, caplog):
    assert cited(reply, pattern) == []
    assert reply[1:-1] in caplog.text


@pytest.mark.parametrize("digit", ["٣", "３", "²"])
def test_only_the_digits_0_to_9_make_numbers(digit):
    assert cited(f"[{digit}] and [1{digit}]", r"\[(\w+)\]") == []
    assert cited(f"[{digit}] and [4]") == [4]


def test_zeros_in_front_do_not_count():
    assert cited("[007]") == [7]


@pytest.mark.parametrize(
    ("pattern", "reply"),
    [
        (r"\[(\d+)\]", "so [2] and [3]"),
        (r"\[\d+\]", "so [2] and [3]"),
        (r"\(doc(?:ument)? ([\d, ]+)\)", "so (document 2, 3)"),
        (r"<ref>(.*?)</ref>", "so <ref>2;3</ref>"),
    ],
)
def test_a_pattern_of_ones_own_captures_numbers_or_lists_of_them(pattern, reply):
    assert cited(reply, pattern) == [2, 3]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("[1-3]", [1, 2, 3]),
        ("[1\N{EN DASH}3]", [1, 2, 3]),
        ("[1 - 3, 5]", [1, 2, 3, 5]),
        ("[7, 9-10]", [7, 9, 10]),
        ("[4-4]", [4]),
        ("[11-99]", [11, 12]),
        ("[0-2]", [1, 2]),
        ("[1-100000000000]", list(range(1, 13))),
        ("[3-1]", []),
        ("[20-30]", []),
        ("[1-2-3]", []),
        ("[1, 2]", [1, 2]),
    ],
)
def test_ranges_are_expanded_on_request_and_clamped_to_the_documents(reply, expected):
    assert cited(reply, expand_reference_ranges=True) == expected


@pytest.mark.parametrize("reply", ["[3-1]", "[11-99]", "[0-2]"])
def test_a_range_that_is_reversed_or_clamped_is_warned_about(reply, caplog):
    cited(reply, expand_reference_ranges=True)
    assert caplog.text.rstrip().endswith(f": {reply[1:-1]}")


def test_ranges_mean_nothing_by_default(caplog):
    assert cited("[1-3]") == []
    assert cited("[1-3]", r"\[([\d-]+)\]") == []
    assert "1-3" in caplog.text


def test_a_range_is_placed_as_a_whole():
    reply = "so [ 2-3]"
    places = [(r["answer_start_idx"], r["answer_end_idx"]) for r in references(reply, expand_reference_ranges=True)]
    assert [reply[start:end] for start, end in places] == ["2-3", "2-3"]


pieces = st.lists(st.sampled_from(["[", "]", ",", " ", "1", "2", "12", "0", "99", "-", "word", "é", "\n"]), max_size=60)


@given(pieces, st.sampled_from(["acm", DOCUMENTED]))
def test_the_place_of_a_citation_always_holds_its_number(parts, pattern):
    reply = "".join(parts)
    for reference in references(reply, pattern):
        number = reply[reference["answer_start_idx"] : reference["answer_end_idx"]]
        assert int(number) == reference["document_position"]


@given(pieces)
def test_acm_finds_all_that_the_documented_expression_finds(parts):
    reply = "".join(parts)
    found = [(r["answer_start_idx"], r["document_position"]) for r in references(reply)]
    for reference in references(reply, DOCUMENTED):
        place = (reference["answer_start_idx"], reference["document_position"])
        # A run of digits that the expression may cut in two is one number to acm.
        assert place in found


@pytest.mark.parametrize("ranges", [False, True])
@pytest.mark.parametrize(
    "reply",
    [
        "see [" + "1" * 10_000 + "x",
        "[1" + " " * 20_000 + "x",
        "[" * 100_000,
        "[1, " * 50_000,
        "[1-" * 50_000,
        "[ " * 50_000,
        "[" + "1 " * 50_000,
        "[" + "1-1," * 50_000,
        "[" + "1-" * 50_000 + "]",
    ],
    ids=["digits", "blanks", "brackets", "lists", "ranges", "openings", "unclosed", "unclosed ranges", "dashes"],
)
def test_acm_takes_time_in_proportion_to_a_hostile_reply(reply, ranges):
    start = time.process_time()
    assert cited(reply, expand_reference_ranges=ranges) == []
    assert time.process_time() - start < 0.5
