"""Tree -> a Python predicate over one document's facts: slow, obvious, and the meaning of the language.

What goes in: a tree. What comes out: ``Callable[[facts], bool]``. The invariant: this is the oracle. Every other
engine is held to it by the property tests, so it takes no short cut that they take: it works on the facts themselves,
not on any stored form of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from hayrick.filters.ast import Comparator, Compare, Exists, In, Kind, Node
from hayrick.filters.compiler import FilterCompiler
from hayrick.filters.facts import Fact, facts, list_matches

if TYPE_CHECKING:
    from typing import Any

#: Whether a document with these facts matches.
Predicate = Callable[[Sequence[Fact]], bool]

_RELATIONS: dict[Comparator, Callable[[Any, Any], bool]] = {
    Comparator.GT: operator.gt,
    Comparator.GTE: operator.ge,
    Comparator.LT: operator.lt,
    Comparator.LTE: operator.le,
    Comparator.CONTAINS: operator.contains,
}


class PythonCompiler(FilterCompiler[Predicate]):
    """The reference engine."""

    engine: ClassVar[str] = "python"

    def member(self, node: In) -> Predicate:
        members = dict(node.members)

        def holds(found: Sequence[Fact]) -> bool:
            return any(_equals_one(fact, members.get(fact.kind, ())) for fact in found if fact.path == node.path)

        return holds

    def compare(self, node: Compare) -> Predicate:
        relation, bounds = _RELATIONS[node.comparator], dict(node.bounds)

        def holds(found: Sequence[Fact]) -> bool:
            return any(
                relation(fact.value, bounds[fact.kind])
                for fact in found
                if fact.path == node.path and fact.kind in bounds
            )

        return holds

    def exists(self, node: Exists) -> Predicate:
        return lambda found: any(fact.path == node.path for fact in found)

    def conjunction(self, operands: Sequence[Predicate]) -> Predicate:
        return lambda found: all(operand(found) for operand in operands)

    def disjunction(self, operands: Sequence[Predicate]) -> Predicate:
        return lambda found: any(operand(found) for operand in operands)

    def negation(self, operand: Predicate) -> Predicate:
        return lambda found: not operand(found)


def _equals_one(fact: Fact, values: Sequence[object]) -> bool:
    if fact.kind is Kind.LIST:
        return any(list_matches(fact.value, pattern) for pattern in values)  # type: ignore[arg-type]
    return any(fact.value == value for value in values)


def matcher(node: Node) -> Callable[[Mapping[str, object]], bool]:
    """A function that tells whether a document with the given metadata matches.

    Args:
        node: A tree, normalised or not.
    """
    predicate = PythonCompiler().compile(node)
    return lambda meta: predicate(facts(meta))
