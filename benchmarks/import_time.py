"""What hayrick costs before it does anything: CPU seconds of ``import hayrick``, and megabytes of the core install."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
import resource
import statistics
import subprocess
import sys

CODE = {
    "bare interpreter": "pass",
    "import hayrick": "import hayrick",
    "open a store": "import hayrick as h; h.InMemoryDocumentStore()",
}
RUNS = 9


def cpu_seconds(code: str) -> float:
    """CPU seconds of a fresh interpreter that runs ``code``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def core_megabytes() -> dict[str, float]:
    """Megabytes of each distribution that the core needs, hayrick itself included."""
    found: dict[str, float] = {}
    wanted = ["hayrick"]
    while wanted:
        name = re.split(r"[^\w.-]", wanted.pop())[0].lower()
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        files = distribution.files or []
        found[name] = sum(f.locate().stat().st_size for f in files if f.locate().is_file()) / 1e6
        wanted += [one for one in distribution.requires or [] if "extra ==" not in one and "platform_" not in one]
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    seconds = {what: statistics.median(cpu_seconds(code) for _ in range(RUNS)) for what, code in CODE.items()}
    sizes = core_megabytes()
    if arguments.json:
        print(json.dumps({"cpu_seconds": seconds, "megabytes": sizes}))
        return
    for what, figure in seconds.items():
        print(f"{what:<20} {figure:.3f} CPU s")
    print(f"core install: {sum(sizes.values()):.1f} MB")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"  {name:<20} {size:6.1f}")


if __name__ == "__main__":
    main()
