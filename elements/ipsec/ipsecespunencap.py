from clickbpf.declare import Constants, IPProtocol, Integer, Keyword

from ._association import WIDEST, Association, NumberingElement
from ._blocks import BLOCK, check_block, next_header_constant


class IPsecESPUnencap(NumberingElement):
    """takes packets out of ESP headers and trailers

    Packets are ESP packets that have been authenticated and decrypted; their digest is gone already. Dropped are those
    whose sequence number has come before (REPLAYED), or is too old for the window to tell; those whose padding is not
    1, 2, 3 and so on (MALFORMED); and those without content, next header 59.

    Sequence numbers are remembered in the association that RadixIPsecLookup has found, or in the element's own, as long as
    SPI and keys stay the same: also in a router that replaces this one, and when the runtime is killed and started again.
    The keys are those of the IPsec elements before this one.

    Example: a tunnel's incoming side:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader
            -> IPsecAuthHMACSHA1(1, \\<000102030405060708090a0b0c0d0e0f10111213>)
            -> IPsecAES(0, \\<000102030405060708090a0b0c0d0e0f>, IGNORE 0, BLOCK 16)
            -> IPsecESPUnencap(SPI 0x1001, BLOCK 16, NEXT_HEADER ipip)
            -> CheckIPHeader -> Discard;
    """

    args = (
        Keyword("SPI", Integer(low=1), text="the security parameters index, if the element has an association of its own: packets with "
            "another one are dropped"),
        Keyword("BLOCK", BLOCK, 8, "bytes of the initialisation vector, 8 or 16"),
        Keyword("NEXT_HEADER", IPProtocol(), text="drop packets that are something else: an IP protocol by name or number, `ipip` for a "
            "tunnel. Default: none"),
        Keyword("REPLAY", Integer(low=1), 1, "the first sequence number of the element's own association"),
        Keyword("WINDOW", Integer(8, high=WIDEST), WIDEST, "how many sequence numbers before the highest received one are tracked; at most "
            "64"),
    )

    sends = False

    def configure(self) -> None:
        check_block(self.cfg)

    def constants(self) -> Constants:
        return next_header_constant(self.cfg)

    def own_association(self) -> Association | None:
        return Association(self.cfg.spi, start=self.cfg.replay, window=self.cfg.window) if self.cfg.spi else None
