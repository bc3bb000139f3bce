"""ICMPIPEncap: messages of any type (RFC 792)."""

import pytest
from scapy.layers.inet import ICMP, IP

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("unreachable, port", ICMP(type=3, code=3)),
        ("3, 1", ICMP(type=3, code=1)),
        ("timeexceeded", ICMP(type=11)),
        ("redirect, tosnet", ICMP(type=5, code=2)),
        ("echo, IDENTIFIER 5", ICMP(type=8, id=5, seq=1)),
        ("echo-reply, 0, IDENTIFIER 5", ICMP(type=0, id=5, seq=1)),
        ("inforeq", ICMP(type=15, id=0, seq=1)),
        ("timestamp, IDENTIFIER 7", ICMP(type=13, id=7, seq=1, ts_ori=0, ts_rx=0, ts_tx=0)),
    ],
)
def test_messages(element, arguments, message):
    encap = element(f"ICMPIPEncap(1.0.0.1, 2.0.0.2, {arguments})")
    data = b"y" * 60
    encap.send(data)
    carried = encap.expect(0, IP(src="1.0.0.1", dst="2.0.0.2", ttl=255, id=1) / message / data, DST_IP=0x02000002).carried
    assert (carried.network, carried.transport) == (0, 20)


CASES = [Case(f"ICMPIPEncap(1.0.0.1, 2.0.0.2, {arguments})") for arguments in ["unreachable, port", "timestamp-reply"]]
PUNTS = [Reach("ICMPIPEncap(1.0.0.1, 2.0.0.2, unreachable, port)", before=FULL)]
MISTAKES = {"ICMPIPEncap(1.0.0.1, 2.0.0.2, redirect, port)": "ICMP code", "ICMPIPEncap(1.0.0.1, 2.0.0.2, redirect, 256)": "out of range"}
