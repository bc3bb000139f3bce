"""PaintRR: the colour modulo the number of outputs."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


TRIALS = {
    "every color has an output": [
        Trial("PaintRR", noutputs=3, before=f"Paint({color})").passes(FRAME, output=output, PAINT=color)
        for color, output in [(0, 0), (2, 2), (3, 0), (4, 1), (254, 2), (255, 0)]
    ],
    "another annotation": Trial("PaintRR(20)", noutputs=3, before="Paint(1) -> Paint(5, 20)").passes(FRAME, output=2),
}

CASES = [Case("PaintRR", noutputs=3, before="Paint(200)")]
MISTAKES = {("PaintRR", 0): "output"}
