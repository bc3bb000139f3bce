"""A million flows."""

import struct

import pytest
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, udp
from tests.elements.running import running

FLOWS = 1_000_000
CONFIGURATION = """
    x :: IPRewriter(keep 0 1, drop, MAPPING_CAPACITY 1000000, UDP_GUARANTEE 1h);
    FromDevice(in0) -> Strip(14) -> MarkIPHeader -> [0] x; x[0] -> sent :: Counter -> Discard;
    FromDevice(in1) -> Strip(14) -> MarkIPHeader -> [1] x; x[1] -> back :: Counter -> Discard;
"""


@pytest.mark.whole
def test_a_million_flows_have_room():
    """With the table's promise: 64 bytes for each, 32 to 64 in the index, and every word of it where the kernel path looks."""
    with running(CONFIGURATION) as router:
        frame = bytearray(bytes(Ether() / udp("10.0.0.0", 1024)))
        for number in range(FLOWS):
            struct.pack_into(">I", frame, 26, 0x0A000000 | number >> 4)
            struct.pack_into(">H", frame, 34, 1024 + (number & 15))
            router.inject("in0", bytes(frame), settle=False)
        read = router.handlers.read
        assert (read("x", "size"), read("x", "mapping_failures"), read("sent", "count")) == (str(FLOWS), "0", str(FLOWS))
        assert router.views["x"]["vars"].outside == 0
        for state, least, most in (("flows", 64, 65), ("buckets", 32, 64)):
            view = router.views["x"][state]
            assert least * FLOWS <= len(view) * view._stride <= most * FLOWS * 1.05

        router.inject("in0", bytes(Ether() / udp("11.0.0.1", 1)))
        assert read("x", "mapping_failures") == "1"
        for number in range(0, FLOWS, 99_991):
            reply = udp(PEER, 53, f"10.{number >> 20}.{number >> 12 & 255}.{number >> 4 & 255}", 1024 + (number & 15))
            router.inject("in1", bytes(Ether() / reply))
        assert read("back", "count") == str(len(range(0, FLOWS, 99_991)))
