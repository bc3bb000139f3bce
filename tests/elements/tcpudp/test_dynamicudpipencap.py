"""DynamicUDPIPEncap: UDPIPEncap whose ports go up by one after every INTERVAL packets."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach


@pytest.mark.parametrize("interval", [0, 1, 3])
def test_the_ports_go_up(element, interval):
    encap = element(f"DynamicUDPIPEncap(1.0.0.1, 65533, 2.0.0.2, 7, true, {interval})")
    for number in range(10):
        step = number // interval if interval else 0
        encap.send(b"x" * 60)
        headers = IP(src="1.0.0.1", dst="2.0.0.2", ttl=250, id=number) / UDP(sport=(65533 + step) % 65536, dport=7 + step)
        encap.expect(0, headers / (b"x" * 60), DST_IP=0x02000002)


CASES = [Case("DynamicUDPIPEncap(1.0.0.1, 65533, 2.0.0.2, 7, INTERVAL 100)")]
PUNTS = [Reach("DynamicUDPIPEncap(1.0.0.1, 1234, 2.0.0.2, 1234)", before=FULL)]
