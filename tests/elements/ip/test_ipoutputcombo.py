"""IPOutputCombo: the same as DropBroadcasts, PaintTee, IPGWOptions, FixIPSrc, DecIPTTL and CheckLength."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.reach import Reach

COMBO = "IPOutputCombo(2, 10.0.9.1, 100)"


def test_broadcasts_are_dropped(element):
    x = element(COMBO, noutputs=5, headers="ip-checked", before="Paint(2) -> SetPacketType(BROADCAST)")
    x.drops(IP() / UDP())
    assert x.dropped("FILTERED") == 1


CASES = [Case(COMBO, noutputs=5, headers="ip", mix=Mix(options=15, large=10))]


@pytest.mark.executors("bpf")
def test_handovers(executor):
    plain = Mix(options=0, wrong=0, damaged=0, links=weights(ethernet=1), contents=weights(ipv4=1))
    assert assert_punts_unchanged(COMBO, noutputs=5, headers="ip", packets=300, mix=plain).count == 0
    assert assert_punts_unchanged(COMBO, noutputs=5, headers="ip", before="Paint(2)", packets=300).count > 100


PUNTS = [Reach(COMBO, noutputs=5, headers="ip", before="Paint(2)")]
