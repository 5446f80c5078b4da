"""Files -> documents.

What goes in: paths of files and folders, or "-" for JSON Lines on standard input. What comes out: documents, one at a
time. The invariant: a record that cannot be read stops with its file and line; nothing is guessed or left out in
silence, except that a folder's files of unknown kinds are passed over.
"""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, TextIO

from hayrick.errors import DocumentError, MissingDependencyError
from hayrick.schema import Document

STDIN: Final = "-"
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")
_HIDDEN_TAGS: Final = {"script", "style", "template", "noscript"}
_TITLES: Final = {"title"}


def read_documents(source: str) -> Iterator[Document]:
    """The documents of a file, of a folder's files, or of standard input.

    Raises:
        DocumentError: A file does not exist, is of an unknown kind, or a record cannot be read.
        MissingDependencyError: A PDF, and no pypdf to read it with.
    """
    if source == STDIN:
        yield from _json_lines(sys.stdin, "standard input")
        return
    path = Path(source)
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and _reader(file) is not None:
                yield from _read(file)
        return
    if not path.is_file():
        raise DocumentError(f"{source}: no such file or folder")
    yield from _read(path)


def _reader(path: Path) -> Callable[[Path], Iterator[Document]] | None:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return _READERS.get(suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else "".join(suffixes[-1:]))


def _read(path: Path) -> Iterator[Document]:
    reader = _reader(path)
    if reader is None:
        raise DocumentError(
            f"{path}: cannot read this kind of file; known are {', '.join(_READERS)} (records also .gz)"
        )
    try:
        yield from reader(path)
    except (UnicodeDecodeError, OSError, EOFError) as error:
        raise DocumentError(f"{path}: {error}") from error


def _open(path: Path) -> TextIO:
    if path.suffix.lower() == ".gz":
        return io.TextIOWrapper(gzip.open(path), encoding="utf8", newline="")
    return path.open(encoding="utf8", newline="")


# -- whole files ---------------------------------------------------------------------------------------------------


def _file_meta(path: Path) -> dict[str, Any]:
    found = path.stat()
    modified = dt.datetime.fromtimestamp(int(found.st_mtime), dt.UTC)
    return {"path": str(path), "name": path.name, "suffix": path.suffix, "size": found.st_size, "modified": modified}


def _text_file(path: Path) -> Iterator[Document]:
    yield Document(path.read_text(encoding="utf8"), id=str(path), meta=_file_meta(path))


class _Page(HTMLParser):
    """The text that a page shows, and its title."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.title = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN_TAGS | _TITLES:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._open.remove(tag)

    def handle_data(self, data: str) -> None:
        if self._open[-1:] and self._open[-1] in _TITLES:
            self.title += data.strip()
        elif not self._open and data.strip():
            self.text.append(" ".join(data.split()))


def _html_file(path: Path) -> Iterator[Document]:
    page = _Page()
    page.feed(path.read_text(encoding="utf8"))
    page.close()
    title = {"title": page.title} if page.title else {}
    yield Document("\n".join(page.text), id=str(path), meta={**_file_meta(path), **title})


def _pdf_file(path: Path) -> Iterator[Document]:
    try:
        pypdf = importlib.import_module("pypdf")
    except ImportError as error:
        raise MissingDependencyError("pypdf", "pdf", f"{path.name}, a PDF file,") from error
    for number, page in enumerate(pypdf.PdfReader(path).pages, 1):
        yield Document(page.extract_text(), id=f"{path}#{number}", meta={**_file_meta(path), "page": number})


# -- records -------------------------------------------------------------------------------------------------------


def _json_lines(lines: TextIO, where: str) -> Iterator[Document]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _record(_json(line, f"{where}:{number}"), f"{where}:{number}")


def _jsonl_file(path: Path) -> Iterator[Document]:
    with _open(path) as lines:
        yield from _json_lines(lines, str(path))


def _json_file(path: Path) -> Iterator[Document]:
    with _open(path) as file:
        found = _json(file.read(), str(path))
    for number, record in enumerate(found if isinstance(found, list) else [found], 1):
        yield _record(record, f"{path}, record {number}")


def _csv_file(path: Path) -> Iterator[Document]:
    with _open(path) as file:
        rows = csv.DictReader(file)
        try:
            for row in rows:
                where = f"{path}:{rows.line_num}"
                if None in row or None in row.values():
                    raise DocumentError(f"{where}: the line has another number of cells than the header")
                record = {key: value if key in _TEXT_FIELDS else _inferred(value) for key, value in row.items()}
                yield _record({key: value for key, value in record.items() if value is not None}, where)
        except csv.Error as error:
            raise DocumentError(f"{path}:{rows.line_num}: {error}") from error


def _inferred(cell: str) -> Any:
    """A cell as a number or a bool where it is written as one, as None where it is empty."""
    if cell.lower() in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[cell.lower()]
    return json.loads(cell) if _NUMBER.fullmatch(cell) else cell


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{where}: not JSON: {error}") from error


_TEXT_FIELDS: Final = ("content", "text", "id", "_id", "title")


def _record(record: Any, where: str) -> Document:
    """A document of a record: ``content``, or ``text`` after ``title``; ``id`` or ``_id``; the rest is metadata."""
    if not isinstance(record, Mapping):
        raise DocumentError(f"{where}: a record is an object with 'content' or 'text', not a {type(record).__name__}")
    given = dict(record)
    title = given.get("title")
    content = given.pop("content", None)
    if content is None:
        content = given.pop("text", None)
        content = f"{title} {content}" if title and isinstance(content, str) else content
    if content is None:
        raise DocumentError(f"{where}: no 'content' and no 'text' among {', '.join(map(str, record)) or 'nothing'}")
    id_ = given.pop("id", None) or given.pop("_id", None)
    given.pop("_id", None)
    meta = {**(given.pop("metadata", None) or {}), **(given.pop("meta", None) or {})}
    try:
        return Document.from_dict({**given, "content": content, "id": id_, "meta": meta})
    except (DocumentError, TypeError) as error:
        raise DocumentError(f"{where}: {error}") from error


_READERS: Final[dict[str, Callable[[Path], Iterator[Document]]]] = {
    ".txt": _text_file, ".md": _text_file, ".rst": _text_file, ".html": _html_file, ".htm": _html_file,
    ".pdf": _pdf_file, ".jsonl": _jsonl_file, ".ndjson": _jsonl_file, ".json": _json_file, ".csv": _csv_file,
}  # fmt: skip
