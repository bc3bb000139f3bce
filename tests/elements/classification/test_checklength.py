"""CheckLength: up to a length, and beyond."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

UNREACHED = {"CheckLength": {"checklength.c: if (SELF(gives_up)(p, input)) return PUNT;": "only TC has packets joined of several"}}


@pytest.mark.parametrize("length, output", [(59, 0), (60, 0), (61, 1), (1500, 1)])
def test_longer_packets_leave_by_the_other_output(element, length, output):
    check = element("CheckLength(60)", noutputs=2)
    check.send(bytes(length))
    check.expect(output, bytes(length))


def test_or_are_dropped(element):
    check = element("CheckLength(100)")
    check.send(bytes(101))
    check.expect_nothing()
    assert check.dropped("FILTERED") == 1


def test_the_length_can_change(element):
    check = element("CheckLength(0)", noutputs=2)
    check.write("length", "70")
    check.send(bytes(70))
    check.expect(0, bytes(70))
    with pytest.raises(ClickError):
        check.write("length", "-1")
    assert check.read("length") == "70"


CASES = [Case("CheckLength(80)", noutputs=2, mix=Mix(large=20))]
