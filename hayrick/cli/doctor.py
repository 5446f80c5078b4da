"""``hayrick doctor``: what is installed, and how a store is."""

from __future__ import annotations

import importlib.metadata
import platform
import sqlite3
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from hayrick import __version__
from hayrick.cli import output

if TYPE_CHECKING:
    from hayrick.stores.health import Report

_CORE: Final = ("numpy", "sqlalchemy", "tantivy", "click", "rich", "mmh3", "regex")
#: Extra -> the package that tells whether it is there.
_EXTRAS: Final = {
    "tfidf": "scikit-learn", "duckdb": "duckdb", "hnsw": "hnswlib", "faiss": "faiss-cpu", "dense": "transformers",
    "sparql": "pyoxigraph", "pandas": "pandas", "pdf": "pypdf",
}  # fmt: skip
_COLOURS: Final = {"ok": "green", "note": "yellow", "fault": "red"}


@click.command("doctor")
@click.argument("path", required=False)
@click.option("--rebuild", is_flag=True, help="Build the store's derived indexes anew.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(*, path: str | None, rebuild: bool, as_json: bool) -> None:
    """Look at this installation and, with a PATH, at the store there.

    Exit code 0 where all is well or mends itself, 1 where there is a fault, 2 where the store cannot be opened.
    """
    report = None if path is None else _examined(path, rebuild=rebuild)
    if as_json:
        output.print_json({"versions": versions(), "extras": extras(), **_as_dict(report)})
    else:
        _show(report)
    raise SystemExit(output.FOUND if report is None or report.ok else output.NOTHING)


def versions() -> dict[str, str]:
    """What runs here."""
    from hayrick.stores.documents.database import journal_mode  # noqa: PLC0415 - so that --help loads no engine

    found = {name: importlib.metadata.version(name) for name in _CORE}
    python = f"{platform.python_version()} on {sys.platform}"
    return {"hayrick": __version__, "python": python, "sqlite": f"{sqlite3.sqlite_version} ({journal_mode()})", **found}


def extras() -> dict[str, str | None]:
    """The version of what each extra brings, or None."""
    return {extra: _version(package) for extra, package in _EXTRAS.items()}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _examined(path: str, *, rebuild: bool) -> Report:
    from hayrick.stores.registry import open_store  # noqa: PLC0415 - see versions

    with open_store(path, read_only=not rebuild) as store:
        if rebuild:
            for index in store.indexes():
                store.rebuild(index)
        return store.verify()


def _as_dict(report: Report | None) -> dict[str, Any]:
    if report is None:
        return {}
    found = [{"level": f.level, "what": f.what, "detail": f.detail} for f in report.findings]
    return {"ok": report.ok, "findings": found}


def _show(report: Report | None) -> None:
    from rich.table import Table  # noqa: PLC0415 - not needed for JSON
    from rich.text import Text  # noqa: PLC0415

    shown = output.console()
    installed = Table("", "version", title="Installation", title_justify="left")
    for name, version in versions().items():
        installed.add_row(name, version)
    for extra, found in extras().items():
        installed.add_row(f"extra {extra}", found or "-")
    shown.print(installed)
    if report is not None:
        looked = Table("", "what", "found", title="Store", title_justify="left")
        for finding in report.findings:
            looked.add_row(Text(finding.level, style=_COLOURS[finding.level]), finding.what, Text(finding.detail))
        shown.print(looked)
