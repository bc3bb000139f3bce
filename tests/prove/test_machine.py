"""The interpreter does to packets what the kernel does: the same verdict, bytes and changes of maps as BPF_PROG_TEST_RUN."""

import os
import struct
from pathlib import Path

import pytest

from clickbpf.prove import terms
from clickbpf.prove.code import CALLS, PSEUDO_CALL, Code, Instruction, Place, Pointer
from clickbpf.prove.evaluation import Values
from clickbpf.prove.helpers import Helpers, adjust_head, csum_diff
from clickbpf.prove.machine import ANY, EXIT, PACKET, Machine, Split, State, Unsupported
from clickbpf.prove.values import variable
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import _TRACE, HANDED, MAC_STRIDE, Bpf, built
from clickbpf.testing.executors.source import addresses
from clickbpf.testing.packets import IPV6, Mix, generate

pytestmark = pytest.mark.needs("root", "clang-19")

CONFIGS = Path(__file__).parents[2] / "configs"
WITH_KERNEL = sorted(path.stem for path in CONFIGS.glob("*.click") if "FromDevice(" in path.read_text() and path.stem != "vpn-linux")
#: What the programs write; the rest is the runtime's.
WRITTEN = ("state", "drops", "handed", "trace")
#: Packets that are sent through each of configs/.
PACKETS = int(os.environ.get("CLICKBPF_PACKETS", "400"))
SMALL = "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> DecIPTTL -> Unstrip(14) -> Queue -> ToDevice(eth0);"


class Given:
    """The surroundings of programs: one packet, and maps with these contents."""

    def __init__(self, packet, maps):
        self.packet, self.maps = packet, maps

    def byte(self, region, _base, offset, _version=0):
        if region[0] == "packet":
            return self.packet[offset] if 0 <= offset < len(self.packet) else 0
        content = self.maps.get(region[1], b"") if region[0] == "value" else b""
        return content[offset] if 0 <= offset < len(content) else 0

    def any(self, name, width):
        return 0


class Interpreted:
    """The programs of a router under test, interpreted on its maps as they are."""

    def __init__(self, router: Bpf):
        made = router.compilation
        self.router, self.manifest = router, made.manifest
        self.code = Code.of(built("#define TRACING\n#define SIMULATED_TIME\n" + made.bpf_text, made.manifest))
        constants = bytearray(self.code.data.get(".rodata", b""))
        macs = b"".join(mac.ljust(MAC_STRIDE, b"\0") for mac in addresses(made.devices, {}).values())
        for name, value in {"slots": struct.pack("=I", router.kernel.slots), "device_mac": macs}.items():
            if name in self.code.constants:
                constants[self.code.constants[name] : self.code.constants[name] + len(value)] = value
        self.maps = {entry.name: router.kernel.memory(entry.name)[0] for entry in self.manifest.maps if entry.role in WRITTEN}
        self.contents = {**self.maps, ".rodata": bytes(constants)}
        self.helpers = Helpers(self.code, self.manifest, router.kernel.slots).table()

    def run(self, device: str, packet: bytes) -> tuple[bytes, dict[str, dict[int, int]]]:
        """The frame afterwards, and the bytes that are in maps then, as far as they were read or written."""
        program = next(program for program in self.manifest.programs if program.device == device)
        state = State(self.code.programs[program.name], len(packet))
        machine = Machine(self.code, Given(packet, self.contents), self.helpers)
        while machine.step(state):
            pass
        frame = state.memory.get((PACKET, None), {})
        after = bytes(frame.get(at, packet[at] if 0 <= at < len(packet) else 0) for at in range(state.head, state.end))
        return after, {region[1]: content for (region, _), content in state.memory.items() if region[0] == "value"}


