from clickbpf.declare import SAME, ICMPType, Integer, IPAddress, Keyword, Optional, Required, Word

from ._code import parse_code
from ._icmpencap import ICMPEncap


class ICMPIPEncap(ICMPEncap):
    """puts packets into ICMP messages

    Adds ICMP and IP headers. The sequence number, in types with one (echo, timestamp, inforeq and their replies), is also the
    identification in the IP header; it counts from 1 to 65535, and then from 1 again. A timestamp's header has 20 bytes, others 8;
    other fields are zero. The TTL is 255. The IP header becomes the network header, the ICMP header the transport header, and DST
    the destination address annotation. The kernel path hands over packets of more than 4075 bytes.

    Example:

        FromDevice(eth0) -> Strip(14) -> ICMPIPEncap(10.0.0.1, 10.0.0.2, unreachable, port)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("SRC", IPAddress(), "the addresses"),
        Required("DST", IPAddress(), SAME),
        Required("TYPE", ICMPType(), "the ICMP type, by name or number"),
        Optional("CODE", Word(), "0", "its code, by name (which depends on the type) or number"),
        Keyword("IDENTIFIER", Integer(16), 0, "the identifier of types that have one, 0 to 65535"),
    )

    def configure(self) -> None:
        self.icmp_type = self.cfg.type
        self.icmp_code = parse_code(self)
