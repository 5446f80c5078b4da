"""Every benchmark, one after the other, and a record of their figures: ``python benchmarks/all.py``.

The record is JSON: the versions measured, and for each script what its ``--json`` prints (null where it was skipped).
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("import_time", "filter_mask", "bm25_query", "ingest")
PACKAGES = ("numpy", "sqlalchemy", "tantivy")


def measured(script: str) -> object:
    """A script's figures, or None where it was skipped; its faults are raised."""
    path = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, HERE / f"{script}.py", "--json"]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return json.loads(done.stdout) if done.stdout.strip() else None


def main() -> None:
    """Run the scripts, print their figures, write the record; stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "latest.json", help="where the record goes")
    arguments = parser.parse_args()
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    record = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version(), **versions}
    for script in SCRIPTS:
        print(f"== {script}", flush=True)
        record[script] = measured(script)
        print(json.dumps(record[script], indent=2), flush=True)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(record, indent=2) + "\n", encoding="utf8")
    print(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
