"""Cables between L3 devices: two tun devices, perhaps in two namespaces, where this process writes into each what it reads from the other.

Packets keep their offloads on the way (struct virtio_net_hdr of <linux/virtio_net.h> is in front of each): checksums that are left to
a device stay unfinished, and TCP segments joined.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import threading
from contextlib import suppress

from clickbpf.testing.netns import Namespace

#: <linux/if_tun.h>
TUNSETIFF, TUNSETOFFLOAD, IFREQ = 0x400454CA, 0x400454D0, "16sH22x"
IFF_TUN, IFF_TAP, IFF_NO_PI, IFF_VNET_HDR = 0x0001, 0x0002, 0x1000, 0x4000
TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6 = 1, 2, 4
#: A joined packet with its struct virtio_net_hdr.
LONGEST = 10 + 65535 + 64


class TunCable:
    """`one` and `other` are a namespace and the device's name; both devices are up. With `offloads` Linux leaves the devices work."""

    def __init__(self, one: tuple[Namespace, str], other: tuple[Namespace, str], *, offloads: bool = True, mtu: int = 1500):
        self._ends = [namespace.call(_open, name, offloads) for namespace, name in (one, other)]
        for namespace, name in (one, other):
            namespace.ip("link", "set", name, "mtu", str(mtu), "up")
        self._stop = os.eventfd(0)
        self._copying = threading.Thread(target=self._copy, daemon=True)
        self._copying.start()

    def _copy(self) -> None:
        to = dict(zip(self._ends, reversed(self._ends)))
        while True:
            ready, _, _ = select.select([*self._ends, self._stop], [], [])
            if self._stop in ready:
                return
            for end in ready:
                with suppress(BlockingIOError), suppress(OSError):  # a device that is down, or goes
                    os.write(to[end], os.read(end, LONGEST))

    def close(self) -> None:
        """Remove both devices."""
        os.eventfd_write(self._stop, 1)
        self._copying.join()
        for fd in (*self._ends, self._stop):
            os.close(fd)

    def __enter__(self) -> TunCable:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


def _open(name: str, offloads: bool) -> int:
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack(IFREQ, name.encode(), IFF_TUN | IFF_NO_PI | IFF_VNET_HDR))
    fcntl.ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 if offloads else 0)
    return fd
