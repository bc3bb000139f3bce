"""rtnetlink sockets, which C files read and write."""

import socket

from clickbpf.declare import ArgError

#: From linux/netlink.h; Python's socket module doesn't have them.
SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, SO_RCVBUFFORCE = 270, 1, 33
#: Room for nearly a million messages at once: the kernel allocates memory only for messages that arrive.
ROOM = 1 << 28


def opened(*groups: int) -> socket.socket:
    """A socket in these multicast groups (RTNLGRP_...)."""
    try:
        made = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        made.bind((0, 0))
        for group in groups:
            made.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group)
    except OSError as error:
        raise ArgError(f"Linux's tables can't be followed: {error.strerror}") from None
    for option in (SO_RCVBUFFORCE, socket.SO_RCVBUF):
        try:
            made.setsockopt(socket.SOL_SOCKET, option, ROOM)
            break
        except OSError:
            continue
    return made


def vrf_table(device: str) -> int:
    """The number of a VRF device's routing table."""
    from pyroute2 import IPRoute

    with IPRoute() as netlink:
        for link in netlink.get_links():
            info = link.get_attr("IFLA_LINKINFO")
            if link.get_attr("IFLA_IFNAME") == device and info and info.get_attr("IFLA_INFO_KIND") == "vrf":
                return info.get_attr("IFLA_INFO_DATA").get_attr("IFLA_VRF_TABLE")
    raise ArgError(f"{device} is no VRF device", "'ip link show type vrf' lists them", argument="VRF")
