"""Between objects, dictionaries and JSON.

What goes in: the dictionaries that ``to_dict`` gives, and JSON text. What comes out: strict JSON (no NaN),
dictionaries whose keys were checked, and copies of metadata that share nothing mutable with the original. The
invariant: nothing here changes what it is given, and what cannot be encoded is a `DocumentError`, never a bare
TypeError.
"""

from __future__ import annotations

import copy
import datetime as dt
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from hayrick.errors import DocumentError, MetadataError
from hayrick.schema.tables import is_frame, table_rows

#: Immutable values, which a copy may share; ``copied`` looks no further at them.
_ATOMS = frozenset({str, int, float, bool, type(None), dt.datetime, dt.date})


class Jsonable(ABC):
    """Gives ``to_json`` and ``from_json`` to a class that has ``to_dict`` and ``from_dict``."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All fields, as a dictionary that ``from_dict`` takes."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The object that a dictionary describes."""

    def to_json(self) -> str:
        """The dictionary as strict JSON: arrays are lists, dates ISO strings.

        Raises:
            DocumentError: A value that JSON cannot hold, NaN included.
        """
        return encode(self.to_dict())

    @classmethod
    def from_json(cls, data: str | bytes | Path | Mapping[str, Any]) -> Self:
        """The object that JSON text, a JSON file's path, or an already parsed dictionary describes.

        Raises:
            DocumentError: It is not JSON, or not of this class.
        """
        return cls.from_dict(decode(data))


def encode(data: Mapping[str, Any]) -> str:
    """Strict JSON for ``data``.

    Raises:
        DocumentError: A value that JSON cannot hold, NaN included.
    """
    try:
        return json.dumps(data, default=_plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(f"cannot be written as JSON: {error}") from error


def decode(data: str | bytes | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """The dictionary in ``data``, parsed unless it is one already.

    Raises:
        DocumentError: It is not JSON, or JSON of something other than an object.
    """
    if isinstance(data, Path):
        data = data.read_bytes()
    try:
        parsed = json.loads(data) if isinstance(data, str | bytes) else data
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"not JSON that can be read: {error}") from error
    if not isinstance(parsed, Mapping):
        raise DocumentError(f"expected a JSON object, found a {type(parsed).__name__}")
    return parsed


def checked(data: Mapping[str, Any], known: tuple[str, ...], required: int, what: str) -> dict[str, Any]:
    """A shallow copy of ``data``, whose keys are all ``known`` and hold at least the first ``required`` of those.

    Raises:
        DocumentError: A key is missing or unknown, or ``data`` is no mapping.
    """
    if not isinstance(data, Mapping):
        raise DocumentError(f"{what}: expected a dictionary, found a {type(data).__name__}")
    if missing := [key for key in known[:required] if key not in data]:
        raise DocumentError(f"{what}: {', '.join(missing)} missing; found {', '.join(map(str, data)) or 'nothing'}")
    if unknown := [str(key) for key in data if key not in known]:
        raise DocumentError(f"{what}: unknown {', '.join(unknown)}; it takes {', '.join(known)}")
    return dict(data)


def copied(meta: dict[str, Any]) -> dict[str, Any]:
    """A copy of metadata: containers at every depth are new, so changing one never shows in the other.

    Raises:
        MetadataError: It contains itself, or nests too deep to walk.
    """
    try:
        return _copied(meta)  # type: ignore[no-any-return]
    except RecursionError as error:
        raise MetadataError("it contains itself, or nests too deep to copy") from error


def copier(meta: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    """A function that makes one `copied` after another, having found out once what to copy and what to share.

    Raises:
        MetadataError: It contains itself, or nests too deep to walk.
    """
    try:
        return _copier(meta)
    except RecursionError as error:
        raise MetadataError("it contains itself, or nests too deep to copy") from error


def _copied(value: Any) -> Any:
    # Several times as fast as copy.deepcopy on what metadata is made of, which is why it is here.
    kind = value.__class__
    if kind is dict:
        return {key: member if member.__class__ in _ATOMS else _copied(member) for key, member in value.items()}
    if kind is list:
        return [member if member.__class__ in _ATOMS else _copied(member) for member in value]
    return copy.deepcopy(value)


def _copier(value: Any) -> Callable[[], Any]:
    kind = value.__class__
    if kind is not dict and kind is not list:
        return partial(copy.deepcopy, value)
    members = value.items() if kind is dict else enumerate(value)
    inner = [(key, _copier(member)) for key, member in members if member.__class__ not in _ATOMS]
    return partial(_refilled, value, inner) if inner else value.copy


def _refilled(value: Any, inner: list[tuple[Any, Callable[[], Any]]]) -> Any:
    new = value.copy()
    for key, make in inner:
        new[key] = make()
    return new


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if is_frame(value):
        return table_rows(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")
