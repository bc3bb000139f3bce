"""Clipboard: bytes go from packets of input 0 to packets of input 1."""

from tests.elements.trials import Trial

FRAME, OTHER = bytes(range(64)), bytes(range(100, 164))


def board() -> Trial:
    return Trial("Clipboard(0/2, 10/1, 60/4)", ninputs=2, noutputs=2, before="Paint(9)")


def test_pulled_packets_too(router):
    r = router("FromDevice(a) -> Queue -> c :: Clipboard(0/1) -> ToDevice(b); FromDevice(c) -> Queue -> [1]c[1] -> ToDevice(d);")
    r.forwards("a", FRAME[7:], "b")
    r.forwards("c", FRAME, "d", b"\x07" + FRAME[1:])


TRIALS = {
    "bytes are copied to their places": board()
        .passes(FRAME, PAINT=9)
        .gives(OTHER, FRAME[:2] + OTHER[2:10] + FRAME[10:11] + OTHER[11:60] + FRAME[60:], output=1, input=1, PAINT=9)
        .gives(OTHER, FRAME[:2] + OTHER[2:10] + FRAME[10:11] + OTHER[11:60] + FRAME[60:], output=1, input=1, PAINT=9),
    # They leave the board, or stay themselves, as they were.
    "packets that are too short": board()
        .passes(FRAME).passes(OTHER[:62]).passes(FRAME[:63], output=1, input=1)
        .gives(bytes(64), (OTHER[:2] + bytes(8) + OTHER[10:11] + bytes(49) + OTHER[60:62] + FRAME[62:]), output=1, input=1),
}

MISTAKES = {
    "x :: Clipboard(0); Idle -> x -> Idle; Idle -> [1]x[1] -> Idle;": "range 0: expected '/'",
    "x :: Clipboard(/1); Idle -> x -> Idle; Idle -> [1]x[1] -> Idle;": "range 0: expected '/'",
    "x :: Clipboard(1/); Idle -> x -> Idle; Idle -> [1]x[1] -> Idle;": "range 0: expected '/'",
    "x :: Clipboard(1/-1); Idle -> x -> Idle; Idle -> [1]x[1] -> Idle;": "range 0: invalid offset or length",
}
