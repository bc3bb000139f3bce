"""Switch: one output for all, changed by a handler."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_packets_leave_by_the_output_that_was_written_last(element):
    x = element("Switch", noutputs=3)
    for output in (0, 2, 1):
        x.write("switch", output)
        x.passes(FRAME, output=output)
        assert x.read("switch") == x.read("config") == str(output)


@pytest.mark.parametrize("written, read", [("-1", "-1"), ("-7", "-7"), ("3", "-1"), ("99", "-1")])
def test_an_output_that_is_not_there_drops(element, written, read):
    x = element("Switch(1)", noutputs=3)
    x.write("switch", written)
    x.drops(FRAME)
    assert (x.read("switch"), x.dropped("DISCARDED")) == (read, 1)


def test_mistakes(element, refused):
    assert refused("Switch(2)", 2) == "Switch: output must be < 2"
    x = element("Switch(1)", noutputs=2)
    x.refuses("switch", "first", "Switch output must be integer")
    assert x.read("switch") == "1"


CASES = [Case(f"Switch({output})", noutputs=2) for output in [1, -1]]
