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


_KEYS: dict[Kind, Callable[[Any], Key]] = {
    Kind.BOOL: int,
    Kind.NUMBER: number_key,
    Kind.STRING: text_key,
    Kind.DATETIME: _same,
    Kind.OBJECT: int,
}


def fact_key(fact: Fact) -> Key:
    """The key of one fact's value."""
    if fact.kind is Kind.LIST:
        return list_key(fact.value)  # type: ignore[arg-type]
    return _KEYS[fact.kind](fact.value)


def value_keys(kind: Kind, values: Iterable[Value]) -> Iterator[Key]:
    """The keys that a leaf's values of one kind may equal; a list with ISO strings has several."""
    if kind is Kind.LIST:
        return itertools.chain.from_iterable(map(pattern_keys, values))  # type: ignore[arg-type]
    return map(_KEYS[kind], values)


def name(kind: Kind, path: str) -> str:
    """The name under which facts of ``kind`` at ``path`` are stored."""
    return kind.value + text_key(path)


def dump(facts: Sequence[Fact]) -> str:
    """A document's facts as the JSON object that is stored; names repeat where a path holds several values."""
    return "{" + ",".join([f"{_quoted_name(fact.kind, fact.path)}:{_literal(fact_key(fact))}" for fact in facts]) + "}"


_quote = json.JSONEncoder(ensure_ascii=False).encode


def _literal(key: Key) -> str:
    return _quote(key) if isinstance(key, str) else str(key)


# Documents of one store share their few paths.
@functools.lru_cache(maxsize=4096)
def _quoted_name(kind: Kind, path: str) -> str:
    return _quote(name(kind, path))


_load = json.JSONDecoder(object_pairs_hook=_same).decode


def load(stored: str) -> list[tuple[str, Key]]:
    """The ``(name, key)`` pairs of a stored facts object, repeats included."""
    pairs: list[tuple[str, Key]] = _load(stored)
    return pairs


def list_key(value: ListValue) -> str:
    """The key of a whole list."""
    return _canonical([_tagged(member) for member in value])


def _tagged(member: Member) -> Any:
    if member is None:
        return None
    kind, value = member
    if kind is Kind.LIST:
        return [_tagged(inner) for inner in value]  # type: ignore[union-attr, arg-type]
    if kind is Kind.OBJECT:
        return _tagged_object(value)  # type: ignore[arg-type]
    return f"{kind.value}{_KEYS[kind](value)}"


def _tagged_object(value: ObjectValue) -> dict[str, Any]:
    return {key: _tagged(member) for key, member in value}


# ASCII alone, so that no text inside needs the escape above.
_canonical = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def pattern_keys(pattern: ListPattern) -> Iterator[str]:
    """Every key that a filter's list may equal: the product of its members' alternatives."""
    return (_canonical(list(members)) for members in itertools.product(*map(_tagged_alternatives, pattern)))


def _tagged_alternatives(alternatives: Alternatives) -> list[Any]:
    tagged: list[Any] = []
    for alternative in alternatives:
        if alternative is None or alternative[0] is not Kind.LIST:
            tagged.append(_tagged(alternative))  # type: ignore[arg-type]
        else:
            nested: ListPattern = alternative[1]  # type: ignore[assignment]
            tagged.extend(list(inner) for inner in itertools.product(*map(_tagged_alternatives, nested)))
    return tagged


def key_matches(key: str, pattern: ListPattern) -> bool:
    """Whether a stored list's key is among :func:`pattern_keys`, found without listing them."""
    return _tagged_matches(json.loads(key), pattern)


def _tagged_matches(stored: Any, pattern: ListPattern) -> bool:
    if not isinstance(stored, list) or len(stored) != len(pattern):
        return False
    return all(
        any(
            _tagged_matches(member, alternative[1])  # type: ignore[arg-type]
            if alternative is not None and alternative[0] is Kind.LIST
            else member == _tagged(alternative)  # type: ignore[arg-type]
            for alternative in alternatives
        )
        for member, alternatives in zip(stored, pattern, strict=True)
    )


def pattern_count(pattern: ListPattern) -> int:
    """How many keys :func:`pattern_keys` gives."""
    return math.prod(sum(map(_alternative_count, alternatives)) for alternatives in pattern)


def _alternative_count(alternative: tuple[Kind, Value] | None) -> int:
    if alternative is None or alternative[0] is not Kind.LIST:
        return 1
    return pattern_count(alternative[1])  # type: ignore[arg-type]
