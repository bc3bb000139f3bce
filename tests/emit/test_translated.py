"""What the kernel makes of the IP router's program: no map is looked up by a call, no redirect goes through the general helper.

The verifier puts both in line where it knows the map. clang may merge equal calls on different maps, and then it doesn't.
"""

import ctypes
import struct
from functools import cache
from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_file
from clickbpf.load.kernel.fds import Program, ProgramInfo
from clickbpf.load.kernel.libbpf import lib
from clickbpf.load.path.kernelpath import load_kernel
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

#: The opcode of a call. Its immediate value is the helper's address, unless a source register says that it isn't a helper's, or the
#: number of the tail call.
CALL, TAIL_CALL = 0x85, 12
ROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"


@pytest.mark.whole
def test_maps_are_reached_without_calls():
    # As tests/demo/ loads it, so that both have one object.
    compilation = Compilation(check_file(ROUTER, Library.standard(), {"ADVERTISE": "false"}), Options(chain=True))
    with load_kernel(compilation.build_bpf().read_bytes(), compilation.manifest) as path:
        called = {name: helpers(program) for name, program in path.programs.items()}
    assert any("dev_map_redirect" in helpers for helpers in called.values())
    slow = {name: [h for h in helpers if "lookup" in h or h == "bpf_redirect_map"] for name, helpers in called.items()}
    assert not any(slow.values()), slow


def helpers(program: Program) -> list[str]:
    """Names of the kernel's functions that a program calls."""
    size = program.info().xlated_prog_len
    code = ctypes.create_string_buffer(size)
    info = ProgramInfo(xlated_prog_len=size, xlated_prog_insns=ctypes.addressof(code))
    assert not lib.bpf_obj_get_info_by_fd(program.fd, ctypes.byref(info), ctypes.byref(ctypes.c_uint32(ctypes.sizeof(info))))
    names, start = symbols()
    calls = (to for opcode, registers, _, to in struct.iter_unpack("=BBhi", code.raw) if opcode == CALL and not registers >> 4)
    return [names[start + to] for to in calls if to != TAIL_CALL]


@cache
def symbols() -> tuple[dict[int, str], int]:
    """The kernel's functions by address, and the address that calls count from."""
    lines = (line.split() for line in Path("/proc/kallsyms").read_text().splitlines())
    found = {int(line[0], 16): line[2] for line in lines}
    return found, next(address for address, name in found.items() if name == "__bpf_call_base")
