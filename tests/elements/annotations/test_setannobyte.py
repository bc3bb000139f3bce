"""SetAnnoByte: one byte of the annotations."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))

TRIALS = {
    "the byte is set": Trial("SetAnnoByte(PAINT, 7)")
        .passes(FRAME, PAINT=7).reads(anno="16", value="7").write("value", "255").passes(FRAME, PAINT=255),
}

CASES = [Case("SetAnnoByte(3, 9)", packets=200)]
