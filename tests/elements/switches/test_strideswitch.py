"""StrideSwitch: shares in proportion to tickets."""

import pytest
from tests.elements.strides import Stride

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def outputs(x, packets: int) -> list[int]:
    """The outputs that this many packets leave by."""
    for _ in range(packets):
        x.send(FRAME)
    left = [carried.input for carried, _ in x._waiting]
    x._waiting.clear()
    return left


@pytest.mark.parametrize("tickets", [(3, 1), (5, 0, 7, 7, 1), (32768, 1)])
def test_packets_go_as_stride_scheduling_says(element, tickets):
    x, model = element(f"StrideSwitch({', '.join(map(str, tickets))})", noutputs=len(tickets)), Stride(*tickets)
    assert outputs(x, 120) == [model.next() for _ in range(120)]


def test_shares_are_those_of_the_tickets(element):
    left = outputs(element("StrideSwitch(1, 2, 5)", noutputs=3), 160)
    assert all(abs(left.count(port) - 20 * share) <= 1 for port, share in enumerate((1, 2, 5)))


def test_tickets_can_be_written(element):
    x = element("StrideSwitch(1, 1)", noutputs=2)
    assert (x.read("tickets0"), x.read("tickets1"), x.read("config")) == ("1", "1", "1, 1")
    x.write("tickets0", 0)
    assert outputs(x, 3) == [1, 1, 1]
    x.write("tickets1", 0)
    assert outputs(x, 2) == [] and x.dropped("DISCARDED") == 2
    x.write("tickets0", 3)
    x.write("tickets1", 1)
    assert x.read("config") == "3, 1"
    left = outputs(x, 80)
    assert abs(left.count(0) - 60) <= 1


def test_an_output_that_comes_back_does_not_catch_up(element):
    x = element("StrideSwitch(1, 0)", noutputs=2)
    outputs(x, 50)
    x.write("tickets1", 1)
    left = outputs(x, 20)
    assert abs(left.count(1) - 10) <= 1


def test_too_many_tickets_become_32768(element, capfd):
    x = element("StrideSwitch(40000, 1)", noutputs=2)
    assert "reduced to 32768" in capfd.readouterr().err
    assert x.read("tickets0") == "32768"
    x.write("tickets1", 1 << 20)
    assert x.read("tickets1") == "32768"


def test_mistakes(element, refused):
    assert refused("StrideSwitch(1)", 2) == "StrideSwitch: need 2 arguments, one per output port"
    assert refused("StrideSwitch(-1, x)", 2).splitlines() == [
        "StrideSwitch: argument 0 (number of tickets) must be >= 0",
        "StrideSwitch: argument 1 should be number of tickets (integer)",
    ]
    x = element("StrideSwitch(1, 1)", noutputs=2)
    x.refuses("tickets0", -1, "must be >= 0")
    x.refuses("tickets0", "some", "integer")


CASES = [
    Case(f"StrideSwitch({tickets})", noutputs=tickets.count(",") + 1)
    for tickets in [", ".join(map(str, range(16))), ", ".join(map(str, range(17)))]
]
