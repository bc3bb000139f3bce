"""Linux's tun and tap devices: network devices with a file descriptor as their other end."""

import errno
import fcntl
import os
import struct

DEVICE = "/dev/net/tun"
#: ioctl TUNSETIFF and its flags of <linux/if_tun.h>: IFF_NO_PI for packets without a word of protocol information in front.
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_TAP, IFF_NO_PI = 0x1, 0x2, 0x1000
#: struct ifreq: the device's name, flags, and the rest of the union.
IFREQ = struct.Struct("16sH22x")

#: errno -> what to do.
CURES = {
    **dict.fromkeys((errno.ENOENT, errno.ENODEV, errno.ENXIO), "the kernel needs the module tun: modprobe tun"),
    **dict.fromkeys((errno.EPERM, errno.EACCES), "making network devices takes root, or CAP_NET_ADMIN"),
}


def open_device(name: str, tap: bool) -> tuple[int, str]:
    """Make a device in this thread's network namespace; returns its descriptor, which doesn't block, and its name: Linux puts a number in
    place of "%d", and chooses the name if `name` is empty. Closing the descriptor removes the device. OSError if it can't be made."""
    fd = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        made = fcntl.ioctl(fd, TUNSETIFF, IFREQ.pack(name.encode(), (IFF_TAP if tap else IFF_TUN) | IFF_NO_PI))
    except OSError:
        os.close(fd)
        raise
    return fd, IFREQ.unpack(made)[0].rstrip(b"\0").decode()
