"""The documents keep their word: everything public is explained, and what the README shows runs."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hayrick

PACKAGE = Path(hayrick.__file__).parent
CHECKOUT = Path(__file__).resolve().parents[1]
MODULES = [
    ".".join(["hayrick", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
]
_DEFINITIONS = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def source(module: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf8"))


def public(node: ast.AST) -> list[_DEFINITIONS]:
    """The public definitions in a module or class; a setter belongs to its property, an overload to its function."""
    inside = [one for part in ast.iter_child_nodes(node) for one in (part.body if isinstance(part, ast.If) else [part])]
    return [
        one
        for one in inside
        if isinstance(one, _DEFINITIONS)
        # The name of a suite's test is the rule it holds.
        and not one.name.startswith(("_", "test_"))
        and not any(ast.unparse(mark).endswith((".setter", ".deleter", "overload")) for mark in one.decorator_list)
    ]


def inherits_docstring(module: str, cls: str, method: str) -> bool:
    """Whether a method's base class explains it."""
    try:
        owner = getattr(importlib.import_module(module), cls, None)
    except ImportError:  # an engine that is not installed; its tests are skipped for the same reason
        return True
    return owner is not None and bool(inspect.getdoc(getattr(owner, method)))


def unexplained(module: str) -> list[str]:
    tree = source(module)
    bare = [module] if tree.body and not ast.get_docstring(tree) else []
    for node in public(tree):
        bare += [node.name] if not ast.get_docstring(node) else []
        if isinstance(node, ast.ClassDef):
            bare += [
                f"{node.name}.{one.name}"
                for one in public(node)
                if not ast.get_docstring(one) and not inherits_docstring(module, node.name, one.name)
            ]
    return bare


@pytest.mark.parametrize("module", MODULES)
def test_everything_public_has_a_docstring(module):
    assert unexplained(module) == []


def readme() -> str:
    return (CHECKOUT / "README.md").read_text(encoding="utf8")


@pytest.mark.checkout
def test_every_public_name_is_told_of_in_the_documents():
    pages = [readme(), *(page.read_text(encoding="utf8") for page in sorted(CHECKOUT.glob("docs/**/*.md")))]
    words = set(re.findall(r"\w+", "\n".join(pages)))
    assert set(hayrick.__all__) - {"__version__"} - words == set()


@pytest.mark.checkout
def test_the_quick_start_runs_as_printed(tmp_path):
    block = re.search(r"^#+ .*quick ?start.*?^```python\n(.*?)^```", readme(), re.IGNORECASE | re.MULTILINE | re.DOTALL)
    assert block, "the README has a heading 'Quick start' with a python block under it"
    (tmp_path / "quick_start.py").write_text(block[1], encoding="utf8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "quick_start.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.checkout
def test_the_changelog_tells_of_the_current_version():
    changelog = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf8")
    assert re.search(rf"^## \[{re.escape(hayrick.__version__)}\]", changelog, re.MULTILINE)
