"""The benchmarks' documents: the data folder's corpora, and made-up metadata.

What goes in: how many. What comes out: packages, queries out of their titles, metadata. The invariant: the same
numbers give the same documents, on every machine.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

GENRES = ["economy", "politics", "sports", "science", "travel", "culture", "health", "food"]
PUBLISHERS = ["nytimes", "faz", "lemonde", "elpais", "guardian", "nzz"]
TYPES = ["article", "letter", "review"]


def data_folder() -> Path:
    """The folder of the data; where there is none, the script ends without a fault, saying why.

    A HAYRICK_DATA that leads nowhere is a fault: someone meant the script to run.
    """
    named = os.environ.get("HAYRICK_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if folder.is_dir():
        return folder
    if named:
        raise SystemExit(f"HAYRICK_DATA={named} is not a folder")
    print("skipped: no data; set HAYRICK_DATA, or put it at ../shared/data beside the checkout", file=sys.stderr)
    raise SystemExit(0)


def debian(count: int) -> list[dict]:
    """The first packages of the Debian corpus."""
    with gzip.open(data_folder() / "debian" / "corpus.jsonl.gz", "rt", encoding="utf8") as lines:
        return [json.loads(line) for line in itertools.islice(lines, count)]


def text(package: dict) -> str:
    """What is searched of a package."""
    return f"{package['title']} {package['text']}"


def title_queries(packages: Sequence[dict], count: int) -> list[str]:
    """Three to five words from titles, spread over the packages."""
    titles = [package["title"].split() for package in packages[:: max(len(packages) // (count * 2), 1)]]
    return [" ".join(words[:5]) for words in titles if len(words) >= 3][:count]


def metadata(count: int) -> Iterator[dict[str, object]]:
    """Made-up metadata of five fields; about 1 in 50 documents matches the retriever documentation's filter."""
    choose = random.Random(7)
    for _ in range(count):
        date = f"{choose.randrange(2005, 2025)}-{choose.randrange(1, 13):02}-{choose.randrange(1, 29):02}"
        yield {
            "type": choose.choice(TYPES),
            "date": date,
            "rating": choose.choice([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]),
            "genre": choose.choice(GENRES),
            "publisher": choose.choice(PUBLISHERS),
        }
