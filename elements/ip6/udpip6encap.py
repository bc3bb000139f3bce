from clickbpf.declare import SAME, IP6Address, IPPort, Reconfigurable, Required, Vars, u16

from ..ip._encap import REPLACED
from ._encap import ADDRESSED6, Destination6, Encap6

PORT = IPPort(17)


class UDPIP6Encap(Reconfigurable, Encap6):
    """puts packets into UDP and IPv6 headers

    The IPv6 header has a hop limit of 255, and traffic class and flow label 0. It becomes the network header, the UDP header the
    transport header, and DST the destination address annotation. The UDP checksum is always computed, as IPv6 requires, and is
    never 0 (RFC 8200, 8.1; Click's may be). The runtime handles packets of more than 4087 bytes.

    Example:

        FromDevice(eth0) -> Strip(14) -> UDPIP6Encap(2001:db8::1, 1234, 2001:db8::2, 1234)
            -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("SRC", IP6Address(), "source address and port (a number or a name)"),
        Required("SPORT", PORT, SAME, setting="vars"),
        Required("DST", Destination6(), "destination address and port. DST may be DST_ANNO, for each packet's destination address "
            "annotation"),
        Required("DPORT", PORT, SAME, setting="vars"),
    )
    replaced = {**REPLACED, "sport": "SPORT", "dport": "DPORT"}
    state_types = {"vars": Vars(**ADDRESSED6, sport=u16, dport=u16)}
    holds = ()
    weight = 400
