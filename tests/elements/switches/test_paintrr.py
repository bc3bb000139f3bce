"""PaintRR: the colour modulo the number of outputs."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize("color, output", [(0, 0), (2, 2), (3, 0), (4, 1), (254, 2), (255, 0)])
def test_every_color_has_an_output(element, color, output):
    x = element("PaintRR", noutputs=3, before=f"Paint({color})")
    x.send(FRAME)
    x.expect(output, FRAME, PAINT=color)
    x.expect_nothing()


def test_another_annotation(element):
    x = element("PaintRR(20)", noutputs=3, before="Paint(1) -> Paint(5, 20)")
    x.send(FRAME)
    x.expect(2, FRAME)


def test_mistakes(refused):
    assert "output" in refused("PaintRR", outputs=0)


CASES = [Case("PaintRR", noutputs=3, before="Paint(200)")]
