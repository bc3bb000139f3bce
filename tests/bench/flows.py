"""What one packet of many flows costs in the kernel: through IPRewriter with 1 to 1,000,000 flows, and through ARPQuerier with 1 to 65,536
hosts, beside one lookup in a hash table of the kernel's with as many keys.

Each packet belongs to another flow, drawn at random, so that what it needs is in the processor's cache only if that of all flows is. The
cost of a program that only makes the packets is taken off.
"""

from __future__ import annotations

import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from ipaddress import IPv4Address
from pathlib import Path

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.bench.effort import Effort
from tests.bench.loaded import DROP, REDIRECT, Loaded, Runs
from tests.bench.repeated import TIMES, repeated

from clickbpf.build.bpf import build_program
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.objects import Object

FLOWS, HOSTS = (1, 100, 10_000, 100_000, 1_000_000), (1, 100, 10_000, 65_536)
LOOKUP, REWRITER, QUERIER = "a hash lookup", "IPRewriter", "ARPQuerier"
REPEAT, RUNS = 2000, 10
#: Flow n is from host n % 2^15 of 10.0.0.0/8 to host n / 2^15 of 198.18.0.0/15; and an ARP entry is host n of 10.1.0.0/16.
SOURCES_SHIFT, INSIDE, OUTSIDE, PORT, NEIGHBOURS = 15, 0x0A000000, 0xC6120000, 1000, 0x0A010000
#: Chooses the packet's flow by a number that its payload has, and goes on to the next (a linear congruential generator).
CHOOSE = """
		if (data + 48 > end)
			return XDP_ABORTED;
		__u32 *drawn = (__u32 *)(data + 44);

		*drawn = *drawn * 1664525u + 1013904223u;
		__u32 flow = (__u64)*drawn * {count}u >> 32;
"""
OF_FLOW = """		*(volatile __u32 *)(data + 26) = __builtin_bswap32({inside}u + (flow & {mask}u));
		*(volatile __u32 *)(data + 30) = __builtin_bswap32({outside}u + (flow >> {shift}));
		*(volatile __u16 *)(data + 34) = __builtin_bswap16({port});
"""
OF_HOST = "		*(volatile __u32 *)(data + 30) = __builtin_bswap32({neighbours}u + flow);\n"
#: The table, whose keys are numbers; it is asked for as many packets.
TABLE = """
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {{
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, {count});
	__type(key, __u64[2]);
	__type(value, __u64);
}} table SEC(".maps");

SEC("xdp")
int look(struct xdp_md *ctx)
{{
	char *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;

	if (data + 34 > end)
		return XDP_ABORTED;
	__u64 key[2] = {{ *(__u64 *)(data + 26), 0 }};

	return bpf_map_lookup_elem(&table, key) ? XDP_TX : XDP_PASS;
}}

char _license[] SEC("license") = "GPL";
"""
TX = 3
NAT = """
    FromDevice(in) -> way :: Strip(14) -> MarkIPHeader(0)
        -> nat :: IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 1, drop, MAPPING_CAPACITY {capacity});
    nat[0] -> Unstrip(14) -> Queue -> ToDevice(out);
    nat[1] -> Discard;
    Idle -> [1] nat;
    FromDump("{file}", STOP false) -> Strip(14) -> MarkIPHeader(0) -> [0] nat;
"""
ARP = """
    FromDevice(in) -> Strip(14) -> GetIPAddress(16)
        -> arp :: ARPQuerier(10.2.0.1, 02:00:00:00:01:10, ENTRY_CAPACITY 131072, TIMEOUT 0, POLL_TIMEOUT 0)
        -> Queue -> ToDevice(out);
    Idle -> [1] arp;
"""


def measure_flows(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(what, flows, nanoseconds in each round)."""
    for count in effort.up_to(FLOWS):
        yield LOOKUP, count, looked_up(count, effort)
        yield REWRITER, count, rewritten(count, effort)[0]


def measure_set_up(effort: Effort) -> Iterator[tuple[str, int, float]]:
    """(what, flows, how many a second the runtime has made from their first packets)."""
    for count in effort.up_to(FLOWS):
        yield REWRITER, count, rewritten(count, effort)[1]


def measure_hosts(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(what, hosts, nanoseconds in each round)."""
    for count in effort.up_to(HOSTS):
        yield LOOKUP, count, looked_up(count, effort)
        yield QUERIER, count, found(count, effort)


def packet(flow: int = 0) -> bytes:
    """The first packet of a flow; it has no UDP checksum."""
    made = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src=str(IPv4Address(INSIDE)), dst=str(IPv4Address(OUTSIDE)))
    frame = bytearray(bytes(made / UDP(sport=PORT, dport=2000, chksum=0) / bytes(22)))
    struct.pack_into(">II", frame, 26, *addresses(flow))
    return bytes(frame)


