"""The hash index of index.h: its size and its state."""

from collections.abc import Callable
from typing import Any

from clickbpf.declare import Array, u64

from ._buckets import bucket_count

#: Words of a bucket, INDEX_WORDS in C.
WORDS = 8
_LEAST = 16


def buckets(words: int) -> int:
    """The number of buckets of an index for `words` words: a power of two, with at most half of the places in use."""
    return bucket_count(2 * max(1, words), WORDS, _LEAST)


def index_state(words: Callable[[Any], int]) -> Array:
    """The state of an index; `words` returns the capacity that an element needs."""
    return Array(lambda element: buckets(words(element)), word=u64 * WORDS)
