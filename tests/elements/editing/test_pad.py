"""Pad: packets grow to a length, or to the one they had."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(1, 65))


def test_bytes_that_are_not_cleared_are_there_all_the_same(element):
    x = element("Pad(3000, ZERO false)")
    seen = x.gives(FRAME)
    assert len(seen.data) == 3000 and seen.data.startswith(FRAME)


TRIALS = {
    "shorter packets grow": Trial("Pad(70)").gives(FRAME, FRAME + bytes(6)).passes(FRAME + FRAME),
    "without a length packets grow to what they were": Trial("Pad", before="Truncate(30)")
        .gives(FRAME, FRAME[:30] + bytes(34), EXTRA_LENGTH=0).passes(FRAME[:29]),
    "with a length the annotation is forgotten": Trial("Pad(32)", before="Truncate(30)")
        .gives(FRAME, FRAME[:30] + bytes(2), EXTRA_LENGTH=0),
}

CASES = [Case("Pad", before="Truncate(50)")]
