"""Filter values: from what a user writes after an operator to what a leaf compares with.

What goes in: the value of ``$eq``, ``$in``, ``$gt``... and the place it stands at. What comes out: values by kind. The
invariant: an ISO-8601 string stands for two things at once, its text and its instant, and for nothing else; every other
value has exactly one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from hayrick.errors import FilterError, FilterLimitError
from hayrick.filters.ast import Alternatives, Comparator, Compare, In, Kind, ListPattern, Value
from hayrick.filters.values import iso_microseconds, plain, scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_MEMBERS = 1_000_000
MAX_LIST_DEPTH = 32

_Typed = tuple[Kind, Value]


def equality(path: str, value: object, where: str) -> In:
    """The leaf of ``$eq``; null is the caller's business.

    Raises:
        FilterError: The value is a dictionary, of an unsupported type or out of range.
    """
    return _in(path, _typed(value, where))


def membership(path: str, values: Iterable[object], where: str) -> In:
    """The leaf of ``$in``; a null among the values is the caller's business.

    Raises:
        FilterError: A value is a dictionary, of an unsupported type or out of range; the path says which.
    """
    numbered = ((position, value) for position, value in enumerate(values) if value is not None)
    return _in(path, (typed for position, value in numbered for typed in _typed(value, where, position)))


def _in(path: str, values: Iterable[_Typed]) -> In:
    by_kind: dict[Kind, dict[Value, None]] = {}
    for kind, value in values:
        # A dictionary's keys drop repeated values and keep their order.
        by_kind.setdefault(kind, {})[value] = None
    return In(path, tuple((kind, tuple(by_kind[kind])) for kind in sorted(by_kind)))


def order(path: str, comparator: Comparator, value: object, where: str) -> Compare:
    """The leaf of ``$gt``, ``$gte``, ``$lt`` and ``$lte``.

    Raises:
        FilterError: The value has no order: a bool, null, a list or a dictionary.
    """
    value = plain(value)
    if value is None or isinstance(value, bool | list | tuple):
        shown = "null" if value is None else f"a {type(value).__name__}"
        raise FilterError(f"{comparator} compares numbers, strings and dates, {shown} has no order", where)
    return Compare(path, comparator, tuple(_typed(value, where)))  # type: ignore[arg-type]


def substring(path: str, value: object, where: str) -> Compare:
    """The leaf of ``$contains``.

    Raises:
        FilterError: The value is not a string.
    """
    if not isinstance(value, str):
        raise FilterError(f"$contains looks for a string, not for a {type(value).__name__}", where)
    return Compare(path, Comparator.CONTAINS, (_scalar(value, where),))  # type: ignore[arg-type]


def as_list(value: object) -> Sequence[object] | None:
    """The members where ``value`` is a list, tuple or numpy array; else None."""
    value = plain(value)
    return value if isinstance(value, list | tuple) else None


def check_length(members: Sequence[object], where: str) -> None:
    """Refuse a list past the language's limit.

    Raises:
        FilterLimitError: More than 1,000,000 members.
    """
    if len(members) > MAX_MEMBERS:
        raise FilterLimitError(f"{len(members):,} members; a list takes at most {MAX_MEMBERS:,}", where)


def _typed(value: object, where: str, position: int | None = None) -> list[_Typed]:
    if type(value) is str:
        typed = [_scalar(value, where, position)]
        instant = iso_microseconds(value)
        return typed if instant is None else [*typed, (Kind.DATETIME, instant)]
    if (members := as_list(value)) is not None:
        return [(Kind.LIST, _pattern(members, _place(where, position), 1))]
    return [_scalar(value, where, position)]


def _scalar(value: object, where: str, position: int | None = None) -> _Typed:
    try:
        return scalar(value)
    except ValueError as error:
        raise FilterError(str(error), _place(where, position)) from error
    except TypeError as error:
        raise FilterError(_mend(value, str(error)), _place(where, position)) from error


def _mend(value: object, fault: str) -> str:
    if isinstance(value, dict):
        return "a dictionary cannot be compared as a whole; compare its fields by dotted path ('author.name')"
    if isinstance(value, AbstractSet):
        return "a set has no order; write a list"
    return fault


def _place(where: str, position: int | None) -> str:
    return where if position is None else f"{where}[{position}]"


def _pattern(members: Sequence[object], where: str, depth: int) -> ListPattern:
    if depth > MAX_LIST_DEPTH:
        raise FilterLimitError(f"a list nested deeper than {MAX_LIST_DEPTH} levels", where)
    check_length(members, where)
    return tuple(_alternatives(member, _place(where, position), depth) for position, member in enumerate(members))


def _alternatives(member: object, where: str, depth: int) -> Alternatives:
    if member is None:
        return (None,)
    if (nested := as_list(member)) is not None:
        return ((Kind.LIST, _pattern(nested, where, depth + 1)),)
    return tuple(_typed(member, where))
