"""Programs that are run many times on a packet find it as it was each time."""

from contextlib import ExitStack
from functools import partial

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.bench.anchor import Handwritten, sent
from tests.bench.loaded import REDIRECT
from tests.bench.repeated import repeated

NEXT_MAC = "02:00:00:00:21:02"
FRAME = bytes(Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src="10.0.0.2", dst="10.0.1.2", ttl=9) / UDP() / bytes(22))


@pytest.mark.needs("root", "clang-19")
def test_each_run_finds_the_packet_as_it_was():
    """With a TTL of 9 the last of twelve would not be forwarded."""
    with ExitStack() as undo:
        handwritten = Handwritten(undo, {"twelve": partial(repeated, program="handwritten0", frame=FRAME, times=12)})
        handwritten.know(1, "10.0.1.2", NEXT_MAC)
        verdict, frame = sent(handwritten.runs["twelve"], FRAME)
        assert handwritten.counts() == [12, 0, 0, 12]
    after = Ether(frame)
    assert verdict == REDIRECT and (after.dst, after.ttl) == (NEXT_MAC, 8)


def test_a_program_that_is_not_there():
    with pytest.raises(ValueError, match="no program other"):
        repeated("", "run", "other", FRAME, 1)
