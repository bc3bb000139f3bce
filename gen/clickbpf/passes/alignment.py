"""Where packets lie in memory: at so many bytes behind a multiple of so many; and what element classes have to do with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clickbpf.element import Element


@dataclass(frozen=True)
class Alignment:
    """`offset` bytes behind a multiple of `chunk`. A chunk of 1 says nothing."""

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


def either(alignments: Iterable[Alignment]) -> Alignment | None:
    """What is true of all; None if there are none."""
    result = None
    for alignment in alignments:
        result = alignment if result is None else result | alignment
    return result


def all_of(wanted: Iterable[Alignment | None]) -> Alignment | None:
    """The one that satisfies all that are wanted; None if nothing is, or no one thing is enough."""
    result = None
    for alignment in wanted:
        if alignment is None or (result and result.satisfies(alignment)):
            continue
        if result and not alignment.satisfies(result):
            return None
        result = alignment
    return result


@dataclass(frozen=True)
class Rule:
    """What a class has to do with alignment.

    `wants`: what its inputs need, the last one for all further ones; a class without wants what those behind it want.
    `moves`: by how many bytes further on its packets begin.  `gives`: how packets lie that it makes or copies.
    `minds`: whether it reads whole words, however they lie, so that it has to know how; `informed`: and is told.
    """

    wants: tuple[Alignment, ...] = ()
    moves: int = 0
    gives: Alignment | None = None
    minds: bool = False
    informed: bool = False

    def want(self, port: int) -> Alignment | None:
        return self.wants[min(port, len(self.wants) - 1)] if self.wants else None


def _behind_offset(cfg: Any) -> Alignment:
    return WORD.moved(-cfg.offset)


def _checked(cfg: Any) -> Rule:
    return Rule((_behind_offset(cfg),), informed=True)


_ENCAPSULATION = Rule((WORD,), gives=WORD)
_FRAMES = Rule(gives=FRAME)

RULES: Mapping[str, Callable[[Any], Rule]] = {
    "Align": lambda cfg: Rule(gives=Alignment(cfg.modulus, cfg.offset)),
    "ARPQuerier": lambda cfg: Rule((WORD, HALF), moves=-ETHER_HLEN),
    "ARPResponder": lambda cfg: Rule((HALF,), gives=HALF),
    "CheckIPHeader": _checked,
    "CheckIPHeader2": _checked,
    "Classifier": lambda cfg: Rule(minds=True, informed=True),
    "EtherEncap": lambda cfg: Rule(moves=-ETHER_HLEN),
    "FromDevice": lambda cfg: _FRAMES,
    "FromHost": lambda cfg: _FRAMES,
    "ICMPError": lambda cfg: Rule(gives=WORD),
    "ICMPPingEncap": lambda cfg: _ENCAPSULATION,
    "InfiniteSource": lambda cfg: Rule(gives=WORD),
    "IPEncap": lambda cfg: _ENCAPSULATION,
    "IPInputCombo": lambda cfg: Rule((FRAME,), moves=ETHER_HLEN, informed=True),
    "MarkIPHeader": lambda cfg: Rule((_behind_offset(cfg),)),
    "PollDevice": lambda cfg: _FRAMES,
    "RandomUDPIPEncap": lambda cfg: _ENCAPSULATION,
    "RatedSource": lambda cfg: Rule(gives=WORD),
    "RoundRobinTCPIPEncap": lambda cfg: _ENCAPSULATION,
    "RoundRobinUDPIPEncap": lambda cfg: _ENCAPSULATION,
    "StoreUDPTimeSeqRecord": lambda cfg: _ENCAPSULATION,
    "Strip": lambda cfg: Rule(moves=cfg.length),
    "ToHost": lambda cfg: Rule((FRAME,)),
    "UDPIPEncap": lambda cfg: Rule((WORD,), gives=WORD, informed=True),
    "Unstrip": lambda cfg: Rule(moves=-cfg.length),
}


def rule_of(name: str, element: Element | None) -> Rule:
    """The rule of a class, by its name in the configuration; an element whose arguments aren't known has none."""
    rule = RULES.get(element.class_name() if element else name)
    return rule(element.cfg) if rule and element else Rule()
