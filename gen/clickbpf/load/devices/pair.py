"""A device that a router has created (made.py): a veth pair, with one end for Linux, and the other for the router."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from clickbpf.frozen import frozen
from clickbpf.load.kernel import rtnetlink
from clickbpf.load.kernel.causes import explain, explained
from clickbpf.objects.made import MadeDevice

#: IFNAMSIZ less the final 0.
LONGEST_NAME = 15


@frozen
class Pair:
    """`name` and `index` are those of Linux's end."""

    name: str
    index: int
    made: MadeDevice

    @property
    def end(self) -> str:
        """The name of the router's end."""
        return end_of(self.name)

    def remove(self) -> None:
        """Remove both ends, with their addresses and routes, if they still exist."""
        with explained_netlink(f"{self.name} can't be removed"), rtnetlink.IPRoute() as netlink:
            if self.index in netlink.link_lookup(ifname=self.name):
                netlink.link("del", index=self.index)


def inlet_name(router: str) -> str:
    """The name of Linux's end of a router's inlet."""
    return f"cb{zlib.crc32(router.encode()):08x}"


def end_of(name: str) -> str:
    """The name of the router's end, within Linux's limit for names of devices."""
    long = f"{name}-rt"
    return long if len(long) <= LONGEST_NAME else f"{name[:6]}-{zlib.crc32(name.encode()):08x}"


@contextmanager
def explained_netlink(what: str) -> Iterator[None]:
    """Turn errors of netlink and of the system into ClickErrors that `what` failed, with the cause."""
    with explained(what):
        try:
            yield
        except rtnetlink.NetlinkError as error:
            raise explain(OSError(error.code, os.strerror(error.code)), what) from None
