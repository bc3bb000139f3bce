"""ForceTCP: what is in an IP packet becomes a segment that passes a receiver's checks (RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.punt import assert_punts_unchanged


def segment(length: int = 4, fields=None, **tcp) -> IP:
    data = bytes(number & 0xFF for number in range(length))
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / TCP(sport=1, **tcp) / data


@pytest.mark.parametrize("length", [0, 1, 4, 5, 1460])
@pytest.mark.parametrize(
    "arguments, fields",
    [
        ("", {"dport": 7}),
        ("80", {"dport": 80}),
        ("http, false, 2", {"dport": 80, "flags": 2}),
        ("FLAGS 0x110", {"dport": 7, "flags": 0x10}),
    ],
)
def test_ports_flags_and_checksum(element, length, arguments, fields):
    x = element(f"ForceTCP({arguments})", headers="ip")
    x.send(segment(length, dport=7, chksum=3))
    x.expect(0, segment(length, **fields))


def test_checksum_does_not_count_options_or_padding(element):
    x = element("ForceTCP", headers="ip")
    fields = {"options": [IPOption_NOP()] * 8}
    x.send(bytes(segment(fields=fields, chksum=1)) + b"padding")
    x.expect(0, bytes(segment(fields=fields)) + b"padding")


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


@pytest.mark.parametrize("given", range(5, 9))
def test_right_data_offsets_stay(element, given):
    x = element("ForceTCP", headers="ip")
    x.send(segment(13, dataofs=given))
    x.expect(0, segment(13, dataofs=given))


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


def test_bad_lengths(element):
    x = element("ForceTCP", headers="ip")
    for fields in ({"len": 39}, {"len": 45}, {"len": 10}, {"ihl": 4}, {"ihl": 12}):
        x.send(segment(fields=fields))
    x.send(bytes(segment())[:39])
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 6


CASES = [Case("ForceTCP(80, false, 2)", headers="ip", mix=Mix(transports=weights(tcp=9, udp=1), large=10))]


@pytest.mark.executors("bpf")
def test_the_kernel_does_what_is_not_drawn(executor):
    packets = [Ether() / segment(length) for length in (0, 1, 512, 1400)]
    assert assert_punts_unchanged("ForceTCP(80)", headers="ip", packets=packets).count == 0
    assert assert_punts_unchanged("ForceTCP(80)", headers="ip", packets=[Ether() / segment(9, dataofs=4)]).count == 1
