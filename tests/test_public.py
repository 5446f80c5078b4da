"""The front door: the names that `hayrick` offers, each loaded when it is first asked for."""

from __future__ import annotations

import ast
import importlib.resources
import inspect
import logging
import subprocess
import sys
from pathlib import Path

import pytest

import hayrick
from hayrick import errors

#: Wide of the aim of next to nothing: a loaded machine is slow, and an engine loaded by mistake is slower still.
IMPORT_SECONDS = 0.15


def test_the_list_for_type_checkers_equals_the_table():
    assert set(hayrick.__all__) - {"__version__"} == hayrick._HOMES.keys()


def test_the_imports_for_type_checkers_equal_the_table():
    tree = ast.parse(Path(hayrick.__file__).read_text(encoding="utf8"))
    seen = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("hayrick")
        for alias in node.names
    }
    assert seen == hayrick._HOMES


@pytest.mark.parametrize("name", hayrick.__all__)
def test_every_public_name_resolves_and_is_kept(name):
    assert getattr(hayrick, name) is getattr(hayrick, name)
    assert name in dir(hayrick)


def test_the_whole_error_tree_is_public():
    tree = {name for name, value in vars(errors).items() if inspect.isclass(value)}
    assert tree <= set(hayrick.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Dokument'"):
        hayrick.Dokument  # noqa: B018  # reading it is the test


def test_the_logger_is_silent_until_asked():
    handlers = logging.getLogger("hayrick").handlers
    assert any(isinstance(handler, logging.NullHandler) for handler in handlers)


def test_importing_costs_next_to_nothing():
    timed = "import time; start = time.perf_counter(); import hayrick; print(time.perf_counter() - start)"
    command, folder = [sys.executable, "-c", timed], Path(hayrick.__file__).parents[1]
    runs = [float(subprocess.check_output(command, cwd=folder, text=True)) for _ in range(3)]
    assert min(runs) < IMPORT_SECONDS


def test_the_package_is_marked_as_typed():
    assert importlib.resources.files("hayrick").joinpath("py.typed").is_file()
