"""Linux's tun and tap devices, as elements need them."""

import os
from ipaddress import IPv4Address

from clickbpf import tun
from clickbpf.declare import ArgError, Ether, Prefix


def open_device(name: str, tap: bool) -> tuple[int, str]:
    """Make a device (clickbpf/tun.py)."""
    try:
        return tun.open_device(name, tap)
    except OSError as error:
        raise ArgError(f"{tun.DEVICE}: {error.strerror}", tun.CURES.get(error.errno)) from None


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
