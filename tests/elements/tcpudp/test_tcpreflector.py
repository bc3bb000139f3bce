"""TCPReflector: answers as RFC 9293 has them (3.5, 3.6, 3.10.7)."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP

from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.packets import generate
from clickbpf.testing.packets.mix import Mix, weights


def segment(flags: str, data: bytes = b"", seq: int = 1000, ack: int = 2000, **ip) -> IP:
    return IP(src="10.0.0.2", dst="10.0.1.2", **ip) / TCP(sport=5, dport=80, flags=flags, seq=seq, ack=ack) / data


def answer(flags: str, data: bytes = b"", seq: int = 2000, ack: int = 1000, **ip) -> IP:
    tcp = TCP(sport=80, dport=5, flags=flags, seq=seq, ack=ack, window=61440)
    return IP(src="10.0.1.2", dst="10.0.0.2", ttl=250, **ip) / tcp / data


@pytest.mark.parametrize("options", [0, 4])
@pytest.mark.parametrize(
    "flags, data, reply, ack",
    [("A", b"data", "A", 1004), ("PA", b"odd", "A", 1003), ("FA", b"", "FA", 1001), ("FPA", b"last", "FA", 1005)],
)
def test_data_and_fin_are_acknowledged(element, flags, data, reply, ack, options):
    ip = {"options": [IPOption_NOP()] * options}
    x = element("TCPReflector", headers="ip-checked")
    x.gives(segment(flags, data, **ip), answer(reply, data, ack=ack, **ip), DST_IP=0x0A000002)


def test_a_connection_is_accepted(element):
    x = element("TCPReflector", headers="ip-checked")
    numbers = set()
    for _ in range(3):
        x.send(segment("S", seq=0xFFFFFFFF))
        seen = IP(x.expect(0).data)
        numbers.add(seen[TCP].seq)
        assert bytes(seen) == bytes(answer("SA", seq=seen[TCP].seq, ack=0))
    assert len(numbers) > 1


@pytest.mark.parametrize("flags", ["A", "R", "RA", "SF", "SA", ""])
def test_what_needs_no_answer_is_dropped(element, flags):
    x = element("TCPReflector", headers="ip")
    x.drops(segment(flags), bytes(segment("A"))[:20])
    assert (x.dropped("FILTERED"), x.dropped("MALFORMED")) == (1, 1)


def is_syn(frame: bytes) -> bool:
    """Whether the byte that the IP header length makes the flags is SYN, with or without PSH."""
    flags = 14 + (frame[14] & 15) * 4 + 13 if len(frame) > 14 else 0
    return flags < len(frame) and frame[flags] & ~8 == 2


def test_executors_agree():
    """But for SYN, whose answer is random."""
    mix = Mix(transports=weights(tcp=8, udp=1), links=weights(ethernet=1), large=10)
    packets = [packet for packet in generate(3500, 1, mix) if len(packet) >= 14 and not is_syn(packet)]
    assert len(packets) > 2000
    assert_element_equivalent("TCPReflector", before="Strip(14)", packets=packets)
