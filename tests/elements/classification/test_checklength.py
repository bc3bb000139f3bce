"""CheckLength: up to a length, and beyond."""

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

UNREACHED = {"CheckLength": {"checklength.c: if (SELF(gives_up)(p, input)) return PUNT;": "only TC has packets joined of several"}}


@pytest.mark.parametrize("length, output", [(59, 0), (60, 0), (61, 1), (1500, 1)])
def test_longer_packets_leave_by_the_other_output(element, length, output):
    check = element("CheckLength(60)", noutputs=2)
    check.passes(bytes(length), output=output)


CASES = [Case("CheckLength(80)", noutputs=2, mix=Mix(large=20))]
