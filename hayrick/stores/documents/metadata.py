"""Metadata <-> JSON text that keeps every type.

What goes in: metadata that :func:`hayrick.filters.facts.facts` has passed. What comes out: JSON, and from it metadata
equal to what went in and of the same types: a datetime with its own offset, a date as a date, tuples as lists, numpy
scalars as Python's. The invariant: ordinary metadata is ordinary JSON; only dates, and keys that begin with "$", take
the tagged form.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any

from hayrick.filters.values import plain

_DATE, _DATETIME = "$date", "$datetime"
#: A key of the user's that begins with "$" gets one more, so that it is never read as a tag.
_ESCAPE = "$"


def encode(meta: Mapping[str, Any]) -> str:
    """Metadata as JSON text."""
    try:
        text = _dump(meta)
    except TypeError:  # a date, a numpy scalar, a mapping that is no dict
        return _dump(_tagged(meta))
    return _dump(_tagged(meta)) if f'"{_ESCAPE}' in text else text


def decode(text: str) -> dict[str, Any]:
    """The metadata of JSON text."""
    meta: dict[str, Any] = json.loads(text, object_hook=_untagged) if f'"{_ESCAPE}' in text else _load(text)[0]
    return meta


# Without the search for surrounding white space, which takes json.loads longer than a small document does.
_load = json.JSONDecoder().raw_decode


# What is dumped was walked before, so it holds no circle.
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def _tagged(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, Mapping):
        return {f"{_ESCAPE}{key}" if key.startswith(_ESCAPE) else key: _tagged(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_tagged(child) for child in value]
    if isinstance(value, dt.datetime):
        return {_DATETIME: value.isoformat()}
    if isinstance(value, dt.date):
        return {_DATE: value.isoformat()}
    return value


_TAGS: dict[str, Callable[[str], dt.date]] = {_DATE: dt.date.fromisoformat, _DATETIME: dt.datetime.fromisoformat}


def _untagged(found: dict[str, Any]) -> Any:
    if len(found) == 1:
        ((key, value),) = found.items()
        if key in _TAGS:
            return _TAGS[key](value)
    return {key.removeprefix(_ESCAPE): value for key, value in found.items()}
