"""Readers that emit a packet with some probability."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from clickbpf.args import ArgError, Keyword, Real
from clickbpf.vocabulary.element import Element, read_handler

#: Bits of a probability after the point.
SHIFT = 28


class Probability(IntEnum):
    EVERY_PACKET = 1 << SHIFT


EVERY_PACKET = Probability.EVERY_PACKET
SAMPLE = Keyword("SAMPLE", Real(SHIFT), EVERY_PACKET)


class SamplingElement(Element):
    """Has SAMPLE among its arguments, and the handler `sampling_prob`."""

    enums = (Probability,)

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.sample > EVERY_PACKET:
            yield ArgError("SAMPLE probability reduced to 1", argument="SAMPLE")
        elif not self.cfg.sample:
            yield ArgError("SAMPLE probability is 0; emitting no packets", argument="SAMPLE")

    @read_handler
    def sampling_prob(self) -> str:
        return Real(SHIFT).unparse(min(self.cfg.sample, EVERY_PACKET))