def compare(configuration: str | Path, count: int, seed: int = 1) -> int:
    """Send packets through both; the number of those that were compared."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {0})
    try:
        with start(configuration, "bpf", simtime=True) as router:
            interpreted = Interpreted(router)
            packets = [packet for mix in (Mix(), IPV6) for packet in generate(count // 2, seed, mix) if router.testable(packet)]
            for number, packet in enumerate(packets):
                _compare_one(router, interpreted, router.entries[number % len(router.entries)], packet)
            return len(packets)
    finally:
        os.sched_setaffinity(0, processors)


def _compare_one(router: Bpf, interpreted: Interpreted, device: str, packet: bytes) -> None:
    """The runtime goes on with what is handed over, so that tables fill."""
    _TRACE.pack_into(router._trace, 0, 0, 0, 0, router.runtime.clock)
    after, written = interpreted.run(device, packet)
    verdict, to, frame = router.run(device, packet)
    trace = bytes(written["trace"].get(at, 0) for at in range(8))
    assert (*struct.unpack("=II", trace), after) == (verdict, to, frame), packet.hex()
    for name in written.keys() & interpreted.maps.keys() - {"trace"}:
        memory = interpreted.maps[name]
        assert {at: memory[at] for at in written[name]} == written[name], (name, packet.hex())
    if verdict == HANDED:
        router.runtime.handover(frame, device)
    router.runtime.look()
    router.collect()


def test_small_router():
    """The same of a router that forwards, drops for several reasons, and writes to packets."""
    assert compare(SMALL, 400) > 300


def test_a_start_that_moves_by_an_unknown_number_of_bytes():
    """The packet is shorter by this number, and its bytes aren't those of before."""
    length, delta = (terms.extend(64, variable(name, 16), 16) for name in ("of frame", "delta"))
    state = State(Place("xdp", 0), length)
    state.memory[PACKET, None] = {0: 1}
    state.values[delta] = ANY
    while state.moved == 0:
        try:
            assert adjust_head(None, state, None, delta) == 0
        except Split as split:
            state.assume(split.what)
    assert state.head == 0 and (PACKET, None) not in state.memory
    assert Values({"of frame": 100, "delta": 30}).of(state.end) == 70
    with pytest.raises(Split) as split:
        adjust_head(None, state, None, -200)
    room = split.value.what
    assert [Values({"of frame": 100, "delta": delta}).of(room) for delta in (7, 8)] == [False, True], "200 bytes are free after 8 are taken"
    state.memory[PACKET, None] = {0: 1}
    Machine(None, None, {}).store(state, Pointer(PACKET, delta), 1, 7)
    assert (PACKET, None) not in state.memory, "any byte may be the one that was written"


@pytest.mark.parametrize("old, new", [(4, 4), (4, 0), (0, 6), (0, 516)])
def test_sums_that_kernels_make_differently(old, new):
    """The difference of 0xffff0000 + 0x0000ffff and 0 is one zero of ones' complement or the other, by the kernel's version."""
    bytes_ = Pointer(("stack", 0), 0)
    with pytest.raises(Unsupported, match=f"{old} old and {new} new bytes"):
        csum_diff(Machine(None, Given(b"", {}), {}), State(Place("xdp", 0), 64), bytes_, old, bytes_, new, 0)


def coded(*instructions: tuple[int, int, int, int, object]) -> Code:
    """One section with these instructions, which begins with a program."""
    return Code({"xdp": [Instruction(*each) for each in instructions]}, {"first": Place("xdp", 0)}, {}, {})


def test_a_tail_call_in_a_function_returns_to_the_functions_caller():
    """As in the kernel, which unwinds only the function's own frame."""
    function, other = Place("xdp", 3), Place("xdp", 5)
    code = coded(
        (CALLS, 0, PSEUDO_CALL, 0, function), (0x07, 0, 0, 0, 40), (EXIT, 0, 0, 0, 0),
        (CALLS, 0, 0, 0, 12), (EXIT, 0, 0, 0, 0),
        (0xB7, 0, 0, 0, 2), (EXIT, 0, 0, 0, 0),
    )  # fmt: skip
    state = State(Place("xdp", 0), 64)
    machine = Machine(code, None, {12: lambda machine, state, *_: machine.enter(state, other)})
    while machine.step(state):
        pass
    assert state.registers[0] == 42


@pytest.mark.whole
@pytest.mark.parametrize("name", WITH_KERNEL)
def test_configs(name):
    """The same of all routers that are shipped."""
    assert compare(CONFIGS / f"{name}.click", PACKETS) > 3 * PACKETS // 4
