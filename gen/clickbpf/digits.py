"""Parses numbers in untrusted texts."""

#: The most digits of a number, more than any count has. Python raises ValueError for thousands of digits.
MOST = 18


def number(text: str | bytes) -> int | None:
    """The number that ASCII digits represent; None for any other text, and for numbers that are too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST else None
