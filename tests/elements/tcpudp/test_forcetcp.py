"""ForceTCP: what is in an IP packet becomes a segment that passes a receiver's checks (RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.punt import assert_punts_unchanged


def segment(length: int = 4, fields=None, **tcp) -> IP:
    data = bytes(number & 0xFF for number in range(length))
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / TCP(sport=1, **tcp) / data


def test_wrong_data_offsets_become_right_ones(element):
    x = element("ForceTCP", headers="ip")
    x.router.executor.runtime.seed(1)
    drawn = set()
    for number in range(100):
        x.send(segment(13, dataofs=4 if number % 2 else 9))
        data = x.expect(0).data
        found = TCP(data[20:])
        assert bytes(segment(13, dataofs=found.dataofs)) == data
        drawn.add(found.dataofs)
    assert drawn == {5, 6, 7, 8}


def test_random_ports(element):
    """Of eight packets the first two get port 80, the fourth one that is drawn, and the others none."""
    x = element("ForceTCP(0, true)", headers="ip")
    drawn = []
    for number in range(80):
        x.send(segment(dport=7777))
        port = TCP(x.expect(0).data[20:]).dport
        if number % 8 == 3:
            drawn.append(port)
        else:
            assert port == (80 if number % 8 < 2 else 7777)
    assert max(drawn) < 1024 and len(set(drawn)) > 5


CASES = [Case("ForceTCP(80, false, 2)", headers="ip", mix=Mix(transports=weights(tcp=9, udp=1), large=10))]


@pytest.mark.executors("bpf")
def test_the_kernel_does_what_is_not_drawn(executor):
    packets = [Ether() / segment(length) for length in (0, 1, 512, 1400)]
    assert assert_punts_unchanged("ForceTCP(80)", headers="ip", packets=packets).count == 0
    assert assert_punts_unchanged("ForceTCP(80)", headers="ip", packets=[Ether() / segment(9, dataofs=4)]).count == 1


TRIALS = {
    "ports flags and checksum": [
        Trial(f"ForceTCP({arguments})", headers="ip").gives(segment(length, dport=7, chksum=3), segment(length, **fields))
        for length in [0, 1, 4, 5, 1460]
        for arguments, fields in [
            ("", {"dport": 7}),
            ("80", {"dport": 80}),
            ("http, false, 2", {"dport": 80, "flags": 2}),
            ("FLAGS 0x110", {"dport": 7, "flags": 0x10}),
        ]
    ],
    "checksum does not count options or padding": Trial("ForceTCP", headers="ip")
        .gives(
            bytes(segment(fields={"options": [IPOption_NOP()] * 8}, chksum=1)) + b"padding",
            bytes(segment(fields={"options": [IPOption_NOP()] * 8})) + b"padding"
        ),
    "right data offsets stay": [Trial("ForceTCP", headers="ip").passes(segment(13, dataofs=given)) for given in range(5, 9)],
    "bad lengths": Trial("ForceTCP", headers="ip")
        .drops(
            *(segment(fields=fields) for fields in ({"len": 39}, {"len": 45}, {"len": 10}, {"ihl": 4}, {"ihl": 12})), reason="MALFORMED"
        )
        .drops(bytes(segment())[:39], reason="MALFORMED"),
}
