"""HTTPResponder: one response for all requests, by segments as RFC 9293 has them, on all executors."""

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights

GET = b"GET / HTTP/1.1\r\nHost: 10.0.1.2\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n"
HEAD = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"

CASES = [Case("HTTPResponder", noutputs=2, headers="ip", mix=Mix(transports=weights(tcp=8, udp=1), large=10))]

PLACED = "httpresponder.c: if (!exchange_answer(p, x, before)) return PUNT;"
UNREACHED = {"HTTPResponder": {PLACED: "it takes a request with the number of an answer, as in test_a_long_response"}}


def segment(flags: str, data: bytes = b"", seq: int = 1000, ack: int = 0, **fields) -> IP:
    return IP(src="10.0.0.2", dst="10.0.1.2") / TCP(sport=5000, dport=80, flags=flags, seq=seq, ack=ack, **fields) / data


def answer(flags: str, data: bytes = b"", seq: int = 0, ack: int = 0) -> IP:
    tcp = TCP(sport=80, dport=5000, flags=flags, seq=seq, ack=ack, window=65535)
    return IP(src="10.0.1.2", dst="10.0.0.2", flags="DF", id=0) / tcp / data


@pytest.fixture
def responder(element):
    return element('HTTPResponder(503, "down\\n")', noutputs=2, headers="ip-checked", simtime=True)


def begin(x, flags: str = "S", **fields) -> int:
    """The sequence number that the answer to a SYN has."""
    x.send(segment(flags, **fields))
    seen = IP(x.expect(0).data)
    assert bytes(seen) == bytes(answer("SA", seq=seen[TCP].seq, ack=1001))
    return seen[TCP].seq + 1


@pytest.mark.parametrize("method, content", [(b"GET", b"down\n"), (b"HEAD", b"")])
def test_a_request_is_answered(responder, method, content):
    request = method + GET[3:]
    # Who sends it offers ECN (RFC 3168, 6.1.1).
    ack = begin(responder, "SEC", options=[("MSS", 1460), ("SAckOK", b""), ("Timestamp", (1, 0)), ("NOP", None), ("WScale", 7)])
    assert ack == begin(responder)
    responder.gives(segment("A", seq=1001, ack=ack), output=1)
    for _ in range(2):
        responder.send(segment("PA", request, seq=1001, ack=ack))
        responder.expect(0, answer("FPA", HEAD + content, seq=ack, ack=1001 + len(request)), DST_IP=0x0A000002)
    responder.send(segment("FA", seq=1001 + len(request), ack=ack + len(HEAD + content) + 1))
    responder.expect(0, answer("A", seq=ack + len(HEAD + content) + 1, ack=1002 + len(request)))


def test_what_is_no_request_of_a_connection_is_reset(responder):
    ack = begin(responder)
    for data, number in ((GET, ack + 1), (GET, 77), (b"POST / HTTP/1.1\r\n\r\n", ack), (b"x", ack)):
        responder.gives(segment("PA", data, seq=1001, ack=number), answer("R", seq=number))


def test_a_number_is_good_for_two_minutes_at_most_and_for_one_connection(responder):
    ack = begin(responder)
    responder.router.advance(60)
    responder.send(segment("PA", GET, seq=1001, ack=ack))
    assert b"503" in responder.expect(0).data
    responder.send(segment("PA", GET, seq=1001, ack=ack ^ 1))
    assert b"503" not in responder.expect(0).data
    other = segment("PA", GET, seq=1001, ack=ack)
    other[TCP].sport = 5001
    responder.send(other)
    assert b"503" not in responder.expect(0).data
    responder.router.advance(80)
    responder.send(segment("PA", GET, seq=1001, ack=ack))
    assert b"503" not in responder.expect(0).data
    assert begin(responder) != ack


def test_a_long_response(element):
    """There is no room for it in front of the packet in the kernel."""
    x = element(f'HTTPResponder(200, "{"y" * 1000}")', noutputs=2, headers="ip-checked", simtime=True)
    ack = begin(x)
    x.send(segment("PA", GET, seq=1001, ack=ack))
    assert IP(x.expect(0).data)[TCP].payload.load.endswith(b"\r\n\r\n" + b"y" * 1000)


@pytest.mark.parametrize("flags", ["A", "R", "RA", "SF", "SA", ""])
def test_what_needs_no_answer(responder, flags):
    responder.passes(segment(flags), output=1)


def test_the_ethernet_header_stays_in_front(router):
    r = router("FromDevice(in0) -> CheckIPHeader(14) -> HTTPResponder(200) -> EtherMirror -> Queue -> ToDevice(out0);")
    r.send("in0", Ether(src="2:2:2:2:2:2", dst="2:2:2:2:2:1") / segment("S", options=[("MSS", 1460)]))
    seen = r.expect("out0")
    assert (seen.src, seen.dst, seen[TCP].flags, len(seen)) == ("02:02:02:02:02:01", "02:02:02:02:02:02", "SA", 54)


def test_a_redirection_has_a_location(element):
    x = element('HTTPResponder(308, LOCATION "https://10.0.1.2/new")', noutputs=2, headers="ip-checked", simtime=True)
    x.send(segment("PA", GET, seq=1001, ack=begin(x)))
    assert b"308 Permanent Redirect\r\nLocation: https://10.0.1.2/new\r\nContent" in x.expect(0).data


MISTAKES = {
    f'HTTPResponder(200, "{"x" * 1200}")': "the response has more than 1200 bytes",
    'HTTPResponder(301, LOCATION "/a b")': "a URI consists of printable ASCII characters",
}
