"""Linux's tun and tap devices: network devices with a file descriptor as their other end."""

import fcntl
import os
import struct
from ipaddress import IPv4Address

from clickbpf.declare import ArgError, Ether, Prefix

DEVICE = "/dev/net/tun"
#: ioctl TUNSETIFF and its flags of <linux/if_tun.h>: IFF_NO_PI for packets without a word of protocol information in front.
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_TAP, IFF_NO_PI = 0x1, 0x2, 0x1000
#: struct ifreq: the device's name, flags, and the rest of the union.
IFREQ = struct.Struct("16sH22x")


def open_device(name: str, tap: bool) -> tuple[int, str]:
    """Make a device; returns its descriptor (closing it removes the device) and its name, chosen by Linux if `name` is empty."""
    try:
        fd = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ArgError(f"{DEVICE}: {error.strerror}", "the kernel needs the module tun") from None
    try:
        made = fcntl.ioctl(fd, TUNSETIFF, IFREQ.pack(name.encode(), (IFF_TAP if tap else IFF_TUN) | IFF_NO_PI))
    except OSError as error:
        os.close(fd)
        raise ArgError(f"{DEVICE}: {error.strerror}", "making network devices takes root, or CAP_NET_ADMIN") from None
    return fd, IFREQ.unpack(made)[0].rstrip(b"\0").decode()


def set_up(name: str, prefix: Prefix, gateway: IPv4Address | None, mtu: int, ether: Ether | None) -> None:
    """Set the device's address, bring it up, and add a default route through `gateway`, if given."""
    from pyroute2 import IPRoute, NetlinkError  # importing it takes longer than the rest of a command

    try:
        with IPRoute() as netlink:
            (index,) = netlink.link_lookup(ifname=name)
            netlink.link("set", index=index, mtu=mtu, **({"address": ether.hex(":")} if ether else {}))
            netlink.addr("add", index=index, address=str(prefix.address), prefixlen=prefix.length)
            netlink.link("set", index=index, state="up")
            if gateway:
                netlink.route("add", dst="default", gateway=str(gateway), oif=index)
    except NetlinkError as error:
        raise ArgError(f"{name}: {os.strerror(error.code)}") from None
