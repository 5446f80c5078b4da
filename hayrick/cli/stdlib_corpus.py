"""The standard library's own documentation as documents: real text that every machine with Python has.

What goes in: this interpreter's library. What comes out: a document a docstring of a module, class, function or
method, and one a topic of the language reference, with metadata that is true and worth filtering. The invariant:
source files are parsed, never imported; only modules compiled into the interpreter, which have no source, are looked
at as objects.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hayrick.schema import Document

#: Not documentation: tests, games, editors, installers.
_LEFT_OUT: Final = {
    "__phello__", "__pycache__", "dist-packages", "ensurepip", "idle_test", "idlelib", "lib-dynload", "lib2to3",
    "site-packages", "test", "tests", "turtledemo",
}  # fmt: skip
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def stdlib_documents() -> Iterator[Document]:
    """Every documented piece of the standard library."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")):
        parts = path.relative_to(library).with_suffix("").parts
        if not _LEFT_OUT.intersection(parts):
            yield from _module_documents(path, ".".join(parts).removesuffix(".__init__"))
    for name in sorted(sys.builtin_module_names):
        yield from _builtin_documents(name)
    yield from _topics()


def has_topics() -> bool:
    """Whether this Python carries the language reference's topics; some distributions pack them apart."""
    return importlib.util.find_spec("pydoc_data") is not None


def _module_documents(path: Path, module: str) -> Iterator[Document]:
    source = path.read_bytes()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # templates and deliberate nonsense that some distributions ship as .py
        return
    lines = source.count(b"\n") + 1
    about = {"module": module, "package": module.partition(".")[0]}
    if text := ast.get_docstring(tree):
        yield _document(module, text, {**about, "kind": "module", "lines": lines, "public": _is_public(module)})
    yield from _definitions(tree, "", about)


def _definitions(tree: ast.AST, owner: str, about: dict[str, Any]) -> Iterator[Document]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If | ast.Try):  # definitions for one platform or another
            yield from _definitions(node, owner, about)
        elif isinstance(node, _Definition):
            name = f"{owner}.{node.name}".lstrip(".")
            if text := ast.get_docstring(node):
                yield _document(f"{about['module']}.{name}", text, {**about, **_facts(node, name, method=bool(owner))})
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node, name, about)


def _facts(node: _Definition, name: str, *, method: bool) -> dict[str, Any]:
    """What is true of a class or function, read from its source."""
    found: dict[str, Any] = {
        "name": name,
        "line": node.lineno,
        "lines": (node.end_lineno or node.lineno) - node.lineno + 1,
        "public": _is_public(name),
        "deprecated": _is_deprecated(node),
        "decorators": [ast.unparse(mark).partition("(")[0] for mark in node.decorator_list],
    }
    if isinstance(node, ast.ClassDef):
        return {**found, "kind": "class", "bases": [ast.unparse(base) for base in node.bases]}
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    parameters = [one.arg for one in every if one is not None and one.arg not in ("self", "cls")]
    return {
        **found,
        "kind": "method" if method else "function",
        "async": isinstance(node, ast.AsyncFunctionDef),
        "parameters": parameters,
        "parameter_count": len(parameters),
    }


def _is_public(name: str) -> bool:
    return not any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def _is_deprecated(node: _Definition) -> bool:
    """Whether it says so itself: in its docstring's words, by a decorator, or by the warning that its body gives."""
    if "deprecated" in (ast.get_docstring(node) or "").lower():
        return True
    if any("deprecated" in ast.unparse(mark).lower() for mark in node.decorator_list):
        return True
    if isinstance(node, ast.ClassDef):
        return False
    calls = [inner for part in node.body for inner in ast.walk(part) if isinstance(inner, ast.Call)]
    return any("warn" in ast.unparse(call.func) and "DeprecationWarning" in ast.unparse(call) for call in calls)


def _builtin_documents(name: str) -> Iterator[Document]:
    """Modules in C, built into the interpreter: no source, but docstrings."""
    module = importlib.import_module(name)
    about = {"module": name, "package": name}
    if text := inspect.getdoc(module):
        yield _document(name, text, {**about, "kind": "module", "public": _is_public(name)})
    for member, value in sorted(vars(module).items()):
        kind = "class" if isinstance(value, type) else "function" if inspect.isbuiltin(value) else None
        if kind and getattr(value, "__module__", None) == name and (text := inspect.getdoc(value)):
            facts = {
                "name": member,
                "kind": kind,
                "public": _is_public(member),
                "deprecated": "deprecated" in text.lower(),
            }
            yield _document(f"{name}.{member}", text, {**about, **facts})


def _topics() -> Iterator[Document]:
    if not has_topics():
        return
    topics: dict[str, str] = importlib.import_module("pydoc_data.topics").topics
    for name, text in topics.items():
        yield _document(
            f"topic:{name}", text, {"name": name, "kind": "topic", "lines": text.count("\n") + 1, "public": True}
        )


def _document(id_: str, text: str, meta: dict[str, Any]) -> Document:
    title = meta.get("name") or meta.get("module")
    # Files hold what an editor left in them; half a surrogate pair is no text.
    clean = text.encode("utf8", "replace").decode()
    return Document(f"{title}\n{clean}", id=id_, meta={**meta, "words": len(clean.split())})
