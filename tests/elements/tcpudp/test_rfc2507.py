"""RFC2507Comp and RFC2507Decomp: headers that differ little from those before take little of a link."""

from random import Random

import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import Ether
from tests.runtime.routers import Routers

pytestmark = pytest.mark.executors("native")

BOTH = """
    FromDevice(a) -> Strip(14) -> CheckIPHeader -> RFC2507Comp -> EtherEncap(0x88B5, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(b);
    FromDevice(b) -> Strip(14) -> d :: RFC2507Decomp -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(a);
"""


def segment(port: int = 1, id: int = 7, flags: str = "A", payload: bytes = b"payload", options=(), **tcp) -> bytes:
    headers = IP(src="10.0.0.1", dst="10.0.0.2", id=id) / TCP(sport=port, dport=80, flags=flags, options=list(options), **tcp)
    return bytes(headers / payload)


class Link:
    def __init__(self, router):
        self.router = router(BOTH)

    def compressed(self, packet: bytes) -> bytes:
        """What is on the link for a packet; what becomes of that must be the packet."""
        (sent,) = self.router.send("a", bytes(Ether(type=0x0800)) + packet)
        assert self.decompressed(sent.data[14:]) == packet
        return sent.data[14:]

    def decompressed(self, data: bytes) -> bytes | None:
        out = self.router.send("b", bytes(Ether(type=0x88B5)) + data)
        return out[0].data[14:] if out else None


@pytest.fixture
def link(router):
    return Link(router)


def test_what_has_grown_is_sent(link):
    first = segment(seq=100, ack=50, window=1000)
    assert link.compressed(first) == b"\1\1" + first
    check = segment(id=8, seq=107, ack=50, window=1000)[36:38]
    assert link.compressed(segment(id=8, seq=107, ack=50, window=1000)) == b"\2\1\x08" + check + b"\x07payload"
    more = segment(id=10, flags="PA", seq=407, ack=51, window=999, payload=b"")
    # Window, acknowledgement, sequence number and identification, and PUSH: the window has grown by 65535.
    assert link.compressed(more) == b"\2\1\x3e" + more[36:38] + b"\0\xff\xff" + b"\1" + b"\0\1\x2c" + b"\2"
    again = segment(id=10, flags="A", seq=407, ack=51, window=999, payload=b"")
    assert link.compressed(again) == b"\2\1\x20" + again[36:38] + b"\0\0\0", "the same identification"


@pytest.mark.parametrize(
    "packet",
    [
        segment(flags="S"),
        segment(flags="FA"),
        segment(flags="RA"),
        segment(flags="UA", urgptr=3),
        bytes(IP(src="10.0.0.1", dst="10.0.0.2", options=[b"\1\1\1\0"]) / TCP(flags="A")),
        bytes(IP(src="10.0.0.1", dst="10.0.0.2", flags="MF") / TCP(flags="A") / bytes(4)),
        bytes(IP(src="10.0.0.1", dst="10.0.0.2") / ICMP()),
    ],
    ids=["SYN", "FIN", "RST", "URG", "IP options", "fragment", "ICMP"],
)
def test_other_packets_pass_as_they_are(link, packet):
    assert link.compressed(packet) == b"\0" + packet


@pytest.mark.parametrize(
    "change",
    [{"seq": 99}, {"ack": 49}, {"seq": 100 + 65536}, {"flags": "EA"}, {"options": [("NOP", None)] * 4}],
    ids=["a retransmission", "an older acknowledgement", "a gap", "ECN", "other options"],
)
def test_headers_that_have_changed_otherwise_are_sent_whole(link, change):
    same = {"seq": 100, "ack": 50}
    link.compressed(segment(**same))
    packet = segment(id=8, **{**same, **change})
    assert link.compressed(packet) == b"\1\1" + packet


def test_fourteen_connections_have_contexts(link):
    for port in range(1, 16):
        assert link.compressed(segment(port))[:2] == bytes([1, (port - 1) % 14 + 1])
    assert link.compressed(segment(2, id=8))[:2] == b"\2\2"
    assert link.compressed(segment(1, id=8))[:2] == b"\1\2", "its context is the fifteenth's"


def test_random_connections_come_out_as_they_went_in(link):
    random = Random(1)
    state = {port: {"id": 0, "seq": 2**32 - 3000, "ack": 2**32 - 9, "window": 9} for port in range(1, 5)}
    for _ in range(300):
        port = random.randint(1, 4)
        for name, bits in (("id", 16), ("seq", 32), ("ack", 32), ("window", 16)):
            state[port][name] = (state[port][name] + random.choice([0, 1, 255, 256, 65535, 70000, -1])) % (1 << bits)
        options = [("Timestamp", (random.getrandbits(32), 0)), ("NOP", None), ("NOP", None)]
        link.compressed(segment(port, flags=random.choice(["A", "PA"]), payload=random.randbytes(9), options=options, **state[port]))


@pytest.mark.parametrize(
    "data",
    [b"\1", b"\1\1" + bytes(39), b"\1\0" + bytes(40), b"\1\x0f" + bytes(40)]
    + [b"\2\2\0aa", b"\2\1\x08aa", b"\2\1\x08aa\0\1", b"\3aaaaa"],
)
def test_what_makes_no_sense_is_dropped(link, data):
    link.compressed(segment())
    assert link.decompressed(data) is None
    assert link.router.dropped("d", "MALFORMED") == 1


def test_a_swap_keeps_both_ends_contexts():
    """The packet after the swap is sent as what has changed, and made whole by what the other end knew before."""
    routers = Routers(BOTH)
    first = through(routers, "a", segment(id=7))
    assert first[:1] == b"\1" and through(routers, "b", first) == segment(id=7)
    routers.replace(BOTH)
    after = through(routers, "a", segment(id=8))
    assert after[:1] == b"\2" and through(routers, "b", after) == segment(id=8)


def through(routers: Routers, device: str, packet: bytes) -> bytes:
    """What leaves by the other device, without the Ethernet header, for a packet that comes in by this one."""
    routers.now.inject(device, bytes(12) + (b"\x08\x00" if device == "a" else b"\x88\xb5") + packet)
    (sent,) = routers.now.collect("b" if device == "a" else "a")
    return sent[14:]