def addresses(flow: int) -> tuple[int, int]:
    return INSIDE + (flow & (1 << SOURCES_SHIFT) - 1), OUTSIDE + (flow >> SOURCES_SHIFT)


def runs(program: str, count: int, chosen: str) -> Runs:
    """A program on packets of so many flows, and nothing on them."""
    names = {"inside": INSIDE, "outside": OUTSIDE, "port": PORT, "neighbours": NEIGHBOURS}
    names |= {"shift": SOURCES_SHIFT, "mask": (1 << SOURCES_SHIFT) - 1}
    before = CHOOSE.format(count=count) + chosen.format(**names)
    again = partial(repeated, frame=packet(), times=TIMES, before=before)
    return {"packets": partial(again, program=program), "nothing": partial(again, program=None)}


@cache
def looked_up(count: int, effort: Effort) -> list[float]:
    """Nanoseconds of a lookup in a table of so many keys, in each round."""
    text = TABLE.format(count=count)
    for name, (_, add) in numbered(runs("look", count, OF_FLOW)).items():
        text = add(text, name)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as undo:
        source = Path(folder, "table.bpf.c")
        source.write_text(text)
        built = undo.enter_context(Object(build_program(source).read_bytes(), "table"))
        built.load()
        table = built.map("table")
        for flow in range(count):
            table.update(struct.pack(">II8x", *addresses(flow)), bytes(8))
        programs = {title: built.program(name) for name, (title, _) in numbered(runs("look", count, OF_FLOW)).items()}
        return cost(programs, TX, effort)


def numbered(programs: Runs) -> dict[str, tuple[str, Callable[[str, str], str]]]:
    return {f"run{number}": each for number, each in enumerate(programs.items())}


@cache
def rewritten(count: int, effort: Effort) -> tuple[list[float], float]:
    """Nanoseconds of packets of so many flows, in each round; and the flows that the runtime made in a second."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as undo:
        dump = Path(folder, "first.pcap")
        write_first(dump, count)
        router = Loaded.of_text(undo, NAT.format(file=dump, capacity=count + 1), runs("xdp_in", count, OF_FLOW))
        start = time.perf_counter()
        router.runtime.settle()
        rate = count / (time.perf_counter() - start)
        if int(router.runtime.handlers.read("nat", "size")) != count:
            raise ValueError("flows are missing")
        return cost(router.runs, REDIRECT, effort), rate


def write_first(path: Path, count: int) -> None:
    """A capture file of each flow's first packet."""
    frame = packet()
    record = bytearray(struct.pack("=IIII", 1, 0, len(frame), len(frame)) + frame)
    with path.open("wb") as file:
        file.write(struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for flow in range(count):
            struct.pack_into(">II", record, 16 + 26, *addresses(flow))
            file.write(record)


@cache
def found(count: int, effort: Effort) -> list[float]:
    """Nanoseconds of packets to so many known hosts, in each round."""
    with ExitStack() as undo:
        router = Loaded.of_text(undo, ARP, runs("xdp_in", count, OF_HOST))
        for host in range(count):
            router.runtime.handlers.write("arp", "insert", f"{IPv4Address(NEIGHBOURS + host)} 02:00:00:00:00:10")
        return cost(router.runs, REDIRECT, effort)


def cost(programs: dict[str, Program], verdict: int, effort: Effort) -> list[float]:
    """Nanoseconds of a packet in each round, without those of making it."""
    return [least(programs["packets"], verdict) - least(programs["nothing"], DROP) for _ in range(effort.rounds)]


def least(program: Program, verdict: int) -> float:
    done = [program.test_run(packet(), repeat=REPEAT) for _ in range(RUNS)]
    if {run.retval for run in done} != {verdict}:
        raise ValueError("a packet has not gone the way that all should go")
    return min(run.duration for run in done) / TIMES
