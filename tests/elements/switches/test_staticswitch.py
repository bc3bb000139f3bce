"""StaticSwitch: one output for all."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize("output", [0, 2])
def test_packets_leave_by_one_output(element, output):
    x = element(f"StaticSwitch({output})", noutputs=3)
    x.send(FRAME)
    x.expect(output, FRAME)


@pytest.mark.parametrize("output", [-1, 3])
def test_an_output_that_is_not_there_drops(element, output):
    x = element(f"StaticSwitch({output})", noutputs=3)
    x.send(FRAME)
    x.expect_nothing()
    assert x.dropped("DISCARDED") == 1


CASES = [Case("StaticSwitch(1)", noutputs=2)]
