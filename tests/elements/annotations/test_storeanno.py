"""StoreAnno: a byte of the annotations goes into the packet."""

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


@pytest.mark.parametrize("arguments, offset", [("5", 5), ("63, PAINT", 63), ("OFFSET 0, ANNO 16", 0)])
def test_the_annotation_is_written(element, arguments, offset):
    x = element(f"StoreAnno({arguments})", before="Paint(200)")
    x.send(FRAME)
    x.expect(0, FRAME[:offset] + b"\xc8" + FRAME[offset + 1 :], PAINT=200)


def test_another_annotation(element):
    x = element("StoreAnno(2, 7)", before="Paint(1) -> Paint(99, 7)")
    x.send(FRAME)
    x.expect(0, FRAME[:2] + b"\x63" + FRAME[3:])


def test_packets_that_end_before_stay(element):
    x = element("StoreAnno(20)", before="Paint(1)")
    for length in (20, 15):
        x.send(FRAME[:length])
        x.expect(0, FRAME[:length])
    x.send(FRAME[:21])
    x.expect(0, FRAME[:20] + b"\1")


def test_or_grow(element):
    x = element("StoreAnno(20, GROW true)", before="Paint(1)")
    for length in (15, 20, 21, 64):
        x.send(FRAME[:length])
        x.expect(0, (FRAME[:length] + bytes(20))[:20] + b"\1" + FRAME[21:length])


def test_beyond_what_a_packet_can_be(element):
    x = element("StoreAnno(2147483647)")
    x.send(FRAME)
    x.expect(0, FRAME)
    x = element("StoreAnno(2147483647, GROW true)")
    x.send(FRAME)
    x.expect_nothing()
    assert x.dropped("NO_MEMORY") == 1


CASES = [
    Case(f"StoreAnno({arguments})", before="Paint(7, 3)", packets=500)
    for arguments in ["60, 3", "300, GROW true"]
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("StoreAnno(300, GROW true)")]
