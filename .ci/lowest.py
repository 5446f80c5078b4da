"""Print pip constraints that hold hayrick to the lowest versions it declares: `click>=8.1.7` becomes `click==8.1.7`.

Only what users install is held, never the tools of the tests. Reads pyproject.toml in the current folder.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

#: Extras whose packages the tests meet in a plain run.
EXTRAS = ("pandas", "pdf")


def main() -> None:
    """Write one constraint a line.

    Raises:
        SystemExit: A dependency has no lower bound.
    """
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf8"))["project"]
    extras = project["optional-dependencies"]
    for requirement in [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]:
        bound = re.fullmatch(r"([\w.-]+)>=([\w.]+)", requirement)
        if bound is None:
            raise SystemExit(f"cannot read a lower bound in {requirement!r}")
        sys.stdout.write(f"{bound[1]}=={bound[2]}\n")


if __name__ == "__main__":
    main()
