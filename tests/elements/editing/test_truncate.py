"""Truncate: packets keep their first bytes; what they lose is noted."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))

TRIALS = {
    "longer packets lose their end": Trial("Truncate(40)").gives(FRAME, FRAME[:40], EXTRA_LENGTH=24).passes(FRAME[:40], EXTRA_LENGTH=0),
    "what is lost adds up": Trial("Truncate(20)", before="Truncate(50)").gives(FRAME, FRAME[:20], EXTRA_LENGTH=44),
    "the length can be written and the annotation left alone": Trial("Truncate(40, EXTRA_LENGTH false)")
        .write("nbytes", 5).reads(nbytes="5").gives(FRAME, FRAME[:5], EXTRA_LENGTH=0).write("nbytes", 0).gives(FRAME, b""),
    "what was cut off is out of reach": [
        Trial("Classifier(29/61, -)", noutputs=2, before="Truncate(30)").gives(b"a" * 64, b"a" * 30),
        Trial("Classifier(30/61, -)", noutputs=2, before="Truncate(30)").gives(b"a" * 64, b"a" * 30, output=1),
    ],
}

CASES = [
    # 14 bytes is the shortest frame that the kernel can make.
    *(Case(f"Truncate({length})") for length in [14, 13]),
]

PUNTS = [Reach("Truncate(13)")]
