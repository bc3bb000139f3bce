"""The alignment of packets in memory, OFFSET bytes after a multiple of MODULUS; and how element classes need and change it.

Part of the vocabulary of element classes (`Element.alignment`), for the pass click-align.
"""

import math
from typing import Self

from clickbpf.frozen import frozen


@frozen
class Alignment:
    """`offset` bytes after a multiple of `chunk`. A chunk of 1 means that nothing is known."""

    chunk: int = 1
    offset: int = 0

    def __post_init__(self):
        object.__setattr__(self, "offset", self.offset % self.chunk)

    def moved(self, length: int) -> Self:
        """The alignment `length` bytes further on."""
        return Alignment(self.chunk, self.offset + length)

    def satisfies(self, wanted: Self) -> bool:
        return self.chunk % wanted.chunk == 0 and self.offset % wanted.chunk == wanted.offset

    def __or__(self, other: Self) -> Self:
        """The alignment that packets with either of these have."""
        return Alignment(math.gcd(self.chunk, other.chunk, self.offset - other.offset), self.offset)

    def __str__(self) -> str:
        return f"{self.chunk} {self.offset}"


ANYHOW = Alignment()
WORD, HALF = Alignment(4, 0), Alignment(2, 0)
#: An Ethernet frame whose IP header is word-aligned.
FRAME = Alignment(4, 2)
ETHER_HLEN = 14


@frozen
class AlignmentRule:
    """How a class needs and changes alignment.

    `wants`: the alignments that its inputs need, the last one for all further inputs; without `wants` it needs what the elements after it
    need. `moves`: the number of bytes by which it moves the packet's beginning. `gives`: the alignment of packets that it makes or copies.
    `minds`: whether it reads words and adapts to an alignment that it knows. `informed`: whether AlignmentInfo lists its alignment.
    """

    wants: tuple[Alignment, ...] = ()
    moves: int = 0
    gives: Alignment | None = None
    minds: bool = False
    informed: bool = False

    def want(self, port: int) -> Alignment | None:
        return self.wants[min(port, len(self.wants) - 1)] if self.wants else None

    @classmethod
    def of_ip_header(cls, offset: int, informed: bool = False) -> Self:
        """The rule of an element that reads an IP header at this offset in the packet: the header has to be word-aligned."""
        return cls((WORD.moved(-offset),), informed=informed)
