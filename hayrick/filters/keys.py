r"""Facts as sortable keys: the one stored form that SQL and the columns compare.

What goes in: facts, or a leaf's values. What comes out: keys, text or integers, that compare byte by byte (or as
integers) exactly as the values do. The invariant: for two values of one kind, ``key(a) < key(b)`` if and only if
``a < b``, and equal if and only if equal.

===========  ====================================================================================================
kind         key
===========  ====================================================================================================
bool         0 or 1
number       16 hexadecimal digits of the largest float not above it, as an unsigned integer in float order; an
             integer that is no float adds three digits for the rest, so 2**53 + 1 sorts above 2**53
string       the text; NUL becomes U+0001 U+0001 and U+0001 becomes U+0001 U+0002, since SQLite ends JSON text at NUL
datetime     microseconds since 1970 in UTC
list         canonical JSON, one kind letter before each member
===========  ====================================================================================================

A document's facts are stored as one JSON object whose names are the kind's letter and the path; names may repeat.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import struct
from json.encoder import encode_basestring as _quote
from json.encoder import encode_basestring_ascii as _quote_ascii
from typing import TYPE_CHECKING, Any

from hayrick.filters.ast import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hayrick.filters.ast import Alternatives, ListPattern, Value
    from hayrick.filters.facts import Fact, ListValue, Member, ObjectValue

Key = int | str

_pack = struct.Struct(">d").pack
_unpack = struct.Struct(">Q").unpack
_SIGN = 1 << 63
_MASK = (1 << 64) - 1
_EXACT = 1 << 53
_REST_DIGITS = 3


def number_key(value: float) -> str:
    """The key of an int in the signed 64-bit range or of a finite float."""
    # Adding 0.0 turns -0.0 into 0.0.
    floor, rest = float(value) + 0.0, 0
    if isinstance(value, int) and not -_EXACT <= value <= _EXACT:
        if int(floor) > value:
            floor = math.nextafter(floor, -math.inf)
        rest = value - int(floor)
    bits: int = _unpack(_pack(floor))[0]
    # Floats order as sign-and-magnitude integers: flip the sign bit above zero, every bit below.
    bits = bits ^ _MASK if bits & _SIGN else bits | _SIGN
    return f"{bits:016x}{rest:0{_REST_DIGITS}x}" if rest else f"{bits:016x}"


def number_of(key: str) -> float:
    """The number whose key it is: an int where the value is integral and within 64 bits, else a float."""
    bits = int(key[:16], 16)
    bits = bits & ~_SIGN if bits & _SIGN else bits ^ _MASK
    value: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    if value.is_integer() and -_SIGN <= value < _SIGN:
        return int(value) + (int(key[16:], 16) if len(key) > 16 else 0)  # noqa: PLR2004 - the width above
    return value


def text_key(text: str) -> str:
    """The key of a string; the string itself unless it holds NUL or U+0001."""
    if "\x00" in text or "\x01" in text:
        return text.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")
    return text


def text_of(key: str) -> str:
    """The string whose key it is."""
    return key.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in key else key


def _same(value: Any) -> Any:
    return value


def list_key(value: ListValue) -> str:
    """The key of a whole list: JSON in ASCII alone, so that no text inside needs the escape above."""
    return f"[{','.join(map(_member_text, value))}]"


def _member_text(member: Member) -> str:
    if member is None:
        return "null"
    kind, value = member
    if kind is Kind.LIST:
        return list_key(value)  # type: ignore[arg-type]
    if kind is Kind.OBJECT:
        items: ObjectValue = value  # type: ignore[assignment]
        return "{" + ",".join(f"{_quote_ascii(key)}:{_member_text(inner)}" for key, inner in items) + "}"
    return _quote_ascii(_tagged(kind, value))


def _tagged(kind: Kind, value: Any) -> str:
    return f"{kind.value}{_KEYS[kind](value)}"


_KEYS: dict[Kind, Callable[[Any], Key]] = {
    Kind.BOOL: int,
    Kind.NUMBER: number_key,
    Kind.STRING: text_key,
    Kind.DATETIME: _same,
    Kind.LIST: list_key,
    Kind.OBJECT: int,
}


def fact_key(fact: Fact) -> Key:
    """The key of one fact's value."""
    return _KEYS[fact.kind](fact.value)


