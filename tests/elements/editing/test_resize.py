"""Resize: bytes at both ends."""

import pytest

FRAME = bytes(range(64))


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ("", FRAME),
        ("HEAD -14", FRAME[14:]),
        ("0, -4", FRAME[:-4]),
        ("-4, -60", b""),
        ("-100", b""),
        ("TAIL 4", FRAME + bytes(4)),
        ("-2, 3000", FRAME[2:] + bytes(3000)),
        ("-2147483648, -2147483648", b""),
    ],
)
def test_both_ends(element, arguments, expected):
    x = element(f"Resize({arguments})")
    x.send(FRAME)
    x.expect(0, expected)


def test_what_was_removed_comes_back(element):
    x = element("Resize(10)", before="Strip(14)")
    x.send(FRAME)
    x.expect(0, FRAME[4:])
