"""Conformance suites that an engine subclasses, and the strategies that feed them.

``FilterSuite`` holds one engine to the filter language: every row of the truth table, every refusal, and random
documents against random filters with the Python engine as the oracle. ``DocumentStoreSuite`` holds a store to its
contract. They need pytest and Hypothesis; nothing else in hayrick imports this package.
"""

import pytest

# Before the suites are imported, so that their failures show the values compared.
pytest.register_assert_rewrite("hayrick.testing.filters", "hayrick.testing.stores")

from hayrick.testing.filters import FilterSuite  # noqa: E402
from hayrick.testing.stores import DocumentStoreSuite  # noqa: E402

__all__ = ["DocumentStoreSuite", "FilterSuite"]
