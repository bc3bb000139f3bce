from clickbpf.declare import AlignmentRule, ArgError, Element, Integer, Required
from clickbpf.vocabulary.alignment import Alignment


class Align(Element):
    """accepts the arguments by which other routers align packets

    In Click, packets leave it at an address OFFSET bytes after a multiple of MODULUS, since some machines can only read aligned
    words. Here elements read words at any address, so packets pass unchanged, at no cost. The class exists for configurations from
    click-align.

    Example: FromDevice(eth0) -> Strip(14) -> Align(4, 0) -> CheckIPHeader -> Discard;
    """

    args = (Required("MODULUS", Integer(), "2, 4 or 8"), Required("OFFSET", Integer(signed=True), "a number less than that"))

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(gives=Alignment(self.cfg.modulus, self.cfg.offset))

    def configure(self) -> None:
        if self.cfg.modulus not in (2, 4, 8):
            raise ArgError("MODULUS must be 2, 4, or 8", argument="MODULUS")
        if self.cfg.offset >= self.cfg.modulus:
            raise ArgError("OFFSET must be smaller than MODULUS", argument="OFFSET")
