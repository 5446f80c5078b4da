"""The filter dictionary of Haystack v1's form -> the tree; the only place that knows the surface syntax.

What goes in: ``None``, a dictionary, or a list of dictionaries. What comes out: a :data:`~hayrick.filters.ast.Node`.
The invariant: nothing is dropped in silence. Every key is understood or refused with the path to it, so that a typo
never widens a filter.

The shape::

    filter      := {} | {key: ...} | [filter, ...]                 # several keys, several dictionaries: AND
    key         := "$and" | "$or" | "$not" | a metadata path
    under a logical operator: a dictionary (each key one operand) or a list (each dictionary one operand)
    under a path: {comparison: value, ...} (AND) | [value, ...] ($in) | value ($eq)
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from hayrick.errors import FilterError, FilterLimitError
from hayrick.filters import operands
from hayrick.filters.ast import ALL, And, Comparator, Exists, Node, Not, Or
from hayrick.filters.facts import MAX_PATH_BYTES
from hayrick.filters.values import check_text

#: What ``filters`` arguments take.
Filters = Mapping[str, object] | Sequence[Mapping[str, object]] | None

MAX_DEPTH = 32
MAX_NODES = 10_000

_HAYSTACK_2 = ({"field", "operator", "value"}, {"operator", "conditions"})


def parse(filters: Filters) -> Node:
    """Read a filter.

    Args:
        filters: A filter of the language (see the documentation page "filter language"); ``None`` and ``{}`` mean no
            filter.

    Returns:
        The tree, not yet normalised.

    Raises:
        FilterError: The filter is not of the language; the error's ``path`` leads to the fault.
        FilterLimitError: It is deeper than 32 levels, larger than 10,000 nodes, or a list holds over 1,000,000 members.
    """
    if filters is None:
        return ALL
    return _Parser().filter(filters, "filters", 1)


class _Parser:
    """One parse: counts nodes, and knows the place of everything it looks at."""

    def __init__(self) -> None:
        self.nodes = 0

    def filter(self, filters: object, where: str, depth: int) -> Node:
        if isinstance(filters, Mapping):
            return And(self.keys(filters, where, depth))
        if isinstance(filters, list | tuple):
            return And(self.each(filters, where, depth, self.filter))
        raise FilterError(f"a filter is a dictionary or a list of dictionaries, not a {type(filters).__name__}", where)

    def keys(self, filters: Mapping[object, object], where: str, depth: int) -> tuple[Node, ...]:
        """One node for each key of a dictionary of paths and logical operators."""
        if set(filters) in _HAYSTACK_2:
            raise FilterError(
                "this is the form of Haystack 2; write {path: {comparison: value}}, "
                "for example {'year': {'$gte': 2015}}",
                where,
            )
        return tuple(self.key(key, value, where, depth) for key, value in filters.items())

    def key(self, key: object, value: object, where: str, depth: int) -> Node:
        self.enter(where, depth)
        name = _text(key, where)
        place = f"{where}.{name}"
        if name in _LOGICAL:
            return _LOGICAL[name](self.operands(value, place, depth))
        if name.startswith("$"):
            raise _unknown(name, place, _LOGICAL, "a comparison stands under a metadata path: {'year': {'$gt': 1999}}")
        return self.path(name, value, place, depth)

    def operands(self, value: object, where: str, depth: int) -> tuple[Node, ...]:
        """The operands of a logical operator among paths."""
        if isinstance(value, Mapping):
            return self.keys(value, where, depth + 1)
        return self.each(value, where, depth, self.filter)

    def each(
        self, value: object, where: str, depth: int, read: Callable[[Mapping[object, object], str, int], Node]
    ) -> tuple[Node, ...]:
        """One node for each dictionary of a list."""
        if not isinstance(value, list | tuple):
            raise FilterError(f"expected a dictionary or a list of dictionaries, not a {type(value).__name__}", where)
        return tuple(self.dictionary(item, f"{where}[{i}]", depth + 1, read) for i, item in enumerate(value))

    def dictionary(
        self, item: object, where: str, depth: int, read: Callable[[Mapping[object, object], str, int], Node]
    ) -> Node:
        self.enter(where, depth)
        if not isinstance(item, Mapping):
            raise FilterError(f"expected a dictionary, not a {type(item).__name__}", where)
        return read(item, where, depth)

    def path(self, path: str, value: object, where: str, depth: int) -> Node:
        """What stands under a metadata path."""
        if len(path.encode()) > MAX_PATH_BYTES:
            raise FilterLimitError(f"a path is at most {MAX_PATH_BYTES} bytes long", f"{where[:60]}...")
        if isinstance(value, Mapping):
            return self.comparisons(path, value, where, depth + 1)
        members = operands.as_list(value)
        return _equal(path, value, where) if members is None else _among(path, members, where)

    def comparisons(self, path: str, value: Mapping[object, object], where: str, depth: int) -> Node:
        """The comparisons of one dictionary under a path, all of which must hold."""
        if not value:
            raise FilterError("no comparison under this path; leave the path out, or use {'$exists': True}", where)
        return And(self.under(path, value, where, depth))

    def under(self, path: str, value: Mapping[object, object], where: str, depth: int) -> tuple[Node, ...]:
        return tuple(self.comparison(path, key, operand, where, depth) for key, operand in value.items())

    def comparison(self, path: str, key: object, value: object, where: str, depth: int) -> Node:
        self.enter(where, depth)
        name = _text(key, where)
        place = f"{where}.{name}"
        if name in _LOGICAL:
            return _LOGICAL[name](self.alternatives(path, value, place, depth))
        if name in _COMPARISONS:
            return _COMPARISONS[name](path, value, place)
        mend = "" if name.startswith("$") else f"a nested field is written as a dotted path: {f'{path}.{name}'!r}"
        raise _unknown(name, place, [*_COMPARISONS, *_LOGICAL], mend)

    def alternatives(self, path: str, value: object, where: str, depth: int) -> tuple[Node, ...]:
        """The operands of a logical operator under a path: each key of a dictionary, each dictionary of a list."""
        if isinstance(value, Mapping):
            return self.under(path, value, where, depth + 1)
        return self.each(value, where, depth, lambda item, place, level: self.comparisons(path, item, place, level))

    def enter(self, where: str, depth: int) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise FilterLimitError(f"more than {MAX_NODES:,} nodes; put long lists of values under one $in", "filters")
        if depth > MAX_DEPTH:
            raise FilterLimitError(f"nested deeper than {MAX_DEPTH} levels", f"{where[:60]}...")


def _text(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise FilterError(f"the key {key!r} is not a string", where)
    try:
        return check_text(key)
    except ValueError as error:
        raise FilterError(str(error), where) from error


def _unknown(name: str, where: str, known: Iterable[str], mend: str) -> FilterError:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else mend or f"known are {', '.join(known)}"
    return FilterError(f"unknown operator {name!r}; {hint}", where)


def _equal(path: str, value: object, where: str) -> Node:
    return Not(Exists(path)) if value is None else operands.equality(path, value, where)


def _among(path: str, value: object, where: str) -> Node:
    members = operands.as_list(value)
    if members is None:
        raise FilterError(f"expected a list of values, not a {type(value).__name__}; for one value use $eq", where)
    operands.check_length(members, where)
    # Null keeps its place until here, so that an error names the position the user wrote.
    named = operands.membership(path, members, where)
    return Or((named, Not(Exists(path)))) if any(member is None for member in members) else named


def _exists(path: str, value: object, where: str) -> Node:
    if not isinstance(value, bool):
        raise FilterError(f"$exists takes True or False, not a {type(value).__name__}", where)
    return Exists(path) if value else Not(Exists(path))


def _ordered(comparator: Comparator) -> Callable[[str, object, str], Node]:
    return lambda path, value, where: operands.order(path, comparator, value, where)


_LOGICAL: Final[dict[str, Callable[[tuple[Node, ...]], Node]]] = {
    "$and": And,
    "$or": Or,
    # NOR: none of the operands holds.
    "$not": lambda nodes: Not(Or(nodes)),
}
_COMPARISONS: Final[dict[str, Callable[[str, object, str], Node]]] = {
    "$eq": _equal,
    "$ne": lambda path, value, where: Not(_equal(path, value, where)),
    "$in": _among,
    "$nin": lambda path, value, where: Not(_among(path, value, where)),
    "$gt": _ordered(Comparator.GT),
    "$gte": _ordered(Comparator.GTE),
    "$lt": _ordered(Comparator.LT),
    "$lte": _ordered(Comparator.LTE),
    "$exists": _exists,
    "$contains": operands.substring,
}
