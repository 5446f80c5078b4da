"""Documents that the store suite writes."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hayrick.schema import Document

_PLUS_2 = dt.timezone(dt.timedelta(hours=2))

#: The five people of Haystack v1's own retriever tests.
PEOPLE = [
    ("Paul", "New York", "filename2", "test2", "2019-10-01", 5.0),
    ("Carla", "Berlin", "filename1", "test1", "2020-03-01", 5.5),
    ("Christelle", "Paris", "filename3", "test3", "2018-10-01", 4.5),
    ("Camila", "Madrid", "filename4", "test4", "2021-02-01", 3.0),
    ("Matteo", "Rome", "filename5", "test5", "2019-01-01", 0.0),
]

#: Metadata of every type, which must come back equal and of the same type.
RICH_META: dict[str, Any] = {
    "text": "é\x00\U0001f600", "int": 2**53 + 1, "float": 1.0, "tiny": 5e-324, "minus": -0.0, "bool": True,
    "none": None, "date": dt.date(2020, 2, 29), "naive": dt.datetime(2020, 1, 1, 12, 0, 0, 1),
    "aware": dt.datetime(2020, 1, 1, tzinfo=_PLUS_2), "list": [1, 1.0, "a", None, [True, {"x": dt.date(2020, 1, 1)}]],
    "empty": {}, "$date": "not a tag", "$$": {"$datetime": 1}, "a.b": 1, 'q"k': {"": []},
}  # fmt: skip


def people() -> list[Document]:
    """The five people as documents."""
    return [
        Document(
            f"My name is {name} and I live in {city}",
            meta={"name": file, "meta_field": field, "date": date, "rating": rating},
        )
        for name, city, file, field, date, rating in PEOPLE
    ]


def named(*ids: str, **meta: Any) -> list[Document]:
    """Documents of these ids, each with the same metadata."""
    return [Document(f"text of {id_}", id=id_, meta=dict(meta)) for id_ in ids]


def ids(documents: list[Document]) -> list[str]:
    """The documents' ids, in their order."""
    return [document.id for document in documents]
