"""The hash index of index.h: its size and its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clickbpf.vocabulary.state import Array, u64

#: Words of a bucket, INDEX_WORDS in C.
WORDS = 8
_LEAST = 16


def buckets(words: int) -> int:
    """How many buckets an index for that many words has: a power of two, so that at most half of its places are used."""
    return max(_LEAST, 1 << (max(1, -(-2 * words // WORDS)) - 1).bit_length())


def index_state(words: Callable[[Any], int]) -> Array:
    """The state of an index; `words` says how many words an element's has to have room for."""
    return Array(lambda element: buckets(words(element)), word=u64 * WORDS)
