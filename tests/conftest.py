"""What every test can rely on: the data folder, and how many examples a property is tried with.

HAYRICK_DATA      where the data lies; else ../shared/data beside the checkout
HAYRICK_EXAMPLES  examples for each property; else 300
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CHECKOUT = Path(__file__).resolve().parents[1]
EXHAUSTIVE = 20_000

_COMMON = {
    "deadline": None,  # a first write opens files and a slow machine is no fault
    "suppress_health_check": [HealthCheck.too_slow],
    "print_blob": True,
}
# Continuous integration tries the same examples every time, so that a red run is the change's doing. Everywhere else,
# and in every exhaustive run, they are new ones, which is how faults are found.
settings.register_profile("default", max_examples=300, derandomize="CI" in os.environ, **_COMMON)
settings.register_profile("exhaustive", max_examples=EXHAUSTIVE, **_COMMON)


def _choose_profile(examples: int) -> None:
    base = settings.get_profile("exhaustive" if examples >= EXHAUSTIVE else "default")
    settings.register_profile("chosen", base, max_examples=examples)
    settings.load_profile("chosen")


_choose_profile(int(os.environ.get("HAYRICK_EXAMPLES") or 300))


@pytest.hookimpl(tryfirst=True)  # before -m selects by mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whatever uses the data folder, so that ``-m "not data"`` leaves it out."""
    for item in items:
        if "data_folder" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the test data; a test that wants it is skipped where there is none.

    A HAYRICK_DATA that leads nowhere is an error, not a skip: someone meant the tests to run.
    """
    named = os.environ.get("HAYRICK_DATA")
    folder = Path(named) if named else CHECKOUT.parent / "shared" / "data"
    if folder.is_dir():
        return folder
    if named:
        pytest.fail(f"HAYRICK_DATA={named} is not a folder", pytrace=False)
    pytest.skip("no test data: set HAYRICK_DATA to its folder, or put it at ../shared/data beside the checkout")
