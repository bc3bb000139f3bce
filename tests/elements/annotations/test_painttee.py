"""PaintTee: packets of one colour leave twice."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


def test_pulled_packets_are_copied_too(router):
    r = router("FromDevice(eth0) -> Paint(1) -> Queue -> t :: PaintTee(1) -> ToDevice(eth1); t[1] -> Queue -> ToDevice(eth2);")
    r.forwards("eth0", FRAME, "eth1")
    r.expect("eth2", FRAME)


TRIALS = {
    "a copy of that colour leaves by output 1": Trial("PaintTee(5)", noutputs=2, before="Paint(5)")
        .send(FRAME).expect(1, FRAME, PAINT=5).expect(0, FRAME, PAINT=5).write("color", "6").passes(FRAME, PAINT=5).reads(color="6"),
}

CASES = [
    Case("PaintTee(5)", noutputs=2, before="Paint(5)", packets=500),
    Case("PaintTee(5)", noutputs=2, packets=500),
]

PUNTS = [Reach("PaintTee(5)", noutputs=2, before="Paint(5)")]
