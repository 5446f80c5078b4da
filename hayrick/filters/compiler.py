"""The fold that every engine's compiler shares: children first, one method a kind of node.

What goes in: a normalised tree. What comes out: the engine's own predicate, of type ``P``. The invariant: no node
passes unhandled. A new kind of node is a type error here and nowhere else, and what an engine cannot say it refuses
with :class:`~hayrick.errors.UnsupportedFilterError`, whereupon the store asks another engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, assert_never

from hayrick.errors import UnsupportedFilterError
from hayrick.filters.ast import And, Compare, Exists, In, Node, Not, Or

if TYPE_CHECKING:
    from collections.abc import Sequence

P = TypeVar("P")


class FilterCompiler(ABC, Generic[P]):
    """Compile a tree to one engine's predicate; a subclass says what a leaf and a junction are there."""

    #: The engine's name, for error messages.
    engine: ClassVar[str]

    def compile(self, node: Node) -> P:
        """The engine's predicate for ``node``.

        Raises:
            UnsupportedFilterError: The engine has no way to say a part of it.
        """
        match node:
            case In():
                return self.member(node)
            case Compare():
                return self.compare(node)
            case Exists():
                return self.exists(node)
            case And(operands):
                return self.conjunction([self.compile(operand) for operand in operands])
            case Or(operands):
                return self.disjunction([self.compile(operand) for operand in operands])
            case Not(operand):
                return self.negation(self.compile(operand))
            case _:
                assert_never(node)

    def unsupported(self, what: str) -> UnsupportedFilterError:
        """The error to raise for something the engine cannot say."""
        return UnsupportedFilterError(self.engine, what)

    @abstractmethod
    def member(self, node: In) -> P:
        """True where a fact at the path equals one of the values."""

    @abstractmethod
    def compare(self, node: Compare) -> P:
        """True where a fact at the path stands in the relation to one of the bounds."""

    @abstractmethod
    def exists(self, node: Exists) -> P:
        """True where any fact stands at the path."""

    @abstractmethod
    def conjunction(self, operands: Sequence[P]) -> P:
        """True where every operand is; of none, always."""

    @abstractmethod
    def disjunction(self, operands: Sequence[P]) -> P:
        """True where some operand is; of none, never."""

    @abstractmethod
    def negation(self, operand: P) -> P:
        """True where the operand is not."""
