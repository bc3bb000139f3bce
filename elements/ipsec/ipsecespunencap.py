from clickbpf.declare import Constants, IPProtocol, Integer, Keyword

from ._association import WIDEST, Association, NumberingElement
from ._blocks import BLOCK, check_block, next_header_constant


class IPsecESPUnencap(NumberingElement):
    """takes packets out of ESP headers and trailers

    Packets must be authenticated and decrypted ESP packets, with the digest removed. Dropped are packets with a sequence number
    received before, or too old for the window (REPLAYED); with padding other than 1, 2, 3 and so on (MALFORMED); and dummy packets,
    next header 59.

    The association found by RadixIPsecLookup, or the element's own, remembers received sequence numbers while SPI and keys stay the
    same, even in a replacing router, and after the runtime has been killed and restarted. The keys are those of the IPsec elements
    before this one.

    Example: a tunnel's incoming side:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader
            -> IPsecAuthHMACSHA1(1, \\<000102030405060708090a0b0c0d0e0f10111213>)
            -> IPsecAES(0, \\<000102030405060708090a0b0c0d0e0f>, IGNORE 0, BLOCK 16)
            -> IPsecESPUnencap(SPI 0x1001, BLOCK 16, NEXT_HEADER ipip)
            -> CheckIPHeader -> Discard;
    """

    args = (
        Keyword("SPI", Integer(low=1), text="the security parameters index, for an association of the element's own: packets with another "
            "one are dropped"),
        Keyword("BLOCK", BLOCK, 8, "bytes of the initialisation vector, 8 or 16"),
        Keyword("NEXT_HEADER", IPProtocol(), text="drop packets of any other protocol: a name or number, `ipip` for a tunnel. Default: "
            "none"),
        Keyword("REPLAY", Integer(low=1), 1, "the first sequence number of the element's own association"),
        Keyword("WINDOW", Integer(8, high=WIDEST), WIDEST, "sequence numbers to track before the highest received one, at most 64"),
    )

    sends = False

    def configure(self) -> None:
        check_block(self.cfg)

    def constants(self) -> Constants:
        return next_header_constant(self.cfg)

    def own_association(self) -> Association | None:
        return Association(self.cfg.spi, start=self.cfg.replay, window=self.cfg.window) if self.cfg.spi else None
