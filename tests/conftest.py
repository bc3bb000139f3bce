"""What all tests share: saying what they need of the machine."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import settings

# On a machine that builds every change the examples are the same each time; elsewhere each run looks for new ones.
settings.register_profile("ci", derandomize=True)
if "CI" in os.environ:
    settings.load_profile("ci")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `needs("root", "ethtool", ...)` where that is missing, and say what is."""
    wanted = {what for mark in item.iter_markers("needs") for what in mark.args}
    missing = sorted(what for what in wanted if not _present(what))
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


def _present(what: str) -> bool:
    if what == "root":
        return os.geteuid() == 0
    return shutil.which(what, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is not None
