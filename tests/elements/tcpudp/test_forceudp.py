"""ForceUDP: what is in an IP packet becomes a datagram that passes a receiver's checks (RFC 768)."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix


def datagram(data: bytes = b"data", fields=None, **udp) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **(fields or {})}) / UDP(**{"sport": 1, "dport": 53, **udp}) / data


@pytest.mark.parametrize("length", [0, 1, 4, 5, 1460])
@pytest.mark.parametrize("arguments, port", [("53", 53), ("domain", 53), ("0", 0), ("DPORT 65535", 65535)])
def test_port_length_and_checksum(element, length, arguments, port):
    x = element(f"ForceUDP({arguments})", headers="ip")
    data = bytes(number & 0xFF for number in range(length))
    x.gives(datagram(data, dport=7, len=3, chksum=3), datagram(data, dport=port))


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


TRIALS = {
    "checksum does not count options or padding": Trial("ForceUDP(53)", headers="ip")
        .gives(
            bytes(datagram(fields={"options": [IPOption_NOP()] * 8}, chksum=1)) + b"padding",
            bytes(datagram(fields={"options": [IPOption_NOP()] * 8})) + b"padding"
        ),
    # The checksum is right if what is missing is zeros.
    "a length beyond the packet is kept": Trial("ForceUDP(53)", headers="ip").passes(bytes(datagram(bytes(100)))[:50]),
    "bad lengths": Trial("ForceUDP(53)", headers="ip")
        .drops(*(datagram(fields=fields) for fields in ({"len": 27}, {"len": 10}, {"ihl": 4}, {"ihl": 9})), reason="MALFORMED")
        .drops(bytes(datagram())[:27], reason="MALFORMED"),
}

CASES = [Case("ForceUDP(53)", headers="ip", mix=Mix(large=10))]
