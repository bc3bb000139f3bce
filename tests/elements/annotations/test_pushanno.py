"""PushAnno and ReadAnno: all annotations in front of a packet, as Click lays them out."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

FRAME = bytes(range(60))
#: PAINT 7 at 16, a byte at 47.
ANNOTATIONS = bytes([10, 0, 0, 1, *bytes(12), 7, *bytes(30), 9])

TRIALS = {
    "annotations become bytes": Trial("PushAnno", before="SetIPAddress(10.0.0.1) -> Paint(7) -> SetAnnoByte(47, 9)")
        .gives(FRAME, ANNOTATIONS + FRAME, PAINT=7),
    "bytes become annotations": Trial("ReadAnno", before="Paint(1)")
        .passes(ANNOTATIONS + FRAME, PAINT=7, DST_IP=0x0A000001).drops(FRAME[:47], reason="MALFORMED"),
}

CASES = [Case("PushAnno", packets=100), Case("ReadAnno", packets=100)]
PUNTS = [Reach("PushAnno", before=FULL)]
