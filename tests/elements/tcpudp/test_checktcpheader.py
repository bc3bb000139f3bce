"""CheckTCPHeader: protocol, lengths, checksum (RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

MIX = Mix(transports=weights(tcp=8, udp=1), large=10, options=10, wrong=30)
BASE = IP(src="10.0.0.2", dst="10.0.1.2")
SEGMENT = BASE / TCP(flags="A") / b"data!"

#: Packets, and the reason why they are bad.
BAD = (
    (BASE / UDP() / bytes(20), "not TCP"),
    (bytes(SEGMENT)[:39], "bad packet length"),
    (bytes(SEGMENT)[:44], "bad packet length"),
    (BASE / TCP(dataofs=4), "bad packet length"),
    (BASE / TCP(dataofs=6), "bad packet length"),
    (IP(len=39) / TCP(), "bad packet length"),
    (IP(len=10) / TCP(), "bad packet length"),
    (BASE / TCP(chksum=1), "bad TCP checksum"),
    (bytes(SEGMENT)[:44] + b"?", "bad TCP checksum"),
)


@pytest.mark.executors("native")
@pytest.mark.parametrize("verbose, lines", [("false", 1), ("true", 3)])
def test_the_first_bad_packet_is_told_or_all_are(element, capfd, verbose, lines):
    check = element(f"CheckTCPHeader(VERBOSE {verbose})", headers="ip")
    for _ in range(3):
        check.send(BASE / UDP())
    assert capfd.readouterr().err == "x :: CheckTCPHeader: TCP header check failed: not TCP\n" * lines


TRIALS = {
    "good packets pass": [
        Trial("CheckTCPHeader", noutputs=2, headers="ip")
            .passes(bytes(packet), bytes(packet) + b"padding").passes(IP(options=[IPOption_NOP()] * 12) / TCP() / b"x").reads(drops="0")
        for packet in [SEGMENT, BASE / TCP(options=[("MSS", 1460)]), BASE / TCP() / bytes(1440)]
    ],
    "bad packets and why": Trial("CheckTCPHeader(DETAILS true)", noutputs=2, headers="ip")
        .each((packet, packet, 1) for packet, _ in BAD)
        .reads(drop_details="1\tnot TCP\n6\tbad packet length\n2\tbad TCP checksum\n", drops="9"),
}

CASES = [
    Case(f"CheckTCPHeader(DETAILS true, VERBOSE {verbose})", noutputs=2, headers="ip", mix=MIX)
    for verbose in ["false", "true"]
]

PUNTS = [Reach("CheckTCPHeader(VERBOSE true)", headers="ip-checked")]
