"""Digits as numbers, however many there are: Python refuses thousands of them, with an exception of its own."""

#: More digits than any argument has: 128 bits in binary, and enough beyond that to show that a number is too large.
MOST = 400


def whole(digits: str, base: int = 10) -> int:
    """The value of digits, perhaps with a sign; for a number too large for any argument, some value that is too large as well."""
    sign = -1 if digits[:1] == "-" else 1
    return sign * int(digits.lstrip("+-").lstrip("0")[:MOST] or "0", base)
