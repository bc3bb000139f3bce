"""Texts in C."""

from __future__ import annotations


def c_string(text: str) -> str:
    """A C string literal of the text's bytes."""
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in data) + '"'
