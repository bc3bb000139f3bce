"""PaintSwitch: the colour is the output."""

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


@pytest.mark.parametrize("color", [0, 2])
def test_the_color_names_the_output(element, color):
    x = element("PaintSwitch", noutputs=3, before=f"Paint({color})")
    x.send(FRAME)
    x.expect(color, FRAME, PAINT=color)
    x.expect_nothing()


@pytest.mark.parametrize("color", [3])
def test_a_color_without_an_output_is_dropped(element, color):
    x = element("PaintSwitch", noutputs=3, before=f"Paint({color})")
    x.send(FRAME)
    x.expect_nothing()
    assert x.dropped("DISCARDED") == 1


def test_color_255_goes_everywhere(element):
    x = element("PaintSwitch(ANNO 20)", noutputs=3, before="Paint(255, 20)")
    x.send(FRAME)
    for output in range(3):
        assert x.expect(output, FRAME).carried.annotations[20] == 255
    x.expect_nothing()


CASES = [Case("PaintSwitch", noutputs=2, before=f"Paint({color})") for color in [1, 255]]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("PaintSwitch", noutputs=2, before="Paint(255)")]
