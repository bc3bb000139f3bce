"""EnsureEther: which packets get a header, and which."""

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

ADDRESSES = {"src": "02:00:00:00:00:99", "dst": "02:00:00:00:00:01"}
PACKET = IP(dst="10.0.0.2") / UDP()
FRAME = Ether(**ADDRESSES) / PACKET
#: The header by default, as Click has it.
DEFAULT = bytes.fromhex("020202020202 010101010101 0800")


def test_the_header_of_the_arguments(element):
    x = element("EnsureEther(0x86dd, 3:3:3:3:3:3, 4:4:4:4:4:4)", before="Strip(14) -> MarkMACHeader -> MarkIPHeader")
    x.send(FRAME)
    assert x.expect(0).data == bytes.fromhex("040404040404 030303030303 86dd") + bytes(PACKET)


CASES = [
    Case("EnsureEther", before=before, packets=700)
    for before in ["MarkIPHeader(14)", "Strip(14) -> MarkIPHeader", "Strip(10) -> MarkIPHeader(4)", "MarkIPHeader(40)"]
]

TRIALS = {
    "what stays": [
        Trial("EnsureEther", before=before).passes(frame)
        for before, frame in [
            ("Null", FRAME),  # nobody said that it is IP
            ("MarkIPHeader(14)", FRAME),
            ("MarkIPHeader(14)", Ether(**ADDRESSES) / IPv6() / UDP()),
        ]
    ],
    "what begins behind its ip header stays": Trial("EnsureEther", before="MarkIPHeader(14) -> Strip(20)").gives(FRAME, bytes(FRAME)[20:]),
    "a header that was stripped is put back": Trial("EnsureEther", before="Strip(14) -> MarkIPHeader").passes(FRAME, network=14),
    "others get a new header": [
        Trial("EnsureEther", before=before).gives(Ether(**ADDRESSES, type=type_) / bytes(PACKET), DEFAULT + bytes(PACKET), network=14)
        for before, type_ in [
            ("Strip(14) -> MarkIPHeader", 0x1234),  # what was stripped is not a header for IP
            ("MarkIPHeader(14)", 0x1234),
            ("Strip(10) -> MarkIPHeader(4)", 0x800),  # less than a header is in front
            ("Strip(14) -> MarkMACHeader -> MarkIPHeader", 0x800),
        ]
    ],
    "more in front than a header is lost": Trial("EnsureEther", before="EtherEncap(0x800, 9:9:9:9:9:9, 9:9:9:9:9:9) -> MarkIPHeader(28)")
        .gives(FRAME, DEFAULT + bytes(PACKET)),
}

PUNTS = [Reach("EnsureEther", before=FULL + " -> MarkIPHeader(0)")]

UNREACHED = {
    "EnsureEther": {
        "ensureether.c: return pkt_push(p, ETH_HLEN) ? OUTPUT(0) : PUNT;": "the header that it uncovers is in the frame, so there is room",
    }
}

MISTAKES = {"EnsureEther(0x10000)": "argument 1 (Ethernet encapsulation type) must be <= 0xFFFF"}
