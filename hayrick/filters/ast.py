"""The filter tree: six kinds of node, frozen, without behaviour.

What goes in: nothing; :mod:`~hayrick.filters.parse` builds the tree. What comes out: the one form that every engine
compiles. The invariant: a leaf is true or false of a document, never unknown, because it asks whether a fitting *fact*
``(path, kind, value)`` exists (see :mod:`~hayrick.filters.facts`); so ``Not`` is plain complement everywhere, and
``$ne`` and ``$nin`` need no nodes of their own.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Kind(enum.StrEnum):
    """The kind of a fact. Kinds are never coerced into one another; the value is the kind's one-letter stored form."""

    BOOL = "b"
    NUMBER = "n"
    STRING = "s"
    DATETIME = "d"
    LIST = "l"
    OBJECT = "o"


class Comparator(enum.StrEnum):
    """The comparisons that need an order or a substring test; the value is the operator's spelling."""

    GT = "$gt"
    GTE = "$gte"
    LT = "$lt"
    LTE = "$lte"
    CONTAINS = "$contains"


#: A member of a whole list in a filter: the values it may equal, each with its kind; ``None`` stands for null. An ISO
#: string has two, the text and the point in time. A nested list's value is a ``ListPattern`` again.
Alternatives = tuple["tuple[Kind, Value] | None", ...]
ListPattern = tuple[Alternatives, ...]

#: What a leaf compares with: bool, exact int or float, text, microseconds since 1970 in UTC, or a whole list.
Value = bool | int | float | str | ListPattern


@dataclass(frozen=True, slots=True)
class In:
    """True where a fact at ``path`` equals one of the values; ``$eq`` is the case of one value.

    Attributes:
        path: The dotted metadata path.
        members: The values by kind, each kind once.
    """

    path: str
    members: tuple[tuple[Kind, tuple[Value, ...]], ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """True where a fact at ``path`` stands in ``comparator``'s relation to one of ``bounds`` of its own kind.

    Attributes:
        path: The dotted metadata path.
        comparator: The relation, read "fact comparator bound".
        bounds: One value, or two for an ISO string: the text and the point in time.
    """

    path: str
    comparator: Comparator
    bounds: tuple[tuple[Kind, int | float | str], ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """True where any fact stands at ``path``."""

    path: str


@dataclass(frozen=True, slots=True)
class And:
    """True where every operand is; of none, always."""

    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True where some operand is; of none, never."""

    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """True where the operand is not."""

    operand: Node


Node = In | Compare | Exists | And | Or | Not

#: Every document, and no document.
ALL = And(())
NONE = Or(())
