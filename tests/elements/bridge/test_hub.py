"""Hub: everywhere but back."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize("ports", [2, 4])
def test_copies_leave_by_all_other_ports(element, ports):
    x = element("Hub", ninputs=ports, noutputs=ports, before="Paint(9)")
    for arrival in range(ports):
        x.send(FRAME, arrival)
        for output in set(range(ports)) - {arrival}:
            x.expect(output, FRAME, PAINT=9)
        x.expect_nothing()


def test_one_port_alone_drops(element):
    x = element("Hub")
    x.drops(FRAME)
    assert x.dropped("DISCARDED") == 1


CASES = [Case("Hub", ninputs=2, noutputs=2, packets=500)]
