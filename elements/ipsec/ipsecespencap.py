from clickbpf.declare import Constants, IPProtocol, Integer, Keyword, Optional

from ._association import Association, NumberingElement
from ._blocks import BLOCK, check_block, next_header_constant


class IPsecESPEncap(NumberingElement):
    """puts packets between an ESP header and trailer

    The header has the SPI, the next sequence number and a random initialisation vector of BLOCK bytes. The trailer pads the packet
    to a multiple of BLOCK, and has the packet's protocol (RFC 4303). Encryption follows in IPsecAES or IPsecDES, and authentication
    in IPsecAuthHMACSHA1.

    SPI and sequence number are those of the association found by RadixIPsecLookup, or the element's own. After number 2^32 - 1,
    packets are dropped until there are new keys.

    While SPI and keys stay the same, sequence numbers continue in a replacing router, and after the runtime has been killed and
    restarted. The keys are those of the IPsec elements that follow. `unload`, a reboot, and the end of `clickbpf run` forget the
    numbers; then change the keys, or set REPLAY beyond all numbers used.

    Example: a tunnel's outgoing side, as Linux and others understand it:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IPsecESPEncap(0x1001, 16, NEXT_HEADER ipip)
            -> IPsecAES(1, \\<000102030405060708090a0b0c0d0e0f>, IGNORE 0, BLOCK 16)
            -> IPsecAuthHMACSHA1(0, \\<000102030405060708090a0b0c0d0e0f10111213>)
            -> IPEncap(50, 192.0.2.1, 192.0.2.2) -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02)
            -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("SPI", Integer(low=1), text="the security parameters index, for an association of the element's own"),
        Optional("BLOCK", BLOCK, 8, "8 for DES, 3DES, and Click's own AES mode; 16 for AES as in other implementations (RFC 3602)"),
        Keyword("NEXT_HEADER", IPProtocol(), text="the packets' protocol, by name or number: `ipip` for a tunnel. Default: the protocol "
            "in the packet's IP header, as in Click, although the packet begins with that header"),
        Keyword("REPLAY", Integer(low=1), 1, "the first sequence number of the element's own association"),
    )

    sends = True

    def configure(self) -> None:
        check_block(self.cfg)

    def constants(self) -> Constants:
        return next_header_constant(self.cfg)

    def own_association(self) -> Association | None:
        return Association(self.cfg.spi, start=self.cfg.replay) if self.cfg.spi else None
