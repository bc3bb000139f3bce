"""Patterns of packet filters as words: `port>=80&&!syn` has `port`, `>=`, `80`, `&&`, `!`, `syn`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"&&|\|\||[<>!=]=|[-.:/@\w]+|\S", re.ASCII)


class Word(str):
    """A word and its offset."""

    at: int

    def __new__(cls, text: str, at: int) -> Word:
        word = super().__new__(cls, text)
        word.at = at
        return word

    @property
    def is_name(self) -> bool:
        """Whether it can be a name, a number or an address, and not an operator."""
        return self[:1].isalnum() or self[:1] in ("_", "@", "-") or self[:2] == "::"


class Words:
    """The words of a pattern, taken one after another; empty words follow the last one."""

    def __init__(self, text: str, places: bool = True):
        self._words = [Word(match[0], match.start() if places else 0) for match in _WORD.finditer(text)]
        self._end = Word("", len(text.rstrip()) if places else 0)
        self.taken = 0

    def peek(self, ahead: int = 0) -> Word:
        place = self.taken + ahead
        return self._words[place] if place < len(self._words) else self._end

    def take(self) -> Word:
        word = self.peek()
        self.taken += 1
        return word

    def accept(self, *choices: str) -> bool:
        """Take the next word if it is one of these."""
        found = self.peek() in choices
        self.taken += found
        return found

    def since(self, start: int) -> list[Word]:
        """The words taken after the first `start` ones."""
        return self._words[start : self.taken]

    def __iter__(self) -> Iterator[Word]:
        return iter(self._words)

    @property
    def left(self) -> int:
        return len(self._words) - self.taken
