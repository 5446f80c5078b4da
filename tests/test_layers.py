"""The shape of the package: who may import whom, which engine is met where, and what is never done."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import hayrick

PACKAGE = Path(hayrick.__file__).parent

#: Layer -> the layers it may import, itself aside. `testing` is imported by no one and is listed nowhere on the right.
LAYERS = {
    "errors": set(),
    "schema": {"errors"},
    "filters": {"errors"},
    "stores": {"errors", "schema", "filters"},
    "answers": {"errors", "schema"},
    "retrievers": {"errors", "schema", "filters", "stores"},
    "evaluation": {"errors", "schema", "filters", "stores", "retrievers"},
    "integrations": {"errors", "schema", "filters", "stores", "retrievers", "answers"},
    "cli": {"errors", "schema", "filters", "stores", "retrievers", "answers", "evaluation"},
    "__main__": {"cli"},
    "testing": {"errors", "schema", "filters", "stores", "retrievers", "answers", "evaluation", "integrations", "cli"},
}

#: What any module may import beside the standard library.
EVERYWHERE = {"numpy", "regex", "mmh3"}

#: Engine or tool -> the folders and files that may import it.
ENGINES = {
    "click": ("cli",),
    "duckdb": ("stores/documents/duckdb.py", "filters/duckdb.py"),
    "duckdb_engine": ("stores/documents/duckdb.py",),
    "faiss": ("stores/vectors/faiss.py",),
    "haystack": ("integrations/haystack.py",),
    "hnswlib": ("stores/vectors/hnsw.py",),
    "hypothesis": ("testing",),
    "langchain_core": ("integrations/langchain.py",),
    "onnxruntime": ("retrievers/encoders",),
    "pandas": ("stores/documents/frames.py",),
    "pypdf": ("cli/sources.py",),
    "pyoxigraph": ("stores/graph/oxigraph.py",),
    "pytest": ("testing",),
    "rich": ("cli", "stores/progress.py"),
    "safetensors": ("retrievers/encoders", "retrievers/training"),
    "sentence_transformers": ("retrievers/encoders",),
    "sklearn": ("retrievers/tfidf.py",),
    "sqlalchemy": ("stores/documents", "filters/sqlalchemy.py"),
    "tantivy": ("stores/text", "filters/tantivy.py"),
    "tokenizers": ("retrievers/encoders", "retrievers/training"),
    "torch": ("retrievers/encoders", "retrievers/training"),
    "transformers": ("retrievers/encoders", "retrievers/training"),
}

#: Modules that can run what they read; a store's files come from anywhere.
UNSAFE_MODULES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}


class Import(NamedTuple):
    """One imported module, and the line it stands on."""

    module: str
    line: int


class Source(NamedTuple):
    """One module of the package."""

    name: str
    path: str
    tree: ast.Module


@functools.cache
def sources() -> dict[str, Source]:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE)
        name = ".".join(["hayrick", *path.with_suffix("").parts]).removesuffix(".__init__")
        found[name] = Source(name, path.as_posix(), ast.parse(file.read_text(encoding="utf8"), str(file)))
    return found


def imports(source: Source) -> list[Import]:
    """Every import in a module: at its top, in functions, under TYPE_CHECKING, and by a name given as text."""
    return [Import(name, node.lineno) for node in ast.walk(source.tree) for name in _imported(source, node)]


def _imported(source: Source, node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            base = _absolute(source, module, level)
            # `from package import submodule` reaches the submodule; any other name is the package's own.
            return [full if (full := f"{base}.{alias.name}") in sources() else base for alias in names]
        case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__")):
            match node.args:
                case [ast.Constant(value=str(name)), *_]:
                    return [name]
    return []


def _absolute(source: Source, module: str | None, level: int) -> str:
    if level == 0:
        return module or ""
    package = source.name.split(".") if source.path.endswith("__init__.py") else source.name.split(".")[:-1]
    return ".".join([*package[: len(package) - level + 1], *([module] if module else [])])


def top(module: str) -> str:
    return module.split(".", 1)[0]


def layer(module: str) -> str:
    """`hayrick.stores.text.view` is of layer `stores`; the package itself of none."""
    return f"{module}.".split(".")[1]


def within(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") or path == f"{place}.py" for place in places)


def inner_edges() -> list[tuple[Source, Import]]:
    """Imports between the package's own modules; its front door, which names everything lazily, is no part of it."""
    return [
        (source, found)
        for source in sources().values()
        if source.name != "hayrick"
        for found in imports(source)
        if top(found.module) == "hayrick"
    ]


