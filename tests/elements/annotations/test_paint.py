"""Paint: sets a byte of annotations, the paint by default."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize(("arguments", "offset", "value"), [("3", 16, 3), ("255, PAINT", 16, 255), ("7, 20", 20, 7), ("8, ANNO 47", 47, 8)])
def test_the_annotation_is_set(element, arguments, offset, value):
    x = element(f"Paint({arguments})")
    x.send(FRAME)
    assert x.expect(0, FRAME).carried.annotations == bytes(offset) + bytes([value]) + bytes(47 - offset)


CASES = [Case("Paint(3, 20)", before="Paint(9)", packets=500)]
