"""ForceUDP: what is in an IP packet becomes a datagram that passes a receiver's checks (RFC 768)."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix


def datagram(data: bytes = b"data", fields=None, **udp) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / UDP(**{"sport": 1, "dport": 53, **udp}) / data


@pytest.mark.parametrize("length", [0, 1, 4, 5, 1460])
@pytest.mark.parametrize("arguments, port", [("53", 53), ("domain", 53), ("0", 0), ("DPORT 65535", 65535)])
def test_port_length_and_checksum(element, length, arguments, port):
    x = element(f"ForceUDP({arguments})", headers="ip")
    data = bytes(number & 0xFF for number in range(length))
    x.send(datagram(data, dport=7, len=3, chksum=3))
    x.expect(0, datagram(data, dport=port))


@pytest.mark.parametrize("arguments", ["", "-1"])
def test_random_ports(element, arguments):
    x = element(f"ForceUDP({arguments})", headers="ip")
    ports = set()
    for _ in range(50):
        x.send(datagram())
        data = x.expect(0).data
        ports.add(UDP(data[20:]).dport)
        assert data == bytes(datagram(dport=UDP(data[20:]).dport))
    assert max(ports) < 1024 and len(ports) > 30


def test_a_checksum_of_zero_is_sent_as_ones(element):
    """RFC 768: 0 means that there is none."""
    x = element("ForceUDP(53)", headers="ip")
    rest = 0xFFFF - (UDP(bytes(datagram(b"\0\0"))[20:]).chksum ^ 0xFFFF)
    x.send(datagram(rest.to_bytes(2, "big")))
    assert UDP(x.expect(0, datagram(rest.to_bytes(2, "big"), chksum=0xFFFF)).data[20:]).chksum == 0xFFFF


def test_checksum_does_not_count_options_or_padding(element):
    x = element("ForceUDP(53)", headers="ip")
    fields = {"options": [IPOption_NOP()] * 8}
    x.send(bytes(datagram(fields=fields, chksum=1)) + b"padding")
    x.expect(0, bytes(datagram(fields=fields)) + b"padding")


def test_a_length_beyond_the_packet_is_kept(element):
    """The checksum is right if what is missing is zeros."""
    x = element("ForceUDP(53)", headers="ip")
    x.send(bytes(datagram(bytes(100)))[:50])
    x.expect(0, bytes(datagram(bytes(100)))[:50])


def test_bad_lengths(element):
    x = element("ForceUDP(53)", headers="ip")
    for fields in ({"len": 27}, {"len": 10}, {"ihl": 4}, {"ihl": 9}):
        x.send(datagram(fields=fields))
    x.send(bytes(datagram())[:27])
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 5


CASES = [Case("ForceUDP(53)", headers="ip", mix=Mix(large=10))]
