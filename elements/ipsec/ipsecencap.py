from __future__ import annotations

from ipaddress import IPv4Address

from clickbpf.args import IPAddress, Optional

from ..ip._encap import Destination
from ..ip.ipencap import IPEncap


class IPsecEncap(IPEncap):
    """puts packets into an IP header, addressed to their destination annotation

    Synopsis: `IPsecEncap(PROTO [, SRC, DST, TOS ..., TTL ..., DSCP ..., ECT ..., CE ..., DF ...])`

    Like IPEncap, for packets that RadixIPsecLookup has sent into a tunnel: their destination annotation is the tunnel's
    other end. Without SRC the source address is 0.0.0.0, and packets are marked so that a FixIPSrc on their way puts
    the address of the interface there.

    Arguments:

      - PROTO: what the packets are: 50 is ESP.
      - SRC: the source address. Default 0.0.0.0.
      - DST: the destination address, or DST_ANNO for the annotation. Default DST_ANNO.
      - TTL, DSCP, ECT, CE, TOS, DF: as for IPEncap.

    Ports: one input, one output.

    Handlers:

      - `src`, `dst` (read, write): the arguments.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPsecESPEncap(0x1001)
            -> IPsecEncap(50) -> FixIPSrc(192.0.2.1) -> Discard;
    """

    reconfigurable = True
    args = (
        IPEncap.args[0],
        Optional("SRC", IPAddress(), IPv4Address(0)),
        Optional("DST", Destination()),
        *IPEncap.args[3:],
    )
    annotations = (*IPEncap.annotations, "FIX_IP_SRC")
