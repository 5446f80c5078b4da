"""What hayrick costs before it does anything: CPU seconds of ``import hayrick``, and megabytes of the core install.

Bytecode is compiled before the first figure is taken, as an installer does. The core is what ``pyproject.toml`` asks
for; a package that is not installed is named, not counted as nothing.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
CODE = {
    "bare interpreter": "pass",
    "import hayrick": "import hayrick",
    "hayrick --help": "from hayrick.cli import main; main(['--help'])",
    "open a store": "import hayrick as h; h.InMemoryDocumentStore()",
}
RUNS = 9


def cpu_seconds(code: str) -> float:
    """CPU seconds of a fresh interpreter that runs ``code``."""
    path = os.pathsep.join([str(CHECKOUT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def core_megabytes() -> tuple[dict[str, float], list[str]]:
    """Megabytes of each distribution that the core needs, and those that are not installed."""
    found: dict[str, float] = {}
    missing: list[str] = []
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    wanted = [(requirement, True) for requirement in project["dependencies"]]
    while wanted:
        requirement, sure = wanted.pop()
        name = re.split(r"[^\w.-]", requirement)[0].lower()
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            missing += [name] if sure else []
            continue
        files = [file.locate() for file in distribution.files or []]
        found[name] = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
        # One with a condition counts where it is installed.
        wanted += [(one, ";" not in one) for one in distribution.requires or [] if "extra ==" not in one]
    return found, missing


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for code in CODE.values():
        cpu_seconds(code)
    # Round by round, so that what slows the machine slows all.
    rounds = [{what: cpu_seconds(code) for what, code in CODE.items()} for _ in range(RUNS)]
    seconds = {what: statistics.median(one[what] for one in rounds) for what in CODE}
    bare = seconds["bare interpreter"]
    sizes, missing = core_megabytes()
    if arguments.json:
        print(json.dumps({"cpu_seconds": seconds, "megabytes": sizes, "missing": missing}))
        return
    for what, figure in seconds.items():
        print(f"{what:<20} {figure:.3f} CPU s, {figure - bare:.3f} over the bare interpreter")
    print(f"core install: {sum(sizes.values()):.1f} MB{', without ' + ', '.join(missing) if missing else ''}")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"  {name:<20} {size:6.1f}")


if __name__ == "__main__":
    main()
