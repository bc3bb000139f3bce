import socket

from ._routetable import MANUAL, LinuxRouteTable


class LinuxIPLookup(LinuxRouteTable):
    __doc__ = MANUAL.format(
        name="LinuxIPLookup",
        summary="looks up the next hop in Linux's IPv4 routing table",
        check="CheckIPHeader",
    )
    family = socket.AF_INET
    annotations = ("DST_IP6",)
