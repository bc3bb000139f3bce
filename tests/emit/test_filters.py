"""tcpdump's filters as BPF programs: a packet is traced in the kernel if, and only if, libpcap's own interpreter takes it."""

import ctypes
import ctypes.util
import struct

import pytest
from tests.axes import axis

from clickbpf.compile import Compilation, check_text
from clickbpf.load.path.kernelpath import load_kernel
from clickbpf.plan import Options
from clickbpf.runtime.library import load_library
from clickbpf.runtime.tracing import ETHERNET, FilterRow, Row, compile_filter
from clickbpf.testing.packets import IPV6, Mix, generate
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

FILTERS = (
    "",
    "ip",
    "icmp or arp",
    "tcp[tcpflags] & tcp-syn != 0",
    "udp port 53 or (tcp and dst portrange 1-1023)",
    "ip[6:2] & 0x1fff != 0",
    "len > 100 and not ip6",
    "ip6 and udp",
    "ether[0] & 1 = 1",
    "ip[8] * 2 / 3 - 1 > 40 and ip[1] ^ 5 != ip[2] % 7",
    "udp[0:2] << 1 > udp[2:2] >> 1",
    "src net 10.0.0.0/8 and greater 60",
    "vlan and ip",
)


def packets() -> list[bytes]:
    return [packet for mix in (Mix(), IPV6) for packet in generate(150, 14, mix)]


@pytest.mark.parametrize("hook", axis("xdp", "tc"))
@pytest.mark.parametrize("text", FILTERS)
def test_as_libpcap_does(text: str, hook: str) -> None:
    sent = [packet for packet in packets() if len(packet) >= 60]
    checked = check_text("FromDevice(eth0) -> Discard", Library.standard(()))
    rows = compile_filter(load_library(Compilation(checked).native().library), text, ETHERNET)
    wanted = [takes(rows, packet) for packet in sent]
    assert traced(Compilation(checked, Options(hook=hook, traced=rows)), sent) == wanted
    assert len(set(wanted)) == 2 or not text, "a filter that tells packets apart"


@pytest.mark.parametrize("text", ["len > 5000", "udp and ether[5000] < 128", "ip[2:2] > 6000 and ether[4000:4] & 1 = 0"])
def test_bytes_in_other_buffers_are_read(text: str) -> None:
    sent = [packet for packet in generate(200, 15, Mix(payload=8900)) if len(packet) >= 60]
    checked = check_text("FromDevice(eth0) -> Discard", Library.standard(()))
    rows = compile_filter(load_library(Compilation(checked).native().library), text, ETHERNET)
    wanted = [takes(rows, packet) for packet in sent]
    assert traced(Compilation(checked, Options(frags=True, traced=rows)), sent) == wanted
    assert len(set(wanted)) == 2


def takes(rows: tuple[Row, ...], packet: bytes) -> bool:
    """What bpf_filter(3PCAP) says, which interprets the rows."""
    if not rows:
        return True
    library = ctypes.CDLL(ctypes.util.find_library("pcap"))
    return bool(library.bpf_filter((FilterRow * len(rows))(*rows), packet, len(packet), len(packet)))


def traced(made: Compilation, sent: list[bytes]) -> list[bool]:
    """Whether a traced router numbers each of the packets."""
    told, count = [], 0
    with load_kernel(made.build_bpf().read_bytes(), made.manifest) as path:
        program = path.programs[f"{made.options.hook}_eth0"]
        memory = path.memory("traced")[0]
        for packet in sent:
            program.test_run(packet, room=len(packet) + 64)
            now = sum(struct.unpack_from("=QQ", memory))
            told.append(now > count)
            count = now
    return told
