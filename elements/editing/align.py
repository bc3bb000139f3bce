from __future__ import annotations

from clickbpf.args import ArgError, Integer, Required
from clickbpf.vocabulary.alignment import Alignment, AlignmentRule
from clickbpf.vocabulary.element import Element


class Align(Element):
    """accepts the arguments by which other routers align packets

    Synopsis: `Align(MODULUS, OFFSET)`

    In Click, packets leave it in memory OFFSET bytes after a multiple of MODULUS, since some machines read words
    only there. Here elements read words at any address, so packets pass as they are, at no cost, and
    configurations that click-align has made work.

    Arguments:

      - MODULUS: 2, 4 or 8.
      - OFFSET: a number less than that.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> Align(4, 0) -> CheckIPHeader -> Discard;
    """

    args = (Required("MODULUS", Integer()), Required("OFFSET", Integer(signed=True)))
    weight = 1

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(gives=Alignment(self.cfg.modulus, self.cfg.offset))

    def configure(self) -> None:
        if self.cfg.modulus not in (2, 4, 8):
            raise ArgError("MODULUS must be 2, 4, or 8", argument="MODULUS")
        if self.cfg.offset >= self.cfg.modulus:
            raise ArgError("OFFSET must be smaller than MODULUS", argument="OFFSET")
