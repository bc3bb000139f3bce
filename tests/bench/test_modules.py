"""What only `make bench` and `make swaps` run goes on fitting together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: What the scripts measure with; matplotlib, with which they draw, is not for tests.
MODULES = ("added", "crossing", "flood", "forwarding", "hooks", "kernel", "more", "native", "repeated", "swaps", "tables")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_finds_what_it_imports(name):
    subprocess.run([sys.executable, "-c", f"import {name}"], cwd=HERE, env={"PYTHONPATH": str(HERE.parents[1])}, check=True)


def test_they_are_all_that_the_scripts_import():
    imported = {line.split()[1] for line in (HERE / "run.py").read_text().splitlines() if line.startswith("import ")}
    assert {name for name in imported if (HERE / f"{name}.py").exists()} <= set(MODULES)
