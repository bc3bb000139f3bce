"""Tee: a copy for every output, annotations included."""

import pytest

from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.punt import assert_punts_unchanged

FRAME = bytes(range(64))


def test_every_output_gets_the_packet_in_order(element):
    x = element("Tee(3)", noutputs=3, before="Paint(9)")
    x.send(FRAME)
    for output in range(3):
        x.expect(output, FRAME, PAINT=9)
    x.expect_nothing()


def test_copies_are_independent(router):
    r = router("FromDevice(eth0) -> t :: Tee -> Strip(1) -> Queue -> ToDevice(eth1); t[1] -> Queue -> ToDevice(eth2);")
    r.forwards("eth0", FRAME, "eth1", FRAME[1:])
    r.expect("eth2", FRAME)


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_element_equivalent("Tee", noutputs=2, packets=300)
    assert_punts_unchanged("Tee", noutputs=2, packets=100)


MISTAKES = {"Tee(3)": ["Tee: outputs 1 to 2 are not connected: N is 3"], "Tee(0)": ["Tee: output 0 is connected, but N is 0"]}
