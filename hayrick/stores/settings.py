"""What a store is told once and remembers: how text is analysed, and what its vectors are.

What goes in: the constructor's arguments. What comes out: frozen settings that validate themselves, and their JSON
form. The invariant: two stores with equal settings analyse text and score vectors alike.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from hayrick.errors import SettingsError

#: Tantivy's BM25 has these built in (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework").
K1: Final = 1.2
B: Final = 0.75

SIMILARITIES: Final = ("dot_product", "cosine", "l2")


@dataclass(frozen=True, slots=True)
class Language:
    """What the text engine knows of a language.

    Attributes:
        stemmer: Whether words are reduced to stems.
        stop_words: Whether it has a list of words too common to search.
        spaced: Whether words are written apart; where not, text is cut into runs of one and two characters.
    """

    stemmer: bool = True
    stop_words: bool = False
    spaced: bool = True


_STOPPED = "danish dutch english finnish french german hungarian italian norwegian portuguese russian spanish swedish"
_STEMMED = "arabic greek romanian tamil turkish"
_UNSPACED = "chinese japanese thai khmer lao burmese"

LANGUAGES: Final[dict[str, Language]] = {
    **{name: Language(stop_words=True) for name in _STOPPED.split()},
    **{name: Language() for name in _STEMMED.split()},
    **{name: Language(stemmer=False, spaced=False) for name in _UNSPACED.split()},
    # Any other language: words as they are, lower-cased.
    "other": Language(stemmer=False),
}
_CODES: Final[dict[str, str]] = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "ja": "japanese", "km": "khmer", "lo": "lao", "my": "burmese",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
    "ta": "tamil", "th": "thai", "tr": "turkish", "zh": "chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextSettings:
    """How a store analyses text for keyword search; changing it rebuilds the keyword index at the next open.

    Args:
        language: A name or two-letter code of :data:`LANGUAGES`; "other" for a language not listed.
        stemming: Reduce words to stems, where the language has a stemmer.
        stop_words: True for the language's own list, False for none, or a sequence of lower-case words.
        k1: BM25's saturation of term frequency; the engine has 1.2 built in, other values are refused.
        b: BM25's length normalisation; the engine has 0.75 built in, other values are refused.
        search_fields: What a query looks in: "content" or metadata paths with string values, each optionally with a
            weight ("title^2"); scores of several fields add up.

    Raises:
        SettingsError: An unknown language, another k1 or b, or a field that cannot be read.
    """

    language: str = "english"
    stemming: bool = True
    stop_words: bool | tuple[str, ...] = True
    k1: float = K1
    b: float = B
    search_fields: tuple[str, ...] = ("content",)

    def __post_init__(self) -> None:
        name = _CODES.get(str(self.language).lower(), str(self.language).lower())
        if name not in LANGUAGES:
            raise SettingsError(f"unknown language {self.language!r}; known are {', '.join(LANGUAGES)}")
        if (self.k1, self.b) != (K1, B):
            raise SettingsError(f"the engine's BM25 has k1={K1} and b={B} built in; leave them at that")
        object.__setattr__(self, "language", name)
        if not isinstance(self.stop_words, bool):
            object.__setattr__(self, "stop_words", tuple(self.stop_words))
        if isinstance(self.search_fields, str) or not self.search_fields:
            raise SettingsError("search_fields takes a list of at least one field, for example ['content', 'title^2']")
        object.__setattr__(self, "search_fields", tuple(self.search_fields))
        if len(dict(self.fields)) < len(self.search_fields):
            raise SettingsError("search_fields names a field twice")

    def chosen(self, search_fields: Sequence[str]) -> tuple[tuple[str, float], ...]:
        """Some of the search fields, each with the weight that the call gives it.

        Raises:
            SettingsError: A field that is not indexed, or none at all.
        """
        if isinstance(search_fields, str) or not search_fields:
            raise SettingsError("search_fields takes a list of at least one field, for example ['content', 'title^2']")
        found = tuple(map(_weighted, search_fields))
        indexed = dict(self.fields)
        for name, _ in found:
            if name not in indexed:
                raise SettingsError(
                    f"this store does not index {name!r} for search, only {', '.join(indexed)}; "
                    f"open it with TextSettings(search_fields=[...]) to add it"
                )
        return found

    @property
    def fields(self) -> tuple[tuple[str, float], ...]:
        """Each search field with its weight."""
        return tuple(map(_weighted, self.search_fields))


def _weighted(field: str) -> tuple[str, float]:
    name, caret, weight = field.rpartition("^")
    if not caret:
        return field, 1.0
    try:
        number = float(weight)
    except ValueError:
        number = 0.0
    if not (name and 0 < number < float("inf")):
        raise SettingsError(f"cannot read the search field {field!r}; write 'title' or 'title^2.5'")
    return name, number


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """What is kept with a store's data.

    Args:
        similarity: "dot_product", "cosine" or "l2".
        embedding_dim: How many numbers an embedding has, 1 to 65,536.
        text: How text is analysed.

    Raises:
        SettingsError: A value out of range.
    """

    similarity: str = "dot_product"
    embedding_dim: int = 768
    text: TextSettings = dataclasses.field(default_factory=TextSettings)

    def __post_init__(self) -> None:
        if self.similarity not in SIMILARITIES:
            raise SettingsError(f"unknown similarity {self.similarity!r}; known are {', '.join(SIMILARITIES)}")
        if isinstance(self.embedding_dim, bool) or self.embedding_dim not in range(1, 65_537):
            raise SettingsError(f"embedding_dim is a whole number from 1 to 65,536, not {self.embedding_dim!r}")

    def changed(self, **given: Any) -> StoreSettings:
        """These settings with those of ``given`` that are not None."""
        return dataclasses.replace(self, **{name: value for name, value in given.items() if value is not None})

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, stored: str) -> StoreSettings:
        """Read the stored form."""
        fields = json.loads(stored)
        text = fields.pop("text")
        stop_words = text.pop("stop_words")
        stop_words = stop_words if isinstance(stop_words, bool) else tuple(stop_words)
        return cls(**fields, text=TextSettings(**text, stop_words=stop_words))
