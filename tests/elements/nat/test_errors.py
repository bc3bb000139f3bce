"""ICMPRewriter in the kernel: errors about packets of flows that are there, with the kernel path and without it."""

import sys
from random import Random

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from tests.axes import axis
from tests.elements.verdicts import verdicts

from clickbpf.testing.equivalence import Twins
from clickbpf.testing.executors.bpf import HANDED
from clickbpf.testing.reach import Reach
from clickbpf.testing.single import Surroundings
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

OLD, NEW, PEERS = "10.0.0.9", "192.0.2.1", ("8.8.8.8", "8.8.4.4")
HOSTS = (OLD, NEW, "192.0.2.2", "192.0.2.4", *PEERS)
PORTS = (4000, 4001, 53, 80, *range(1024, 1030))

#: ICMPRewriter, its outputs, and the rewriters `a` and `b` that it asks.
ROUTERS = {
    "ports and pings": (
        "ICMPRewriter(a b, REPLY_ANNO PAINT)",
        2,
        "IPRewriter(pattern 192.0.2.1 1024-1029# - - 0 1, drop, REPLY_ANNO PAINT)",
        "ICMPPingRewriter(pattern 192.0.2.1 - 1024-1029# 0 1, drop)",
    ),
    "one protocol each": (
        "ICMPRewriter(a:0 b:1)",
        3,
        "TCPRewriter(pattern 192.0.2.1 1024-1029# - - 0 1, drop)",
        "UDPRewriter(pattern 192.0.2.1 1024-1029# - - 0 1, drop)",
    ),
    "addresses": (
        "ICMPRewriter(b a:1, DST_ANNO false)",
        3,
        "IPAddrPairRewriter(pattern 192.0.2.1-192.0.2.3# - 0 1, drop)",
        "IPAddrRewriter(pattern 192.0.2.4-192.0.2.5# - 0 1, drop)",
    ),
}


def beside(*rewriters: str) -> str:
    """Rewriters `a`, `b` ..., each with a device whose packets make its flows."""
    return "\n".join(
        f"{name} :: {rewriter}; Idle -> [1] {name} [1] -> Discard;"
        f"FromDevice(flows_{name}) -> Strip(14) -> CheckIPHeader -> Paint(5) -> [0] {name};"
        f"{name}[0] -> Unstrip(14) -> Queue -> ToDevice(to_{name});"
        for name, rewriter in zip("ab", rewriters)
    )


PUNTS = [Reach("ICMPRewriter(a)", 1, 2, "ip-checked", declarations=beside(ROUTERS["ports and pings"][2]))]
UNREACHED = {
    "ICMPRewriter": {
        "icmprewriter.c: if (!USERSPACE && found == NAT_UNSURE) return PUNT;": "a flow that has just changed, or has no room in the index:"
        " test_an_index_without_room"
    }
}


def flow(random: Random) -> Packet:
    """A packet from inside, of one of few flows."""
    kind = random.choice((TCP(sport=random.choice((4000, 4001)), dport=80), UDP(sport=4000, dport=53), ICMP(type=8, id=4000)))
    return Ether() / IP(src=OLD, dst=random.choice(PEERS)) / kind / b"data"


def quoted(random: Random) -> bytes:
    """A packet that an error may be about: one that a rewriter has made, an answer to one, or any other; or what is left of it."""
    ends = random.choice(((NEW, PEERS[0]), (PEERS[0], OLD), (random.choice(HOSTS), random.choice(HOSTS))))
    ports = {"sport": random.choice(PORTS), "dport": random.choice(PORTS)}
    made = random.choice((
        TCP(**ports, flags="A"),
        UDP(**ports),
        UDP(**ports, chksum=0),
        ICMP(type=random.choice((8, 8, 8, 0)), id=random.choice(PORTS)),
    ))  # fmt: skip
    fields = {"options": [IPOption(b"\x07\x07\x04" + bytes(5))]} if random.random() < 0.1 else {}
    ip = IP(src=ends[0], dst=ends[1], ttl=3, frag=random.choice((0,) * 9 + (8,)), **fields)
    raw = bytearray(bytes(ip / made / b"data"))
    if random.random() < 0.1:
        raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
    return bytes(raw[: random.choice((len(raw), len(raw), 20, 24, 27, 28, 30, 38, random.randrange(len(raw))))])


def error(random: Random) -> Packet:
    kind = random.choice((3, 3, 4, 5, 11, 11, 12, 0, 8))
    outer = IP(src="7.7.7.7", dst=random.choice((NEW, PEERS[0], *HOSTS)))
    return Ether() / outer / ICMP(type=kind, code=random.choice((0, 1, 4))) / quoted(random)


def compare(errors: str, outputs: int, rewriters: tuple[str, str], record: bool, hook: str, packets: int) -> list[int]:
    """What the kernel path did with each error."""
    text = Surroundings(errors, 1, outputs, "ip-checked", declarations=beside(*rewriters)).text(record=record)
    random = Random(3)
    with Twins(text, ("native", hook)) as both:
        assert both.other.compilation.plan.placements["x"].where != "user"
        seen = verdicts(both.other, "in0")
        for number in range(packets):
            device, packet = ("in0", error(random)) if number % 5 else (f"flows_{random.choice('ab')}", flow(random))
            both.send(device, packet)
    return seen


@pytest.mark.parametrize("hook", axis("bpf", "tc"))
@pytest.mark.parametrize("name", ROUTERS)
def test_errors_about_flows(name: str, hook: str) -> None:
    errors, outputs, *rewriters = ROUTERS[name]
    seen = compare(errors, outputs, (*rewriters,), False, hook, 1250)
    assert len(seen) == 1000
    assert seen.count(HANDED) < 10, "few errors leave the kernel: CheckIPHeader gives up those with options"


@pytest.mark.whole
@pytest.mark.parametrize("name", ROUTERS)
def test_annotations_of_errors(name: str) -> None:
    errors, outputs, *rewriters = ROUTERS[name]
    compare(errors, outputs, (*rewriters,), True, "bpf", 500)


@pytest.mark.whole
def test_an_index_without_room(monkeypatch) -> None:
    """All words want the same bucket: the kernel path doesn't know all flows, and asks the runtime about those that it doesn't find."""
    assert Library.standard().known("ICMPRewriter"), "its modules are there"
    for module in ("clickbpf_elements.tables._index", "clickbpf_elements.nat._rewriter"):
        monkeypatch.setattr(sys.modules[module], "buckets", lambda words: 1)
    rewriters = tuple(f"{made}(pattern 192.0.2.1 1024-1029# - - 0 1, drop, MAPPING_CAPACITY 21)" for made in ("IPRewriter", "UDPRewriter"))
    seen = compare("ICMPRewriter(a b)", 2, rewriters, False, "bpf", 1000)
    assert seen.count(HANDED) > 100
