"""What only `make bench`, `make routed` and `make swaps` run goes on fitting together."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: With all that they import. matplotlib, with which charts are drawn, is not for tests.
MODULES = ("flood", "routed", "run", "swaps")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_finds_what_it_imports(name):
    subprocess.run([sys.executable, "-c", f"import {name}"], cwd=HERE, env={"PYTHONPATH": str(HERE.parents[1])}, check=True)
