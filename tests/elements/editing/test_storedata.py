"""StoreData: bytes are written over, packets keep their length."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


TRIALS = {
    "bytes are written at the offset": [
        Trial(f"StoreData({offset}, \\<{data.hex()}>)").gives(FRAME, FRAME[:offset] + data + FRAME[offset + len(data) :])
        for offset, data in [(6, b"\2\0\0\0\0\1\xff"), (57, b"1234567")]
    ],
    "what lies beyond the end is left out": Trial('StoreData(20, "abcdef")')
        .each(
            (FRAME[:length], FRAME[:length] if expected is None else FRAME[:20] + expected)
            for length, expected in ((26, b"abcdef"), (25, b"abcde"), (21, b"a"), (20, b""), (15, None))
        ),
    # Some bits of a byte only; and packets that get longer.
    "fastclicks arguments": [
        Trial(f"StoreData({arguments})").gives(data, result)
        for data, arguments, result in [
            (b"BCCD", "3, EE, GROW true", b"BCCEE"),
            (b"BCCEE", "3, F, GROW true", b"BCCFE"),
            (b"BCCFE", "5, G, GROW true", b"BCCFE"),
            (b"BCCFE", "20, G, GROW true", b"BCCFE"),
            (b"\0\xf1\0\0\0", "1, \\<FF>, MASK \\<02>", b"\0\xf3\0\0\0"),
            (b"\0\xf3\0\0\0", "0, \\<FF FF FF FF FF>, \\<01 01 01 01>", b"\1\xf3\1\1\xff"),
            (b"\1\xf3\1\1\xff", "4, \\<18 18>, MASK \\<12ff>, GROW true", b"\1\xf3\1\1\xfd\x18"),
            # New bytes were zero; and what is cut off is masked as well.
            (b"\xff\xff", "1, \\<aaaa>, MASK \\<0f0f>, GROW true", b"\xff\xfa\x0a"),
            (b"\xff\xff", "1, \\<aaaa>, MASK \\<0f0f>", b"\xff\xfa"),
        ]
    ],
    "no data or no place changes nothing": [Trial(f"StoreData({arguments})").passes(FRAME) for arguments in ['3, ""', "4294967295, a"]],
}

CASES = [Case(f'StoreData(1, "{"abcde" * (length // 5)}")') for length in [85, 300]]
PUNTS = [Reach('StoreData(20, "' + "abcd" * 20 + '")')]
MISTAKES = {"StoreData(0, a, \\<ffff>)": "MASK is longer than DATA"}
