"""What the kernel path costs: nanoseconds of one packet through the IP router, beside the same path written by hand.

Programs run under BPF_PROG_TEST_RUN on a packet in memory. Each number is the least of many runs with the cost of an empty
program taken off, for it is the only part of a shared machine's timing that repeats.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.build.bpf import build_program
from clickbpf.compile import Compilation, check_file
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.objects import Object
from clickbpf.load.life.kernelpath import KernelPath, cpus, load_kernel
from clickbpf.plan import Options
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

HERE = Path(__file__).parent
ROUTER = HERE.parents[1] / "configs" / "iprouter.click"
NEXT_HOP, NEXT_MAC = "10.0.1.2", "02:00:00:00:01:02"
LOOPBACK = 1
#: A packet keeps what the program did to it, its TTL among them, so a run ends before that is used up. More runs cost
#: much time: the kernel patches itself before and after each.
REPEAT, RUNS = 200, 100


def packet() -> bytes:
    """64 bytes of UDP to the network behind the second device."""
    made = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src="10.0.0.2", dst=NEXT_HOP, ttl=255) / UDP() / bytes(22)
    return bytes(made)


def measure() -> Iterator[tuple[str, float]]:
    """(name, nanoseconds) of each program."""
    with Object(build_program(HERE / "handwritten.bpf.c").read_bytes(), "bench") as written:
        written.load()
        empty = least(written.program("empty"))
        yield "empty program (taken off the others)", empty
        prepare_handwritten(written)
        yield "written by hand", least(written.program("handwritten")) - empty
    for name, options in (("clickbpf, one program", Options()), ("clickbpf --chain, a program each", Options(chain=True))):
        yield name, router_cost(options) - empty


def least(program: Program) -> float:
    frame = packet()
    return float(min(program.test_run(frame, repeat=REPEAT).duration for _ in range(RUNS)))


def prepare_handwritten(loaded: Object) -> None:
    key = (0x0102).to_bytes(4, "little")
    loaded.map("neighbours").update(key, bytes.fromhex(NEXT_MAC.replace(":", "")) + b"\1\0")
    for device in range(2):
        loaded.map("tx").update(device.to_bytes(4, "little"), LOOPBACK.to_bytes(4, "little"))


def router_cost(options: Options) -> float:
    compilation = Compilation(check_file(ROUTER, Library.standard()), options)
    with load_kernel(compilation.build_bpf().read_bytes(), compilation.manifest) as path:
        for device in range(len(compilation.plan.devices)):
            path.role("tx").update(device.to_bytes(4, "little"), LOOPBACK.to_bytes(4, "little"))
        with runtime_behind(path, compilation) as runtime:
            runtime.handlers.write("arpq1", "insert", f"{NEXT_HOP} {NEXT_MAC}")
            return least(path.programs["xdp_eth0"])


def runtime_behind(path: KernelPath, compilation: Compilation) -> Runtime:
    """The runtime that shares the kernel path's state: it keeps the ARP table."""
    return Runtime(
        compilation,
        memories=path.states(compilation.checked.instances),
        slots=path.slots,
        first_slot=cpus(),
    )
