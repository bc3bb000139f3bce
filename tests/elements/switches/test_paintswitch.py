"""PaintSwitch: the colour is the output."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


def test_color_255_goes_everywhere(element):
    x = element("PaintSwitch(ANNO 20)", noutputs=3, before="Paint(255, 20)")
    x.send(FRAME)
    for output in range(3):
        assert x.expect(output, FRAME).carried.annotations[20] == 255
    x.expect_nothing()


TRIALS = {
    "the color names the output": [
        Trial("PaintSwitch", noutputs=3, before=f"Paint({color})").passes(FRAME, output=color, PAINT=color)
        for color in [0, 2]
    ],
    "a color without an output is dropped": [
        Trial("PaintSwitch", noutputs=3, before=f"Paint({color})").drops(FRAME, reason="DISCARDED")
        for color in [3]
    ],
}

CASES = [Case("PaintSwitch", noutputs=2, before=f"Paint({color})") for color in [1, 255]]
PUNTS = [Reach("PaintSwitch", noutputs=2, before="Paint(255)")]
