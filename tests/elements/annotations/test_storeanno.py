"""StoreAnno: a byte of the annotations goes into the packet."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))

TRIALS = {
    "the annotation is written": [
        Trial(f"StoreAnno({arguments})", before="Paint(200)").gives(FRAME, FRAME[:offset] + b"\xc8" + FRAME[offset + 1 :], PAINT=200)
        for arguments, offset in [("5", 5), ("63, PAINT", 63), ("OFFSET 0, ANNO 16", 0)]
    ],
    "another annotation": Trial("StoreAnno(2, 7)", before="Paint(1) -> Paint(99, 7)").gives(FRAME, FRAME[:2] + b"\x63" + FRAME[3:]),
    "packets that end before stay": Trial("StoreAnno(20)", before="Paint(1)")
        .passes(*(FRAME[:length] for length in (20, 15))).gives(FRAME[:21], FRAME[:20] + b"\1"),
    "or grow": Trial("StoreAnno(20, GROW true)", before="Paint(1)")
        .each((FRAME[:length], (FRAME[:length] + bytes(20))[:20] + b"\1" + FRAME[21:length]) for length in (15, 20, 21, 64)),
    "beyond what a packet can be": [
        Trial("StoreAnno(2147483647)").passes(FRAME),
        Trial("StoreAnno(2147483647, GROW true)").drops(FRAME, reason="NO_MEMORY"),
    ],
}

CASES = [
    Case(f"StoreAnno({arguments})", before="Paint(7, 3)", packets=500)
    for arguments in ["60, 3", "300, GROW true"]
]

PUNTS = [Reach("StoreAnno(300, GROW true)")]
