from clickbpf.declare import Constants, IPProtocol, Integer, Keyword, Optional

from ._association import Association, NumberingElement
from ._blocks import BLOCK, check_block, next_header_constant


class IPsecESPEncap(NumberingElement):
    """puts packets between an ESP header and trailer

    The header has the SPI, the next sequence number and a random initialisation vector of BLOCK bytes. The trailer
    fills the packet up to a multiple of BLOCK and has the packet's protocol (RFC 4303). Nothing is encrypted yet: that is for
    IPsecAES or IPsecDES, and then IPsecAuthHMACSHA1.

    SPI and sequence number are those of the association that RadixIPsecLookup has found, or the element's own. After
    sequence number 2^32 - 1 packets are dropped: new keys are needed then.

    Sequence numbers go on as long as SPI and keys stay the same: in a router that replaces this one, and when the runtime
    is killed and started again. The keys are those of the IPsec elements that follow. `unload`, a reboot, and the end of
    `clickbpf run` forget the numbers; change the keys then, or give a REPLAY that is beyond all numbers that were used.

    Example: a tunnel's outgoing side, as Linux and others understand it:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IPsecESPEncap(0x1001, 16, NEXT_HEADER ipip)
            -> IPsecAES(1, \\<000102030405060708090a0b0c0d0e0f>, IGNORE 0, BLOCK 16)
            -> IPsecAuthHMACSHA1(0, \\<000102030405060708090a0b0c0d0e0f10111213>)
            -> IPEncap(50, 192.0.2.1, 192.0.2.2) -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02)
            -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("SPI", Integer(low=1), text="the security parameters index, if the element has an association of its own"),
        Optional("BLOCK", BLOCK, 8, "8 for DES and 3DES, and for Click's own kind of AES; 16 for AES as other implementations have it (RFC "
            "3602)"),
        Keyword("NEXT_HEADER", IPProtocol(), text="what packets are, an IP protocol by name or number: `ipip` for a tunnel. Default: the "
            "protocol in the packet's IP header, as in Click, though the packet begins with that header"),
        Keyword("REPLAY", Integer(low=1), 1, "the first sequence number of the element's own association"),
    )

    sends = True

    def configure(self) -> None:
        check_block(self.cfg)

    def constants(self) -> Constants:
        return next_header_constant(self.cfg)

    def own_association(self) -> Association | None:
        return Association(self.cfg.spi, start=self.cfg.replay) if self.cfg.spi else None
