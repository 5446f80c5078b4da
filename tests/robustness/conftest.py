"""Stores to break, and Python processes to break them with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hayrick
from hayrick import Document, InMemoryDocumentStore, SQLiteDocumentStore

#: A child that hangs is a fault of its own; no child here needs a tenth of this.
_PATIENCE = 120

#: Small vectors, so that embeddings can be written by hand.
_OPTIONS = {"embedding_dim": 2, "progress_bar": False}

ANIMALS = {
    "a": ("A giraffe eats acacia leaves", {"year": 2001, "tags": ["tall", "brown"]}),
    "b": ("The brown bear sleeps in winter", {"year": 2002, "tags": ["brown"]}),
    "c": ("A café in Córdoba", {"year": 2003}),
    "d": ("The giraffe and the bear never meet", {"year": 2004, "tags": []}),
}


def animals() -> list[Document]:
    return [Document(content, id=id_, meta=dict(meta)) for id_, (content, meta) in ANIMALS.items()]


def _made(kind: str, folder: Path) -> hayrick.DocumentStore:
    return SQLiteDocumentStore(folder, **_OPTIONS) if kind == "sqlite" else InMemoryDocumentStore(**_OPTIONS)


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[hayrick.DocumentStore]:
    """A store of each kind with the animals in it."""
    with _made(request.param, tmp_path / "store") as made:
        made.write_documents(animals())
        yield made


@pytest.fixture(scope="module", params=["sqlite", "memory"])
def kept_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[hayrick.DocumentStore]:
    """The same for all tests of a module, which must leave it as it is."""
    with _made(request.param, tmp_path_factory.mktemp("kept") / "store") as made:
        made.write_documents(animals())
        yield made


@pytest.fixture
def folder_store(tmp_path: Path) -> Iterator[SQLiteDocumentStore]:
    """A store on disk with the animals in it."""
    with SQLiteDocumentStore(tmp_path / "store", **_OPTIONS) as made:
        made.write_documents(animals())
        yield made


@contextmanager
def _started(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    # The child must find the hayrick under test, wherever it was imported from.
    home = str(Path(hayrick.__file__).parents[1])
    child = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": home, "PYTHONFAULTHANDLER": "1"},
    )  # fmt: skip
    with child:
        try:
            yield child
        finally:
            child.kill()


@pytest.fixture
def start() -> Callable[..., object]:
    """Start a script in a Python of its own; a context manager that gives the process and kills it at the end."""
    return _started


@pytest.fixture
def run() -> Callable[..., str]:
    """Run a script in a Python of its own; its output. A crash or an error there is the test's failure."""

    def running(script: str, *arguments: object) -> str:
        with _started(script, *arguments) as child:
            output, errors = child.communicate(timeout=_PATIENCE)
        assert child.returncode == 0, f"exit {child.returncode}\n{output[-2000:]}\n{errors[-4000:]}"
        return output

    return running
