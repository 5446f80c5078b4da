"""From a generator's replies to answers with references.

- ``builder``: `DeepsetAnswerBuilder`, which makes a `hayrick.schema.GeneratedAnswer` of each reply
- ``references``: which documents a reply cites, and where
- ``patterns``: regular expressions that people write, run under a time limit
"""

from __future__ import annotations

from hayrick.answers.builder import DeepsetAnswerBuilder

__all__ = ["DeepsetAnswerBuilder"]
