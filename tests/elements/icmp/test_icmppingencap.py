"""ICMPPingEncap: echo requests (RFC 792)."""

import pytest
from scapy.layers.inet import ICMP, IP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import FULL, Reach


def ping(data: bytes, number: int, identifier: int = 0, **fields) -> IP:
    outer = IP(**{"src": "1.0.0.1", "dst": "2.0.0.2", "ttl": 255, "id": number, **fields})
    return outer / ICMP(id=identifier, seq=number) / data


@pytest.mark.parametrize("length", [0, 1, 2, 3, 56, 1472, 3000])
def test_every_length(element, length):
    encap = element("ICMPPingEncap(1.0.0.1, 2.0.0.2, IDENTIFIER 513)", before="Strip(20)")
    data = bytes(3 * at & 0xFF for at in range(length))
    for number in (1, 2, 3):
        encap.send(bytes(20) + data)
        carried = encap.expect(0, ping(data, number, 513), DST_IP=0x02000002).carried
        assert (carried.network, carried.transport) == (0, 20)


@pytest.mark.executors("native")
def test_there_is_no_number_zero(element):
    encap = element("ICMPPingEncap(1.0.0.1, 2.0.0.2)")
    instance = encap.router.executor.runtime.instances["x"]
    instance.state.vars.number = 65534
    for number in (65535, 1, 2):
        encap.gives(b"x" * 60, ping(b"x" * 60, number))


CASES = [Case("ICMPPingEncap(1.0.0.1, 2.0.0.2)", mix=Mix(large=20))]
PUNTS = [Reach("ICMPPingEncap(1.0.0.1, 2.0.0.2)", before=FULL)]
