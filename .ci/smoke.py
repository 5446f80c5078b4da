"""Shows that an installed hayrick is whole: run it from outside the checkout, with `python -I`.

Every public name must load, from site-packages; the package must carry its type marker; the command and the entry
points must be there; and one document must be written, found and deleted.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import entry_points, version
from importlib.resources import files
from pathlib import Path

import hayrick


def check(truth: bool, claim: str) -> None:
    """Stop with exit code 1 unless ``truth``."""
    if not truth:
        raise SystemExit(f"smoke test: not so: {claim}")


def installed() -> None:
    """The wheel's own parts."""
    home = Path(hayrick.__file__).resolve()
    check(home.is_relative_to(Path(sysconfig.get_path("purelib")).resolve()), f"{home} is in site-packages")
    check(version("hayrick") == hayrick.__version__, "the metadata has the version of the package")
    check(files("hayrick").joinpath("py.typed").is_file(), "py.typed is in the wheel")
    for name in hayrick.__all__:
        getattr(hayrick, name)
    stores = {entry.name: entry.load() for entry in entry_points(group="hayrick.stores")}
    check({"memory", "sqlite"} <= stores.keys(), "the entry points of the stores are there")


def command() -> None:
    """The console script."""
    script = Path(sysconfig.get_path("scripts")) / "hayrick"
    shown = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    check(hayrick.__version__ in shown, f"hayrick --version shows the version, not {shown!r}")


def job() -> None:
    """The smallest piece of real work, on disk."""
    with tempfile.TemporaryDirectory() as folder, hayrick.SQLiteDocumentStore(Path(folder) / "store") as store:
        store.write_documents([hayrick.Document("hay in the barn"), hayrick.Document("a needle in the hay")])
        found = hayrick.BM25Retriever(store).retrieve("needle")
        check([one.content for one in found] == ["a needle in the hay"], "the needle is found")
        store.delete_documents()
        check(store.get_document_count() == 0, "deleting all leaves none")


if __name__ == "__main__":
    installed()
    command()
    job()
    sys.stdout.write(f"smoke test: hayrick {hayrick.__version__} in {Path(hayrick.__file__).parent} is whole\n")
