"""CheckUDPHeader: protocol, length, checksum (RFC 768)."""

import pytest
from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach

MIX = Mix(transports=weights(udp=8, tcp=1), large=10, options=10, wrong=30)
BASE = IP(src="10.0.0.2", dst="10.0.1.2")
BAD = (
    BASE / TCP(),
    bytes(BASE / UDP())[:27],
    bytes(BASE / UDP() / b"data")[:31],
    BASE / UDP(len=7),
    BASE / UDP(len=9),
    BASE / UDP(chksum=1),
    bytes(BASE / UDP() / b"data")[:31] + b"!",
)


@pytest.mark.parametrize(
    "packet",
    [BASE / UDP(), BASE / UDP() / b"odd", BASE / UDP(chksum=0) / b"none", IP(options=[IPOption_NOP()] * 4) / UDP() / bytes(1000)],
)
def test_good_packets_pass(element, packet):
    check = element("CheckUDPHeader", noutputs=2, headers="ip")
    for data in (bytes(packet), bytes(packet) + b"padding"):
        check.passes(data)
    assert check.read("drops") == "0"


def test_bad_packets_and_why(element):
    check = element("CheckUDPHeader(DETAILS true)", noutputs=2, headers="ip")
    for packet in BAD:
        check.passes(packet, output=1)
    assert check.read("drop_details") == "1\tnot UDP\n4\tbad packet length\n2\tbad UDP checksum\n"


CASES = [Case("CheckUDPHeader(DETAILS true)", noutputs=2, headers="ip", mix=MIX)]
PUNTS = [Reach("CheckUDPHeader(VERBOSE true)", headers="ip-checked")]


@pytest.mark.executors("native")
def test_the_message_names_nobody(element, capfd):
    element("CheckUDPHeader", headers="ip").send(IP() / TCP())
    assert capfd.readouterr().err == "UDP header check failed: not UDP\n"
