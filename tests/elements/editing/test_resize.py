"""Resize: bytes at both ends."""

from tests.elements.trials import Trial

FRAME = bytes(range(64))

TRIALS = {
    "both ends": [
        Trial(f"Resize({arguments})").gives(FRAME, expected)
        for arguments, expected in [
            ("", FRAME),
            ("HEAD -14", FRAME[14:]),
            ("0, -4", FRAME[:-4]),
            ("-4, -60", b""),
            ("-100", b""),
            ("TAIL 4", FRAME + bytes(4)),
            ("-2, 3000", FRAME[2:] + bytes(3000)),
            ("-2147483648, -2147483648", b""),
        ]
    ],
    "what was removed comes back": Trial("Resize(10)", before="Strip(14)").gives(FRAME, FRAME[4:]),
}
