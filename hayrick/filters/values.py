"""Scalars of metadata and of filters: their kinds, their limits, and the instants that ISO strings name.

What goes in: a Python value (numpy scalars become Python's). What comes out: ``(Kind, value)`` in the form that
comparisons use: bool, int or float as they are, text, and datetimes as microseconds since 1970-01-01 in UTC (a naive
one means UTC, a date means its midnight). The invariant: a value that no engine could keep exactly is refused here with
a sentence, so that nothing behind this door meets NaN, 2**63 or half a surrogate pair.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import sys
from typing import TYPE_CHECKING

from hayrick.filters.ast import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

#: The integers that every engine keeps exactly.
INT_MIN, INT_MAX = -(2**63), 2**63 - 1

_ISO = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    r"\s?(?:(?P<utc>[Zz])|(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?)?"
)
_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - naive on purpose: offsets are subtracted as plain integers
_MICROSECOND = dt.timedelta(microseconds=1)


def microseconds(moment: dt.date) -> int:
    """Microseconds from 1970-01-01T00:00 UTC to a date's midnight or a datetime; naive means UTC."""
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)  # noqa: DTZ001 - see _EPOCH
    offset = moment.utcoffset() or dt.timedelta()
    # Subtracting the offset as a number keeps year 1 and year 9999 in range, which astimezone would not.
    return (moment.replace(tzinfo=None) - _EPOCH - offset) // _MICROSECOND


def iso_microseconds(text: str) -> int | None:
    """The instant an ISO-8601 string names, or None where it names none.

    Taken: ``YYYY-MM-DD``, optionally with ``T`` or a space, ``HH:MM[:SS[.ffffff]]`` and an offset.
    """
    # Most strings are no dates: two character tests spare them the regular expression.
    if len(text) < len("2000-01-01") or text[4] != "-" or (found := _ISO.fullmatch(text)) is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(f"{found['day']}T{found['time'] or '00:00'}")
    except ValueError:  # the shape of a date, but no such day: plain text
        return None
    offset = 0
    if found["sign"]:
        offset = int(found["hours"]) * 60 + int(found["minutes"])
        offset = -offset if found["sign"] == "-" else offset
    return microseconds(moment) - offset * 60_000_000


def check_text(text: str) -> str:
    """Return ``text``; raise ValueError where it holds half of a surrogate pair, which no engine can store."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"text with a lone surrogate (U+{ord(text[error.start]):04X} at {error.start}) is not Unicode; "
                f"replace it, for example with text.encode('utf8', 'replace').decode()"
            ) from error
    return text


def _number(value: float) -> float:
    if isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise ValueError(
                f"an integer of {value.bit_length()} bits is outside the signed 64-bit range; store it as a string"
            )
        return int(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number; leave the field out instead")
    return float(value)


#: A scalar's exact type -> its kind, and what makes its comparable form.
KINDS: dict[type, tuple[Kind, Callable[..., bool | int | float | str]]] = {
    bool: (Kind.BOOL, bool),
    int: (Kind.NUMBER, _number),
    float: (Kind.NUMBER, _number),
    str: (Kind.STRING, check_text),
    dt.datetime: (Kind.DATETIME, microseconds),
    dt.date: (Kind.DATETIME, microseconds),
}


def plain(value: object) -> object:
    """A numpy scalar or array as Python's own value; anything else as it is."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic | numpy.ndarray):
        return value.tolist()
    return value


def scalar(value: object) -> tuple[Kind, bool | int | float | str]:
    """The kind and comparable form of a scalar.

    Raises:
        ValueError: The number or the text is out of range (see the module).
        TypeError: The value is no scalar of the language.
    """
    found = KINDS.get(type(value))
    if found is None:
        value = plain(value)
        found = next((entry for base, entry in KINDS.items() if isinstance(value, base)), None)
        if found is None:
            raise TypeError(f"a {type(value).__name__} is not a string, number, bool, date or datetime")
    kind, convert = found
    return kind, convert(value)
