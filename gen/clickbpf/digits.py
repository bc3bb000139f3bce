"""Numbers in texts that anyone may have written."""

from __future__ import annotations

#: Digits of the longest one, which is longer than anything that is counted. Python refuses those of thousands of digits.
MOST = 18


def number(text: str | bytes) -> int | None:
    """What decimal digits, of ASCII only, stand for; None for any other text, and for numbers that are too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST else None
