"""Metadata as facts: what every leaf of a filter asks about.

What goes in: a document's metadata. What comes out: its facts ``(path, kind, value)``. A scalar is one fact; a list
gives the facts of each element, plus one ``LIST`` fact for whole-list equality; a dictionary gives its children's
facts at dotted paths, through lists too, plus one ``OBJECT`` fact; null gives none. The invariant: the same metadata
gives the same facts on every engine, because this is the only place that makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hayrick.errors import MetadataError
from hayrick.filters.ast import Kind
from hayrick.filters.values import check_text, plain, scalar

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


def _object(value: Mapping[str, object], path: str, depth: int, found: list[Fact]) -> None:
    if depth > MAX_DEPTH:
        raise MetadataError(f"nested deeper than {MAX_DEPTH} levels", path)
    for key, child in value.items():
        if child is None and type(key) is str:
            continue
        _value(child, _join(path, key), depth + 1, found)


def _join(path: str, key: object) -> str:
    if not isinstance(key, str):
        raise MetadataError(f"the key {key!r} is not a string; write it as {str(key)!r}", path or "meta")
    try:
        joined = check_text(f"{path}.{key}" if path else key)
    except ValueError as error:
        raise MetadataError(str(error), path or "meta") from error
    if len(joined) > MAX_PATH_BYTES // 4 and len(joined.encode()) > MAX_PATH_BYTES:
        raise MetadataError(f"a path longer than {MAX_PATH_BYTES} bytes", f"{joined[:60]}...")
    return joined


def _value(value: object, path: str, depth: int, found: list[Fact]) -> None:
    value = plain(value)
    if isinstance(value, Mapping):
        found.append(Fact(path, Kind.OBJECT, True))  # noqa: FBT003 - the value of an object fact is only a sign
        _object(value, path, depth, found)
    elif isinstance(value, list | tuple):
        if depth > MAX_DEPTH:
            raise MetadataError(f"nested deeper than {MAX_DEPTH} levels", path)
        for element in value:
            if element is not None:
                _value(element, path, depth + 1, found)
        found.append(Fact(path, Kind.LIST, tuple(_members(value, path))))
    else:
        try:
            found.append(Fact(path, *scalar(value)))
        except (ValueError, TypeError) as error:
            raise MetadataError(
                f"{error}; metadata holds strings, numbers, bools, dates, lists, dictionaries and None"
                if isinstance(error, TypeError)
                else str(error),
                path,
            ) from error


def _members(values: list[object] | tuple[object, ...], path: str) -> Iterator[Member]:
    # The elements were checked by _value, depth included, so this walk meets nothing it could not take.
    for value in map(plain, values):
        yield _member(value, path)


def _member(value: object, path: str) -> Member:
    if value is None:
        return None
    if isinstance(value, Mapping):
        items = ((key, _member(plain(child), path)) for key, child in value.items() if child is not None)
        return Kind.OBJECT, tuple(sorted(items, key=lambda item: item[0]))
    if isinstance(value, list | tuple):
        return Kind.LIST, tuple(_members(value, path))
    return scalar(value)


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
