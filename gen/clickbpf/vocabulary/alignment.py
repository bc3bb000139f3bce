"""Where packets lie in memory: OFFSET bytes after a multiple of MODULUS; and how element classes affect and need it.

Part of the vocabulary of element classes (`Element.alignment`), which click-align's pass asks.
"""

from __future__ import annotations

import math

from clickbpf.frozen import frozen


@frozen
class Alignment:
    """`offset` bytes after a multiple of `chunk`. A chunk of 1 says nothing."""

    chunk: int = 1
    offset: int = 0

    def __post_init__(self):
        object.__setattr__(self, "offset", self.offset % self.chunk)

    def moved(self, length: int) -> Alignment:
        """That of the data `length` bytes further on."""
        return Alignment(self.chunk, self.offset + length)

    def satisfies(self, wanted: Alignment) -> bool:
        return self.chunk % wanted.chunk == 0 and self.offset % wanted.chunk == wanted.offset

    def __or__(self, other: Alignment) -> Alignment:
        """What is true of packets of either."""
        return Alignment(math.gcd(self.chunk, other.chunk, self.offset - other.offset), self.offset)

    def __str__(self) -> str:
        return f"{self.chunk} {self.offset}"


ANYHOW = Alignment()
WORD, HALF = Alignment(4, 0), Alignment(2, 0)
#: An Ethernet frame whose IP header lies at a word.
FRAME = Alignment(4, 2)
ETHER_HLEN = 14


@frozen
class AlignmentRule:
    """What a class has to do with alignment.

    `wants`: what its inputs need, the last one for all further ones; a class without wants what the elements after it want.
    `moves`: by how many bytes further on its packets begin.  `gives`: how packets lie that it makes or copies.
    `minds`: whether it reads whole words, however they lie, so that it has to know how; `informed`: whether AlignmentInfo says how.
    """

    wants: tuple[Alignment, ...] = ()
    moves: int = 0
    gives: Alignment | None = None
    minds: bool = False
    informed: bool = False

    def want(self, port: int) -> Alignment | None:
        return self.wants[min(port, len(self.wants) - 1)] if self.wants else None

    @classmethod
    def of_ip_header(cls, offset: int, informed: bool = False) -> AlignmentRule:
        """For an element that reads an IP header at this offset in the packet: the header has to begin at a word."""
        return cls((WORD.moved(-offset),), informed=informed)
