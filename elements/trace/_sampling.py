"""The base of file readers that emit packets with some probability."""

import os

from collections.abc import Iterable
from enum import IntEnum

from clickbpf.declare import USER, ArgError, Element, Keyword, Real, read_handler, write_handler

#: The fractional bits of a probability.
SHIFT = 28


class Probability(IntEnum):
    EVERY_PACKET = 1 << SHIFT


EVERY_PACKET = Probability.EVERY_PACKET
SAMPLE = Keyword("SAMPLE", Real(SHIFT), EVERY_PACKET, "Real number from 0 to 1. Emit each packet with this probability")


class SamplingElement(Element, runs=USER):
    """Needs the arguments SAMPLE and ACTIVE, a state `reader`, and `_fd`: the open file's descriptor until C takes it."""

    _fd: int | None = None

    enums = (Probability,)

    def warnings(self) -> Iterable[ArgError]:
        if self.cfg.sample > EVERY_PACKET:
            yield ArgError("SAMPLE probability reduced to 1", argument="SAMPLE")
        elif not self.cfg.sample:
            yield ArgError("SAMPLE probability is 0; emitting no packets", argument="SAMPLE")

    def finished(self) -> None:
        """Close a file that was never read; C closes others."""
        if self._fd is not None and self.state.reader.fd == self._fd:
            os.close(self._fd)
        self._fd = None

    @write_handler
    def stop(self, text: str) -> None:
        self.state.reader.active = False
        self.runtime.stop()

    sampling_prob = read_handler(lambda self: Real(SHIFT).unparse(min(self.cfg.sample, EVERY_PACKET)))
