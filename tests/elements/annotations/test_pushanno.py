"""PushAnno and ReadAnno: all annotations in front of a packet, as Click lays them out."""

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

FRAME = bytes(range(60))
#: PAINT 7 at 16, a byte at 47.
ANNOTATIONS = bytes([10, 0, 0, 1, *bytes(12), 7, *bytes(30), 9])


def test_annotations_become_bytes(element):
    x = element("PushAnno", before="SetIPAddress(10.0.0.1) -> Paint(7) -> SetAnnoByte(47, 9)")
    x.send(FRAME)
    x.expect(0, ANNOTATIONS + FRAME, PAINT=7)


def test_bytes_become_annotations(element):
    x = element("ReadAnno", before="Paint(1)")
    x.send(ANNOTATIONS + FRAME)
    x.expect(0, ANNOTATIONS + FRAME, PAINT=7, DST_IP=0x0A000001)
    x.send(FRAME[:47])
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 1


CASES = [Case("PushAnno", packets=100), Case("ReadAnno", packets=100)]
PUNTS = [Reach("PushAnno", before=FULL)]
