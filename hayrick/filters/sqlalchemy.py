"""Tree -> a SQLAlchemy expression over a column of stored facts; SQLite's JSON functions evaluate it.

What goes in: a tree, and the column that holds each document's facts (:func:`hayrick.filters.keys.dump`). What comes
out: a ``ColumnElement[bool]`` that is never NULL. The invariant: values, paths and kinds are bound, never printed
into the statement, so the statement's text depends on the tree's shape alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import sqlalchemy as sa

from hayrick.filters import keys
from hayrick.filters.ast import Comparator, Compare, Exists, In, Kind
from hayrick.filters.compiler import FilterCompiler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hayrick.filters.keys import Key

Clause = sa.ColumnElement[bool]

#: SQLite's parser takes an expression 1,000 deep; a flat chain of operators is as deep as it is long.
_CHAIN = 50
#: How many equal lists one value may stand for before the engine declines (see ``keys.pattern_keys``).
_MAX_LISTS = 1024

_RELATIONS: dict[Comparator, Callable[[Any, Any], Clause]] = {
    Comparator.GT: lambda value, bound: value > bound,
    Comparator.GTE: lambda value, bound: value >= bound,
    Comparator.LT: lambda value, bound: value < bound,
    Comparator.LTE: lambda value, bound: value <= bound,
    Comparator.CONTAINS: lambda value, part: sa.func.instr(value, part) > 0,
}


class SQLAlchemyCompiler(FilterCompiler[Clause]):
    """Compile for SQLite.

    Args:
        facts: The column with each document's stored facts.
    """

    engine: ClassVar[str] = "sql"

    def __init__(self, facts: sa.ColumnElement[str]) -> None:
        self.facts = facts

    def member(self, node: In) -> Clause:
        return self.disjunction([self._among(node.path, kind, values) for kind, values in node.members])

    def compare(self, node: Compare) -> Clause:
        return self.disjunction([self._related(node.path, node.comparator, kind, b) for kind, b in node.bounds])

    def exists(self, node: Exists) -> Clause:
        return self._any_fact([keys.name(kind, node.path) for kind in Kind], lambda _: sa.true())

    def conjunction(self, operands: Sequence[Clause]) -> Clause:
        return _chain(sa.and_, operands) if operands else sa.true()

    def disjunction(self, operands: Sequence[Clause]) -> Clause:
        return _chain(sa.or_, operands) if operands else sa.false()

    def negation(self, operand: Clause) -> Clause:
        return sa.not_(operand)

    def _among(self, path: str, kind: Kind, values: Sequence[Any]) -> Clause:
        if kind is Kind.LIST and sum(map(keys.pattern_count, values)) > _MAX_LISTS:
            raise self.unsupported("a list of so many ISO dates")
        wanted = list(keys.value_keys(kind, values))
        if len(wanted) == 1:
            return self._any_fact([keys.name(kind, path)], lambda value: value == wanted[0])
        members = sa.func.json_each(json.dumps(wanted, ensure_ascii=False)).table_valued("value")
        return self._any_fact([keys.name(kind, path)], lambda value: value.in_(sa.select(members.c.value)))

    def _related(self, path: str, comparator: Comparator, kind: Kind, bound: Key | float) -> Clause:
        key = next(keys.value_keys(kind, (bound,)))
        if comparator is Comparator.CONTAINS and set("\x00\x01\x02") & set(str(bound)):
            # Their stored form could match across the boundary of an escape.
            raise self.unsupported("$contains with U+0000, U+0001 or U+0002")
        return self._any_fact([keys.name(kind, path)], lambda value: _RELATIONS[comparator](value, key))

    def _any_fact(self, names: Sequence[str], holds: Callable[[Any], Clause]) -> Clause:
        """Whether a fact under one of ``names`` has a value for which ``holds``."""
        fact = sa.func.json_each(self.facts).table_valued("key", "value")
        named = fact.c.key == names[0] if len(names) == 1 else fact.c.key.in_(names)
        return sa.exists(sa.select(sa.literal(1)).select_from(fact).where(named, holds(fact.c.value)))


_OPPOSITE: dict[Callable[..., Clause], Callable[..., Clause]] = {sa.and_: sa.or_, sa.or_: sa.and_}


def _chain(junction: Callable[..., Clause], operands: Sequence[Clause]) -> Clause:
    """One junction of any number of operands, no chain of it longer than ``_CHAIN``.

    SQLAlchemy flattens a junction inside the same junction, so a group is said as NOT (NOT a OR NOT b).
    """
    while len(operands) > _CHAIN:
        groups = (operands[start : start + _CHAIN] for start in range(0, len(operands), _CHAIN))
        operands = [sa.not_(_OPPOSITE[junction](*map(sa.not_, group))) for group in groups]
    return junction(*operands)
