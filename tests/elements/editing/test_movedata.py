"""MoveData: bytes are copied within a packet."""

import pytest


@pytest.mark.parametrize(
    "arguments, data, result",
    [
        ("2, 0, 2", b"ABCD", b"ABAB"),
        ("DST_OFFSET 0, SRC_OFFSET 6, LENGTH 6", b"dstadrsrcadr..", b"srcadrsrcadr.."),
        # Over each other, both ways.
        ("1, 0, 4", b"ABCDEF", b"AABCDF"),
        ("0, 1, 4", b"ABCDEF", b"BCDEEF"),
        # To the very end, and beyond it.
        ("4, 1, 2", b"ABAB", b"ABABBA"),
        ("6, 1, 2", b"ABAB", b"ABAB\0\0BA"),
        ("3, 1, 2, GROW true", b"ABAB", b"ABABA"[:3] + b"BA"),
        ("3, 1, 2, GROW false", b"ABAB", b"ABAB"),
        ("2, 0, 2, GROW false", b"ABCD", b"ABAB"),
        # What is to be copied isn't all there, or ends with the packet.
        ("0, 60, 2", b"ABAB", b"ABAB"),
        ("0, 2, 2", b"ABCD", b"ABCD"),
        ("0, 2, 2", b"ABCDE", b"CDCDE"),
        ("0, 1, 0", b"ABCD", b"ABCD"),
    ],
)
def test_bytes_are_copied(element, arguments, data, result):
    x = element(f"MoveData({arguments})")
    x.gives(data, result)


MISTAKES = {"MoveData(65535, 0, 1)": "no packet has 65536 bytes"}
