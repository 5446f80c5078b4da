"""Tree -> tree: the same meaning in a flat shape that every engine's nesting limits can take.

What goes in: a parsed tree. What comes out: one in which negation stands on leaves alone, no ``And`` holds an ``And``
and no ``Or`` an ``Or``, operands are not repeated, and constants are folded: ``ALL`` and ``NONE`` remain only as the
whole tree. The invariant: the set of matching documents does not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from hayrick.filters.ast import ALL, NONE, And, Compare, Exists, In, Node, Not, Or

if TYPE_CHECKING:
    from collections.abc import Iterable


def normalise(node: Node) -> Node:
    """Flatten, push negation to the leaves, fold constants, drop repeated operands."""
    return _walk(node, negated=False)


def leaves(node: Node) -> int:
    """How many leaves a tree has."""
    match node:
        case And(operands) | Or(operands):
            return sum(map(leaves, operands))
        case Not(operand):
            return leaves(operand)
        case In() | Compare() | Exists():
            return 1
        case _:
            assert_never(node)


def _walk(node: Node, *, negated: bool) -> Node:
    match node:
        case Not(operand):
            return _walk(operand, negated=not negated)
        case And(operands):
            return _join(Or if negated else And, (_walk(o, negated=negated) for o in operands))
        case Or(operands):
            return _join(And if negated else Or, (_walk(o, negated=negated) for o in operands))
        case In(_, ()):
            return ALL if negated else NONE
        case In() | Compare() | Exists():
            return Not(node) if negated else node
        case _:
            assert_never(node)


def _join(junction: type[And | Or], nodes: Iterable[Node]) -> Node:
    """One junction of operands that are normal already."""
    neutral, absorbing = (ALL, NONE) if junction is And else (NONE, ALL)
    # A dictionary's keys drop repeated operands and keep their order.
    kept: dict[Node, None] = {}
    for node in nodes:
        if node == absorbing:
            return absorbing
        kept.update(dict.fromkeys(node.operands if isinstance(node, junction) else (node,)))
    kept.pop(neutral, None)
    return next(iter(kept)) if len(kept) == 1 else junction(tuple(kept))
