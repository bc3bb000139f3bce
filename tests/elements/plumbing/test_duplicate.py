"""Duplicate: a packet for every output, none of which knows of the others."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(60))


@pytest.mark.parametrize("arguments", ["", "2", "DATA_ONLY false"])
def test_every_output_gets_the_packet(element, arguments):
    x = element(f"Duplicate({arguments})", noutputs=2, before="Paint(3)")
    x.send(FRAME)
    for port in range(2):
        x.expect(port, FRAME, PAINT=3)
    x.expect_nothing()


def test_a_copy_can_be_changed_alone(router):
    running = router(
        "FromDevice(eth0) -> d :: Duplicate; d[0] -> StoreData(0, xyz) -> Queue -> ToDevice(eth1); d[1] -> Queue -> ToDevice(eth2)"
    )
    running.forwards("eth0", FRAME, "eth1", b"xyz" + FRAME[3:])
    running.expect("eth2", FRAME)


CASES = [Case("Duplicate", noutputs=2)]
MISTAKES = {("Duplicate(3)", 2): "output 2 is not connected: N is 3"}
