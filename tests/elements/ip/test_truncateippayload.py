"""TruncateIPPayload: headers stay (RFC 791, 768, 9293, 792), and this many bytes after them."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import Mix

DATA = bytes(range(50))
NOPS = [IPOption_NOP()] * 8


@pytest.mark.parametrize(
    "transport, headers",
    [
        (UDP(), 28),
        (TCP(), 40),
        (TCP(options=[("NOP", None)] * 12), 52),
        (ICMP(), 28),
        (ICMP(type=13), 40),
        (b"", 20),
    ],
    ids=["udp", "tcp", "tcp options", "icmp", "icmp timestamp", "other"],
)
@pytest.mark.parametrize("options", [[], NOPS], ids=["plain", "ip options"])
def test_headers_and_so_much_more(element, transport, headers, options):
    packet = bytes(IP(src="10.0.0.2", dst="10.0.1.2", options=options, **({} if transport else {"proto": 99})) / transport / DATA)
    headers += len(options)
    for arguments, kept in (("", headers), ("7", headers + 7), ("7, false", 27 + len(options)), ("100", len(packet))):
        x = element(f"TruncateIPPayload({arguments})", headers="ip-checked")
        x.gives(packet, packet[:kept], EXTRA_LENGTH=len(packet) - kept)


def test_in_a_frame_and_without_annotation(element):
    packet = bytes(12) + b"\x08\x00" + bytes(IP() / UDP() / DATA)
    x = element("TruncateIPPayload(1, EXTRA_LENGTH false)", headers="ip-in-ethernet")
    x.gives(packet, packet[: 14 + 28 + 1], EXTRA_LENGTH=0)


@pytest.mark.parametrize("kept", [0, 5, 30])
def test_without_a_marked_header_the_packet_is_its_payload(element, kept):
    x = element(f"TruncateIPPayload({kept})")
    x.gives(DATA, DATA[:kept], EXTRA_LENGTH=50 - kept)


CASES = [Case(f"TruncateIPPayload({arguments})", headers="ip", mix=Mix(options=30)) for arguments in ["", "30, false"]]


@pytest.mark.needs("root")
def test_where_the_transport_header_is_found_by_walking():
    """The verifier has no range of a header at an offset that a function returned, but what is tested and masked."""
    walked = "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> MarkIP6Header(14) -> TruncateIPPayload"
    assert_equivalent(f"{walked} -> FixIPSrc(18.26.4.9) -> SetTCPChecksum -> Queue -> ToDevice(eth1)", 300)