def test_every_module_belongs_to_a_layer():
    assert {layer(name) for name in sources()} - {""} <= LAYERS.keys()


def test_imports_run_one_way():
    wrong = [
        f"{source.path}:{found.line} imports {found.module}"
        for source, found in inner_edges()
        if layer(found.module) and layer(found.module) not in {*LAYERS[layer(source.name)], layer(source.name)}
    ]
    assert wrong == []


def test_nothing_inside_imports_the_front_door_but_for_its_version():
    wrong = [
        f"{source.path}:{node.lineno}"
        for source in sources().values()
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Import) and any(alias.name == "hayrick" for alias in node.names))
        or (
            isinstance(node, ast.ImportFrom)
            and _absolute(source, node.module, node.level) == "hayrick"
            and any(f"hayrick.{alias.name}" not in sources() and alias.name != "__version__" for alias in node.names)
        )
    ]
    assert wrong == []


def test_no_module_is_in_a_circle():
    graph: dict[str, set[str]] = {name: set() for name in sources()}
    for source, found in inner_edges():
        graph[source.name] |= {found.module} & graph.keys() - {source.name, "hayrick"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}", pytrace=False)


def test_third_parties_are_met_in_their_own_modules_only():
    wrong = [
        f"{source.path}:{found.line} imports {found.module}"
        for source in sources().values()
        for found in imports(source)
        if (name := top(found.module)) not in {"hayrick", *EVERYWHERE, *sys.stdlib_module_names}
        and not within(source.path, ENGINES.get(name, ()))
    ]
    assert wrong == []


def test_nothing_can_run_what_it_reads():
    wrong = [
        f"{source.path}:{getattr(node, 'lineno', 0)} {fault}"
        for source in sources().values()
        for node in ast.walk(source.tree)
        if (fault := _unsafe(source, node))
    ]
    assert wrong == []


def _unsafe(source: Source, node: ast.AST) -> str:
    match node:
        case ast.Import() | ast.ImportFrom() if bad := {top(n) for n in _imported(source, node)} & UNSAFE_MODULES:
            return f"imports {', '.join(bad)}"
        case ast.Call(func=ast.Name(id="eval" | "exec" as name)):
            return f"calls {name}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="load")):
            return "calls torch.load, which unpickles; use safetensors"
        case ast.keyword(arg="trust_remote_code") | ast.Constant(value="trust_remote_code"):
            return "says trust_remote_code"
        case ast.keyword(arg="allow_pickle", value=value) if getattr(value, "value", True):
            return "allows pickles"
    return ""


_FRESH = """
import socket, sys

def refuse(*args, **kwargs):
    raise AssertionError("import hayrick opened a socket")

socket.socket = socket.create_connection = socket.getaddrinfo = refuse
before = set(sys.modules)
import hayrick
heavy = {name.split(".")[0] for name in set(sys.modules) - before}
print(*sorted(heavy - set(sys.stdlib_module_names) - {"hayrick"}))
print(*sorted(name for name in sys.modules if name.startswith("hayrick.")))
"""


def test_importing_hayrick_loads_nothing_else_and_opens_no_socket():
    command = [sys.executable, "-c", _FRESH]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from hayrick.stores import settings", ["hayrick.stores.settings"]),
        ("from hayrick.stores import open_store", ["hayrick.stores"]),
        ("def f():\n    import hayrick.filters", ["hayrick.filters"]),
        ("if TYPE_CHECKING:\n    from ..errors import FilterError", ["hayrick.errors"]),
        ("from . import Document", ["hayrick.schema"]),
        ("importlib.import_module('torch')", ["torch"]),
        ("importlib.import_module(name)", []),
    ],
)
def test_the_reader_of_imports_sees_them_wherever_they_hide(code, expected):
    source = Source("hayrick.schema.labels", "schema/labels.py", ast.parse(code))
    assert [found.module for found in imports(source)] == expected


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from dill import loads",
        "eval(text)",
        "exec(text)",
        "torch.load(path)",
        "load(path, trust_remote_code=flag)",
        "np.load(path, allow_pickle=True)",
    ],
)
def test_the_guard_against_running_data_sees(code):
    source = Source("hayrick.x", "x.py", ast.parse(code))
    assert any(_unsafe(source, node) for node in ast.walk(source.tree))


@pytest.mark.parametrize("code", ["model.eval()", "np.load(path, allow_pickle=False)", "regex.compile(text)"])
def test_the_guard_against_running_data_lets_pass(code):
    source = Source("hayrick.x", "x.py", ast.parse(code))
    assert not any(_unsafe(source, node) for node in ast.walk(source.tree))
