"""What the kernel makes of the IP router's program: no map is looked up by a call, no redirect goes through the general helper.

The verifier puts both in line where it knows the map. clang may merge equal calls on different maps, and then it doesn't.
"""

import re
import subprocess
from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_file
from clickbpf.load.path.kernelpath import load_kernel
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "bpftool")

ROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"


@pytest.mark.parametrize("chain", [False, True], ids=["fused", "chained"])
def test_maps_are_reached_without_calls(chain):
    # As tests/demo/ loads it, so that both have one object.
    compilation = Compilation(check_file(ROUTER, Library.standard(), {"ADVERTISE": "false"}), Options(chain=chain))
    with load_kernel(compilation.build_bpf().read_bytes(), compilation.manifest) as path:
        called = {name: helpers(program.info().id) for name, program in path.programs.items()}
    assert any("dev_map_redirect" in helpers for helpers in called.values())
    slow = {name: [h for h in helpers if "lookup" in h or h == "bpf_redirect_map"] for name, helpers in called.items()}
    assert not any(slow.values()), slow


def helpers(program: int) -> list[str]:
    """Names of the kernel's functions that a program calls."""
    dump = ["bpftool", "prog", "dump", "xlated", "id", str(program)]
    text = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    return re.findall(r"\bcall ([a-z]\w+)#", text)
