from clickbpf.declare import SAME, WORD, AlignmentRule, Integer, IPAddress, Keyword, Required

from ._icmpencap import ICMPEncap


class ICMPPingEncap(ICMPEncap):
    """puts packets into ICMP echo requests

    Adds ICMP and IP headers; the packet becomes the data of an echo request. The sequence number, which is also the identification
    in the IP header, counts from 1 to 65535, and then from 1 again. The TTL is 255. The IP header becomes the network header, the
    ICMP header the transport header, and DST the destination address annotation. The kernel path hands over packets of more than
    4087 bytes.

    Example:

        FromDevice(eth0) -> Strip(14) -> ICMPPingEncap(10.0.0.1, 10.0.0.2, IDENTIFIER 7)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    alignment = AlignmentRule((WORD,), gives=WORD)
    args = (
        Required("SRC", IPAddress(), "the addresses"),
        Required("DST", IPAddress(), SAME),
        Keyword("IDENTIFIER", Integer(16), 0, "the ICMP identifier, 0 to 65535"),
    )
