"""``python -m benchmarks``: every benchmark, one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = ("import_time", "filter_mask", "bm25_query", "ingest")


def main() -> None:
    """Run the scripts with the arguments given; stop at the first that fails."""
    for script in SCRIPTS:
        print(f"\n== {script}", flush=True)
        subprocess.run([sys.executable, Path(__file__).parent / f"{script}.py", *sys.argv[1:]], check=True)


if __name__ == "__main__":
    main()
