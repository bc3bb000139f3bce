from ipaddress import IPv4Address

from clickbpf.declare import IPAddress, Optional

from ..ip._encap import Destination
from ..ip.ipencap import IPEncap


class IPsecEncap(IPEncap):
    """puts packets into an IP header, addressed to their destination annotation

    Like IPEncap, for packets that RadixIPsecLookup has sent into a tunnel: their destination annotation is the tunnel's other end.
    Without SRC, the source address is 0.0.0.0, and packets are marked for a FixIPSrc on their path to fill in the interface's
    address.

    Arguments:

      - PROTO: the packets' protocol; 50 for ESP.
      - TTL, DSCP, ECT, CE, TOS, DF: as for IPEncap.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001)
            -> IPsecEncap(50) -> FixIPSrc(192.0.2.1) -> Discard;
    """

    args = (
        IPEncap.args[0],
        Optional("SRC", IPAddress(), IPv4Address(0), "the source address"),
        Optional("DST", Destination(), text="the destination address, or DST_ANNO for the annotation. Default DST_ANNO"),
        *IPEncap.args[3:],
    )
    annotations = (*IPEncap.annotations, "FIX_IP_SRC")
