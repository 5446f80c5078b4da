"""The filter language: one dictionary, one meaning, one predicate an engine.

``parse`` reads the dictionary, ``normalise`` flattens the tree, and one compiler a file turns it into what an engine
evaluates: ``python`` (the reference), ``sqlalchemy`` and ``columns``. Nothing here knows of documents or stores.
"""

from hayrick.filters.ast import ALL, Node
from hayrick.filters.normalise import normalise
from hayrick.filters.parse import Filters, parse

__all__ = ["ALL", "Filters", "Node", "normalise", "parse", "read"]


def read(filters: Filters) -> Node:
    """Parse and normalise in one step: the tree that every engine compiles.

    Raises:
        FilterError: The filter is not of the language, or past a limit.
    """
    return normalise(parse(filters))
