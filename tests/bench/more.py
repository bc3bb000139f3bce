"""What one more element costs on a fused path: the BPF instructions and nanoseconds of lines of elements, for each of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import executed

from clickbpf.compile import Compilation, check_text
from clickbpf.load.path.kernelpath import cpus, load_kernel
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

LOOPBACK = 1
MOST = 64
CLASSES = ("Null", "Counter", "Paint(1)", "Strip(14) -> Unstrip(14)")
#: Nothing is done to the packet that another run would find, so there may be many.
REPEAT, RUNS = 20_000, 10


def measure() -> Iterator[tuple[str, float]]:
    """(class, nanoseconds of one among 64)."""
    _, none = line("Null", 0)
    for name in CLASSES:
        yield name, (line(name, MOST)[1] - none) / MOST


def count() -> Iterator[tuple[str, float]]:
    """(class, instructions of one among 64)."""
    none, _ = line("Null", 0)
    for name in CLASSES:
        yield name, (line(name, MOST)[0] - none) / MOST


def line(element: str, number: int) -> tuple[int, float]:
    """Instructions and nanoseconds of a packet through so many of them, one after the other, between two devices."""
    text = f"FromDevice(in) -> {f'{element} -> ' * number}Queue -> ToDevice(out);"
    compilation = Compilation(check_text(text, Library.standard()))
    with load_kernel(compilation.build_bpf().read_bytes(), compilation.manifest) as path:
        for device in (0, 1):
            path.role("tx").update(struct.pack("=I", device), struct.pack("=I", LOOPBACK))
        states = path.states(compilation.checked.instances)
        with Runtime(compilation, memories=states, slots=path.slots, first_slot=cpus()):
            (program,) = path.programs.values()
            packet = bytes(range(64))
            return executed.executed(program, packet), min(program.test_run(packet, repeat=REPEAT).duration for _ in range(RUNS))
