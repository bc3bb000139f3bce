"""RoundRobinSwitch: one after the other."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize("outputs", [1, 4])
def test_outputs_take_turns_from_the_first(element, outputs):
    x = element("RoundRobinSwitch", noutputs=outputs)
    for number in range(2 * outputs + 1):
        x.send(FRAME)
        x.expect(number % outputs, FRAME)


def test_fewer_outputs_can_take_turns(element):
    """FastClick's argument and its handler; the next packet's output is chosen already."""
    x = element("RoundRobinSwitch(2, SPLITBATCH false)", noutputs=3)
    for output in (0, 1, 0, 1, 0):
        x.send(FRAME)
        x.expect(output, FRAME)
    assert x.read("max") == "2"
    x.write("max", "3")
    for output in (1, 2, 0):
        x.send(FRAME)
        x.expect(output, FRAME)
    x.write("max", "-1")
    assert x.read("max") == "3"
    with pytest.raises(ClickError, match="bad number of outputs 4"):
        x.write("max", "4")


def test_mistakes(refused):
    assert "bad number of outputs 2" in refused("RoundRobinSwitch(2)")
    assert "bad number of outputs 0" in refused("RoundRobinSwitch(0)")


CASES = [Case("RoundRobinSwitch", noutputs=3)]