def value_keys(kind: Kind, values: Iterable[Value]) -> Iterator[Key]:
    """The keys that a leaf's values of one kind may equal; a list with ISO strings has several."""
    if kind is Kind.LIST:
        return itertools.chain.from_iterable(map(pattern_keys, values))  # type: ignore[arg-type]
    return map(_KEYS[kind], values)


def name(kind: Kind, path: str) -> str:
    """The name under which facts of ``kind`` at ``path`` are stored."""
    return kind.value + text_key(path)


# Documents of one store share their few paths.
@functools.lru_cache(maxsize=4096)
def _quoted_name(kind: Kind, path: str) -> str:
    return f"{_quote(name(kind, path))}:"


#: The key of each kind as JSON text.
_LITERALS: dict[Kind, Callable[[Any], str]] = {
    Kind.BOOL: lambda value: "1" if value else "0",
    Kind.NUMBER: lambda value: f'"{number_key(value)}"',
    Kind.STRING: lambda value: _quote(text_key(value)),
    Kind.DATETIME: str,
    Kind.LIST: lambda members: _quote(list_key(members)),
    Kind.OBJECT: lambda _: "1",
}


def dump(facts: Sequence[Fact]) -> str:
    """A document's facts as the JSON object that is stored; names repeat where a path holds several values."""
    return "{" + ",".join([_quoted_name(kind, path) + _LITERALS[kind](value) for path, kind, value in facts]) + "}"


_load = json.JSONDecoder(object_pairs_hook=_same).decode


def load(stored: str) -> list[tuple[str, Key]]:
    """The ``(name, key)`` pairs of a stored facts object, repeats included."""
    pairs: list[tuple[str, Key]] = _load(stored)
    return pairs


def pattern_keys(pattern: ListPattern) -> Iterator[str]:
    """Every key that a filter's list may equal: the product of its members' alternatives."""
    return (f"[{','.join(members)}]" for members in itertools.product(*map(_alternative_texts, pattern)))


def _alternative_texts(alternatives: Alternatives) -> list[str]:
    texts: list[str] = []
    for alternative in alternatives:
        if alternative is None or alternative[0] is not Kind.LIST:
            texts.append(_member_text(alternative))  # type: ignore[arg-type]
        else:
            texts.extend(pattern_keys(alternative[1]))  # type: ignore[arg-type]
    return texts


def key_matches(key: str, pattern: ListPattern) -> bool:
    """Whether a stored list's key is among :func:`pattern_keys`, found without listing them."""
    return _tagged_matches(json.loads(key), pattern)


def _tagged_matches(stored: Any, pattern: ListPattern) -> bool:
    if not isinstance(stored, list) or len(stored) != len(pattern):
        return False
    return all(
        any(_stored_matches(member, alternative) for alternative in alternatives)
        for member, alternatives in zip(stored, pattern, strict=True)
    )


def _stored_matches(stored: Any, alternative: tuple[Kind, Value] | None) -> bool:
    if alternative is None or stored is None:
        return stored is alternative
    if alternative[0] is Kind.LIST:
        return _tagged_matches(stored, alternative[1])  # type: ignore[arg-type]
    return bool(stored == _tagged(*alternative))


def pattern_count(pattern: ListPattern) -> int:
    """How many keys :func:`pattern_keys` gives."""
    return math.prod(sum(map(_alternative_count, alternatives)) for alternatives in pattern)


def _alternative_count(alternative: tuple[Kind, Value] | None) -> int:
    if alternative is None or alternative[0] is not Kind.LIST:
        return 1
    return pattern_count(alternative[1])  # type: ignore[arg-type]
