"""Filters on the command line: JSON, or a shorthand for the common ones.

What goes in: the words of ``--filter``. What comes out: a filter of the language. The invariant: whatever is not
clearly shorthand or JSON is refused, so a typo never widens a search.

======================  =================================================
``year>=2015``          also ``>``, ``<``, ``<=``, ``=``, ``!=``
``title~hay``           contains
``genre in a,b``        also ``not in``
``tags?``  ``!tags?``   has the field, has not
``a=1 and b=2``         both
``{"$or": ...}``        JSON, the whole language
======================  =================================================

Numbers, ``true``, ``false`` and ``null`` are what they look like; quotes make text of them (``id="007"``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from hayrick.errors import FilterError

_OPERATORS: Final = {
    ">=": "$gte", "<=": "$lte", "!=": "$ne", "=": "$eq", ">": "$gt", "<": "$lt", "~": "$contains"
}  # fmt: skip
_AND: Final = re.compile(r"\s+and\s+", re.IGNORECASE)
_COMPARISON: Final = re.compile(
    r"(?P<path>[^<>=!~?]+?)\s*(?P<operator>>=|<=|!=|=|>|<|~)\s*(?P<value>(?![<>=~]).*)", re.DOTALL
)
_MEMBERSHIP: Final = re.compile(r"(?P<path>\S+)\s+(?P<negated>not\s+)?in\s+(?P<values>.+)", re.IGNORECASE | re.DOTALL)
_EXISTENCE: Final = re.compile(r"(?P<negated>!?)(?P<path>[^\s?!]+)\?")


def parse_filters(words: Sequence[str]) -> list[dict[str, Any]] | None:
    """The filters of all ``--filter`` options, to be ANDed; None where there are none.

    Raises:
        FilterError: Something is neither JSON nor shorthand.
    """
    return [_filter(word) for word in words] or None


def _filter(word: str) -> dict[str, Any]:
    text = word.strip()
    if text.startswith(("{", "[")):
        try:
            found: Any = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FilterError(f"not JSON: {error}", "--filter") from error
        return {"$and": found}
    return {"$and": [_part(part) for part in _AND.split(text)]}


def _part(text: str) -> dict[str, Any]:
    for pattern, read in _FORMS:
        if found := pattern.fullmatch(text):
            return read(found)
    raise FilterError(
        f"cannot read {text!r}; write 'year>=2015', 'genre in a,b', 'title~hay', 'tags?', or a filter as JSON",
        "--filter",
    )


def _existence(found: re.Match[str]) -> dict[str, Any]:
    return {found["path"]: {"$exists": not found["negated"]}}


def _membership(found: re.Match[str]) -> dict[str, Any]:
    operator = "$nin" if found["negated"] else "$in"
    return {found["path"]: {operator: [_value(value) for value in found["values"].split(",")]}}


def _comparison(found: re.Match[str]) -> dict[str, Any]:
    operator = _OPERATORS[found["operator"]]
    value = found["value"].strip()
    # A substring is text, whatever it looks like.
    return {found["path"].strip(): {operator: value.strip('"') if operator == "$contains" else _value(value)}}


_FORMS: Final[Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any]]]]] = (
    (_EXISTENCE, _existence),
    (_MEMBERSHIP, _membership),
    (_COMPARISON, _comparison),
)


def _value(text: str) -> Any:
    text = text.strip()
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, dict | list) else value
