"""Text -> terms, the same way for documents and for queries.

What goes in: text and a store's text settings. What comes out: Tantivy's analyser for them, and a query's terms. The
invariant: a query is analysed here and never handed to the engine's query grammar, so no text is an error.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Final

import tantivy

from hayrick.errors import QueryError
from hayrick.stores.settings import LANGUAGES, TextSettings

#: Longer runs of word characters are no words anyone searches for: encoded data, mostly.
_LONGEST_TERM: Final = 255
#: The engine's time grows with the number of terms; a text with more is a document, not a query.
MAX_TERMS: Final = 4_096


def analyser(settings: TextSettings) -> tantivy.TextAnalyzer:
    """The engine's analyser for a store's settings: words, lower case, no stop words, stems."""
    language = LANGUAGES[settings.language]
    tokenizer = tantivy.Tokenizer.simple() if language.spaced else tantivy.Tokenizer.ngram(1, 2, prefix_only=False)
    builder = tantivy.TextAnalyzerBuilder(tokenizer)
    builder = builder.filter(tantivy.Filter.remove_long(_LONGEST_TERM)).filter(tantivy.Filter.lowercase())
    if isinstance(settings.stop_words, tuple):
        builder = builder.filter(tantivy.Filter.custom_stopword(list(settings.stop_words)))
    elif settings.stop_words and language.stop_words:
        builder = builder.filter(tantivy.Filter.stopword(settings.language))
    if settings.stemming and language.stemmer:
        builder = builder.filter(tantivy.Filter.stemmer(settings.language))
    return builder.build()


def normalised(text: str) -> str:
    """Text in NFKC, so that composed, decomposed and full-width spellings meet; half a surrogate pair becomes "?"."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.encode("utf8", "replace").decode())


def terms(analyser: tantivy.TextAnalyzer, query: str) -> Counter[str]:
    """A query's terms with how often each stands in it.

    Raises:
        QueryError: More than 4,096 different terms.
    """
    found = Counter(term for term in analyser.analyze(normalised(query)) if not term.isspace())
    if len(found) > MAX_TERMS:
        raise QueryError(f"a query of {len(found):,} different terms; {MAX_TERMS:,} are served, shorten it")
    return found
