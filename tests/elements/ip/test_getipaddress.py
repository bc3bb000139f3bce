"""GetIPAddress: the destination address annotation from the packet."""

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

PACKET = bytes(12) + b"\x08\x00" + bytes(IP(src="1.2.3.4", dst="5.6.7.8") / UDP())
SOURCE, DESTINATION = 0x01020304, 0x05060708


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    "arguments, expected",
    [("26", SOURCE), ("30", DESTINATION), ("OFFSET 30", DESTINATION), ("IP src", SOURCE), ("IP dst", DESTINATION)],
)
def test_an_address_becomes_the_annotation(element, arguments, expected):
    get = element(f"GetIPAddress({arguments})", headers="ip-in-ethernet")
    get.passes(PACKET, DST_IP=expected)


CASES = [Case("GetIPAddress(IP src, ANNO 20)", headers="ip-in-ethernet", packets=2000)]


def test_mistakes(refused):
    for arguments in ("", "16, IP src", "-1"):
        assert "one of OFFSET and IP" in refused(f"GetIPAddress({arguments})")


TRIALS = {
    "another annotation": Trial("GetIPAddress(26, 4)").passes(PACKET, DST_IP=0, annotations={4: bytes([1, 2, 3, 4])}),
    "where there is no address it is zero": [
        Trial(f"GetIPAddress({arguments})", before="SetIPAddress(9.9.9.9)").passes(PACKET[:34], DST_IP=0)
        for arguments in ["31", "IP dst"]
    ],
}
