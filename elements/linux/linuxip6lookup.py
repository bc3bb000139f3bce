import socket

from clickbpf.declare import NETWORK, Form

from ._routetable import MANUAL, LinuxRouteTable


class LinuxIP6Lookup(LinuxRouteTable):
    __doc__ = MANUAL.format(
        name="LinuxIP6Lookup",
        summary="looks up the next hop in Linux's IPv6 routing table",
        check="CheckIP6Header",
    )
    family = socket.AF_INET6
    takes = (Form(begins=NETWORK, marked=True, needs="DST_IP6"),)
    annotations = ("DST_IP6",)
