"""Numbers in texts that anyone may have written."""

#: The most digits of a number, more than any count has. Python refuses numbers of thousands of digits.
MOST = 18


def number(text: str | bytes) -> int | None:
    """What decimal digits, of ASCII only, stand for; None for any other text, and for numbers that are too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST else None
