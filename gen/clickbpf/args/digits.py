"""Converts any number of digits to a number: Python raises ValueError for thousands of them."""

#: More digits than any valid argument has: 128 in binary, and some more, to show that a number is too large.
MOST = 400


def whole(digits: str, base: int = 10) -> int:
    """The value of digits, perhaps with a sign; for a number too large for any argument, some value that is too large as well."""
    sign = -1 if digits[:1] == "-" else 1
    return sign * int(digits.lstrip("+-").lstrip("0")[:MOST] or "0", base)
