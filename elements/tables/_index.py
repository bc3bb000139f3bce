"""The hash index of index.h: its size and its state."""

from collections.abc import Callable
from typing import Any

from clickbpf.declare import Array, u64

from ._buckets import bucket_count

#: Words of a bucket, INDEX_WORDS in C.
WORDS = 8
_LEAST = 16


def buckets(words: int) -> int:
    """How many buckets an index for that many words has: a power of two, so that at most half of its places are used."""
    return bucket_count(2 * max(1, words), WORDS, _LEAST)


def index_state(words: Callable[[Any], int]) -> Array:
    """The state of an index; `words` says how many words an element's has to have room for."""
    return Array(lambda element: buckets(words(element)), word=u64 * WORDS)
