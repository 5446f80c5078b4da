"""Metadata as facts: what every leaf of a filter asks about.

What goes in: a document's metadata. What comes out: its facts ``(path, kind, value)``. A scalar is one fact; a list
gives the facts of each element, plus one ``LIST`` fact for whole-list equality; a dictionary gives its children's
facts at dotted paths, through lists too, plus one ``OBJECT`` fact; null gives none. The invariant: the same metadata
gives the same facts on every engine, because this is the only place that makes them.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hayrick.errors import MetadataError
from hayrick.filters.ast import Kind
from hayrick.filters.values import KINDS, check_text, plain, scalar

if TYPE_CHECKING:
    from hayrick.filters.ast import ListPattern

#: How deep metadata may nest, and how long a dotted path may be in UTF-8 bytes.
MAX_DEPTH = 32
MAX_PATH_BYTES = 1024

#: A list as a value: its members with their kinds, null as None. A dictionary among them is its sorted items.
Member = tuple[Kind, "bool | int | float | str | ListValue | ObjectValue"] | None
ListValue = tuple[Member, ...]
ObjectValue = tuple[tuple[str, Member], ...]


class Fact(NamedTuple):
    """One fact of a document: ``value`` is in the comparable form of its ``kind``."""

    path: str
    kind: Kind
    value: bool | int | float | str | ListValue


def facts(meta: Mapping[str, object]) -> list[Fact]:
    """The facts of one document's metadata, in the order of the metadata.

    Raises:
        MetadataError: A key or a value that cannot be kept exactly, with its path.
    """
    found: list[Fact] = []
    _object(meta, "", 0, found)
    return found


def _object(value: Mapping[str, object], path: str, depth: int, found: list[Fact]) -> ObjectValue:
    """Append the facts of a dictionary's children; return it as a member of a list."""
    members = []
    for key, child in value.items():
        joined = _join(path, key)
        if child is not None:
            members.append((key, _value(child, joined, depth + 1, found)))
    members.sort(key=_key)
    return tuple(members)


_key = operator.itemgetter(0)


def _join(path: str, key: object) -> str:
    if not isinstance(key, str):
        raise MetadataError(f"the key {key!r} is not a string; write it as {str(key)!r}", path or "meta")
    joined = f"{path}.{key}" if path else key
    if len(joined) > MAX_PATH_BYTES // 4 or not joined.isascii():
        _check_path(joined, path)
    return joined


def _check_path(joined: str, parent: str) -> None:
    try:
        check_text(joined)
    except ValueError as error:
        raise MetadataError(str(error), parent or "meta") from error
    if len(joined.encode()) > MAX_PATH_BYTES:
        raise MetadataError(f"a path longer than {MAX_PATH_BYTES} bytes", f"{joined[:60]}...")


def _value(value: object, path: str, depth: int, found: list[Fact]) -> Member:
    """Append the facts of a value; return it as a member of a list."""
    if depth > MAX_DEPTH:
        raise MetadataError(f"nested deeper than {MAX_DEPTH} levels", path)
    exact = type(value)
    if exact is list or exact is tuple:
        return Kind.LIST, _list(value, path, depth, found)  # type: ignore[arg-type]
    # Scalars are most of what there is; asking an abstract class about each would take as long as all the rest.
    if exact not in KINDS and isinstance(value, Mapping):
        found.append(Fact(path, Kind.OBJECT, True))  # noqa: FBT003 - the value of an object fact is only a sign
        return Kind.OBJECT, _object(value, path, depth, found)
    try:
        typed = scalar(value)
    except ValueError as error:
        raise MetadataError(str(error), path) from error
    except TypeError as error:
        return _unusual(value, path, depth, found, error)
    found.append(Fact(path, *typed))
    return typed


def _unusual(value: object, path: str, depth: int, found: list[Fact], error: TypeError) -> Member:
    """Lists by another name: subclasses, and numpy's arrays."""
    value = plain(value)
    if isinstance(value, list | tuple):
        return Kind.LIST, _list(value, path, depth, found)
    raise MetadataError(
        f"{error}; metadata holds strings, numbers, bools, dates, lists, dictionaries and None", path
    ) from error


def _list(values: list[object] | tuple[object, ...], path: str, depth: int, found: list[Fact]) -> ListValue:
    members = tuple([None if value is None else _value(value, path, depth + 1, found) for value in values])
    found.append(Fact(path, Kind.LIST, members))
    return members


def list_matches(stored: ListValue, pattern: ListPattern) -> bool:
    """Whether a whole stored list equals the list of a filter, member by member and in order."""
    return len(stored) == len(pattern) and all(
        any(_member_matches(member, wanted) for wanted in alternatives)
        for member, alternatives in zip(stored, pattern, strict=True)
    )


def _member_matches(member: Member, wanted: tuple[Kind, object] | None) -> bool:
    if member is None or wanted is None:
        return member is wanted
    if member[0] is not wanted[0]:
        return False
    if member[0] is Kind.LIST:
        return list_matches(member[1], wanted[1])  # type: ignore[arg-type]
    return member[1] == wanted[1]
