"""Readers that emit a packet with some probability."""

from collections.abc import Iterable
from enum import IntEnum

from clickbpf.declare import ArgError, Element, Keyword, Real, read_handler

#: Bits of a probability after the point.
SHIFT = 28


class Probability(IntEnum):
    EVERY_PACKET = 1 << SHIFT


EVERY_PACKET = Probability.EVERY_PACKET
SAMPLE = Keyword("SAMPLE", Real(SHIFT), EVERY_PACKET, "Real number from 0 to 1. Emit each packet with this probability")


class SamplingElement(Element):
    """Has SAMPLE among its arguments, and the handler `sampling_prob`."""

    enums = (Probability,)

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.sample > EVERY_PACKET:
            yield ArgError("SAMPLE probability reduced to 1", argument="SAMPLE")
        elif not self.cfg.sample:
            yield ArgError("SAMPLE probability is 0; emitting no packets", argument="SAMPLE")

    sampling_prob = read_handler(lambda self: Real(SHIFT).unparse(min(self.cfg.sample, EVERY_PACKET)))
