"""IPGWOptions: Record Route and Timestamp (RFC 791, 3.1; RFC 1812, 4.2.2.2 and 5.2.4.2)."""

import pytest
from scapy.layers.inet import ICMP, IP

from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.packets import Mix, generate

ME, OTHER, ELSEWHERE = bytes([9, 8, 7, 6]), bytes([10, 0, 0, 1]), bytes([1, 1, 1, 1])
ELEMENT = "IPGWOptions(9.8.7.6, 10.0.0.1 10.0.2.1)"
#: 1970-01-02 03:04:05.678 UT, and the milliseconds of that day.
NOW = (86400 + 11045) * 10**9 + 678 * 10**6
TIME = (11045678).to_bytes(4, "big")
FREE = bytes(4)
NOP, END = b"\x01", b"\x00"


def packet(options: bytes) -> bytes:
    """An echo request with these bytes, padded to words, as its options."""
    options += bytes(-len(options) % 4)
    start = bytes(IP(src="10.0.0.2", dst="10.0.1.2", ihl=5 + len(options) // 4, len=28 + len(options), proto=1, chksum=0))
    header = start + options
    total = sum(int.from_bytes(header[i : i + 2], "big") for i in range(0, len(header), 2))
    total = (total & 0xFFFF) + (total >> 16)
    header = header[:10] + (~(total + (total >> 16)) & 0xFFFF).to_bytes(2, "big") + header[12:]
    return header + bytes(ICMP())


def route(pointer: int, *places: bytes) -> bytes:
    return bytes([7, 3 + 4 * len(places), pointer]) + b"".join(places)


def times(pointer: int, overflow_and_flag: int, *places: bytes) -> bytes:
    return bytes([68, 4 + 4 * len(places), pointer, overflow_and_flag]) + b"".join(places)


FILLED = {
    "no options": (b"", b""),
    "first place of a route": (route(4, FREE, FREE), route(8, ME, FREE)),
    "last place of a route": (route(8, ELSEWHERE, FREE), route(12, ELSEWHERE, ME)),
    "full route": (route(8, ELSEWHERE), route(8, ELSEWHERE)),
    "route after others": (NOP + b"\x82\x03\x07" + route(4, FREE), NOP + b"\x82\x03\x07" + route(8, ME)),
    "source routes are not for us": (b"\x83" + route(4, ELSEWHERE)[1:], b"\x83" + route(4, ELSEWHERE)[1:]),
    "nothing after the end": (END + route(4, FREE), END + route(4, FREE)),
    "time": (times(5, 0x00, FREE, FREE), times(9, 0x00, TIME, FREE)),
    "time overflows": (times(9, 0x20, TIME), times(9, 0x30, TIME)),
    "address and time": (times(5, 0x01, FREE, FREE), times(13, 0x01, ME, TIME)),
    "address and time overflow": (times(9, 0xE1, FREE, FREE), times(9, 0xF1, FREE, FREE)),
    "time of my address": (times(5, 0x03, ME, FREE), times(13, 0x03, ME, TIME)),
    "time of my other address": (times(5, 0x03, OTHER, FREE), times(13, 0x03, OTHER, TIME)),
    "time of another's address": (times(5, 0x03, ELSEWHERE, FREE), times(5, 0x03, ELSEWHERE, FREE)),
    "both": (route(4, FREE) + times(5, 0, FREE), route(8, ME) + times(9, 0, TIME)),
}

#: Options -> the offset in the header of the wrong byte.
MALFORMED = {
    "length 0": (b"\x07\x00", 21),
    "length 1": (NOP + b"\x94\x01", 22),
    "longer than the header": (b"\x82\x05\x00\x00", 21),
    "no length": (NOP * 3 + b"\x07", 24),
    "pointer before the route": (route(3, FREE), 22),
    "pointer between places": (route(6, FREE), 22),
    "pointer beyond the route": (route(9, FREE), 22),
    "pointer before the times": (times(4, 0, FREE), 22),
    "unknown flag": (times(5, 2, FREE, FREE), 23),
    "no more overflows": (times(9, 0xF0, TIME), 23),
    "no room for a prescribed time": (times(9, 3, ME, FREE), 23),
    "after others": (NOP * 4 + times(5, 2, FREE, FREE), 27),
}


@pytest.fixture
def gateway(element):
    made = element(ELEMENT, noutputs=2, headers="ip-checked")
    made.router.executor.runtime.set_clock(NOW)
    return made


def test_options_are_filled_in(gateway):
    for before, after in FILLED.values():
        gateway.send(packet(before))
        gateway.expect(0, packet(after), ICMP_PARAMPROB=0)
    assert gateway.read("drops") == "0"


def test_malformed_options_are_told(gateway):
    for options, wrong in MALFORMED.values():
        gateway.send(packet(options))
        gateway.expect(1, packet(options), ICMP_PARAMPROB=wrong)
    assert gateway.read("drops") == str(len(MALFORMED))


def test_executors_agree():
    """But for times, which pass between one executor's run and the other's."""
    mix = Mix(options=60)
    packets = [("in0", p) for p in generate(3000, 1, mix) if len(p) >= 60 and 68 not in p[34:74]]
    assert_element_equivalent(ELEMENT, noutputs=2, headers="ip-checked", packets=packets, handlers=["x.*"])
