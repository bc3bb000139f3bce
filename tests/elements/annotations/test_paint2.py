"""Paint2: sets two bytes of annotations."""

import sys

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


def test_both_bytes_are_set_and_can_be_changed(element):
    x = element("Paint2(513, 20)")
    for color in (513, 65535):
        x.write("color", str(color))
        x.send(FRAME)
        assert x.expect(0, FRAME).carried.annotations[20:24] == color.to_bytes(2, sys.byteorder) + bytes(2)


CASES = [Case("Paint2(700)", before="Paint(9, 20)", packets=200)]
MISTAKES = {"Paint2(65536)": "65535"}
