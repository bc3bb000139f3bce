"""RoundRobinSwitch: one after the other."""

import pytest

from clickbpf.testing.equivalence import assert_element_equivalent

FRAME = bytes(range(64))


@pytest.mark.parametrize("outputs", [1, 4])
def test_outputs_take_turns_from_the_first(element, outputs):
    x = element("RoundRobinSwitch", noutputs=outputs)
    for number in range(2 * outputs + 1):
        x.send(FRAME)
        x.expect(number % outputs, FRAME)


def test_it_takes_no_arguments(refused):
    assert "too many arguments" in refused("RoundRobinSwitch(1)")


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_element_equivalent("RoundRobinSwitch", noutputs=3)
