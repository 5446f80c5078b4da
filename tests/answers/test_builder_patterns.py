"""Patterns of one's own never run for longer than they may."""

from __future__ import annotations

import time

import pytest

from hayrick.answers import DeepsetAnswerBuilder
from hayrick.errors import PatternError, PatternTimeoutError
from hayrick.schema import Document

BOMBS = [
    ("(?:x+x+)+y", "x" * 3000),
    ("(?:a|aa)+$", "a" * 5000 + "b"),
    (r"\[(?:(\d+),?\s*)+\]", "see [" + "1" * 10_000 + "x"),
]


@pytest.mark.parametrize(("pattern", "reply"), BOMBS, ids=["nested", "alternatives", "documented acm"])
@pytest.mark.parametrize("argument", ["pattern", "reference_pattern"])
def test_a_pattern_that_explodes_is_stopped(pattern, reply, argument):
    builder = DeepsetAnswerBuilder(pattern_timeout=0.1)
    start = time.monotonic()
    with pytest.raises(
        PatternTimeoutError, match=rf"^{argument} .* ran longer than 0\.1 s on a reply of {len(reply)} "
    ):
        builder.run("q", [reply], documents=[Document("x")], **{argument: pattern})
    assert time.monotonic() - start < 2


def test_many_short_searches_of_one_reply_share_its_time():
    builder = DeepsetAnswerBuilder(reference_pattern="(?:x+x+)+y|b", pattern_timeout=0.1)
    start = time.monotonic()
    with pytest.raises(PatternTimeoutError):
        builder.run("q", [("x" * 18 + "b") * 20_000], documents=[Document("x")])
    assert time.monotonic() - start < 2


def test_a_timeout_is_an_error_of_patterns_and_of_time():
    assert issubclass(PatternTimeoutError, PatternError)
    assert issubclass(PatternTimeoutError, TimeoutError)


@pytest.mark.parametrize("pattern", ["(a+)+$", "acm"])
def test_half_a_surrogate_pair_in_a_reply_breaks_nothing(pattern):
    builder = DeepsetAnswerBuilder(reference_pattern=pattern)
    assert builder.run("q", ["\ud800 [1] a"], documents=[Document("x")])["answers"][0].data == "\ud800 [1] a"
