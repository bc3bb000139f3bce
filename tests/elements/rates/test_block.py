"""Block: what the forward rate annotation says, against a threshold."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(64)


def of_rate(element, rate: int):
    """Packets with that forward rate annotation: a Block after what writes its four bytes."""
    paints = " -> ".join(f"Paint({byte}, {20 + at})" for at, byte in enumerate(rate.to_bytes(4, "little", signed=True)))
    return element("Block(500)", noutputs=2, before=paints)


@pytest.mark.parametrize("rate, output", [(500, 0), (501, 1), (-1, 0)])
def test_the_threshold_divides(element, rate, output):
    x = of_rate(element, rate)
    x.send(FRAME)
    x.expect(output, FRAME)


def test_the_threshold_can_be_written_and_0_is_none(element):
    x = of_rate(element, 501)
    x.write("thresh", 501)
    x.send(FRAME)
    x.expect(0, FRAME)
    x.write("thresh", -5)
    x.send(FRAME)
    x.expect(1, FRAME)
    x.write("thresh", 0)
    x.send(FRAME)
    x.expect(0, FRAME)
    assert x.read("thresh") == "0"
    with pytest.raises(Exception, match="not an integer"):
        x.write("thresh", "much")


CASES = [Case("Block(7)", noutputs=2, before="Paint(9, 20)", writes=[("x.thresh", "8")])]
