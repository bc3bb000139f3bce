"""CheckPaint: packets of one colour pass."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_pulled_packets_of_others_are_pushed_to_output_1(router):
    r = router("FromDevice(eth0) -> Queue -> c :: CheckPaint(1) -> ToDevice(eth1); c[1] -> Queue -> ToDevice(eth2);")
    r.forwards("eth0", FRAME, "eth2")
    r.expect_nothing()


TRIALS = {
    "others leave by output 1": Trial("CheckPaint(5)", noutputs=2, before="Paint(5)")
        .passes(FRAME, PAINT=5).write("color", "6").passes(FRAME, output=1, PAINT=5).reads(color="6"),
}

CASES = [Case("CheckPaint(1)", noutputs=2, packets=500)]
