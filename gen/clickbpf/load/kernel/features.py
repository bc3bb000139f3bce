"""The XDP features of drivers, which the kernel reports since Linux 6.3 (generic netlink family "netdev"), and those of AF_XDP sockets."""

import ctypes
import errno
import socket
import struct
from contextlib import closing
from functools import cache
from typing import Any

from clickbpf.load.kernel import rtnetlink

#: Bits of enum netdev_xdp_act in <linux/netdev.h>: programs run natively; frames can be redirected to it natively; AF_XDP
#: sockets send and receive without a copy; frames in several buffers can be redirected to it.
BASIC, TRANSMIT, ZERO_COPY, TRANSMIT_PARTS = 1 << 0, 1 << 2, 1 << 3, 1 << 6
_DEV_GET = 1
#: The index of a device that every network namespace has.
LOOPBACK = 1
#: <linux/if_xdp.h>: the family, struct sockaddr_xdp (family, flags, ifindex, queue, shared umem), and the flag of sockets for packets in
#: several frames, since Linux 6.6.
AF_XDP, _SOCKADDR, _USE_SG = 44, struct.Struct("=HHIII"), 1 << 4


@cache
def _message_type() -> type[Any]:
    class Message(rtnetlink.genlmsg):
        """The attributes of NETDEV_CMD_DEV_GET that are used."""

        nla_map = (
            ("NETDEV_A_DEV_UNSPEC", "none"),
            ("NETDEV_A_DEV_IFINDEX", "uint32"),
            ("NETDEV_A_DEV_PAD", "none"),
            ("NETDEV_A_DEV_XDP_FEATURES", "uint64"),
        )

    return Message


def xdp_features(ifindex: int) -> int | None:
    """The feature bits of a device, None if the kernel doesn't report any."""
    with rtnetlink.GenericNetlinkSocket() as netlink:
        try:
            netlink.bind("netdev", _message_type())
            message = _message_type()()
            message["cmd"], message["version"] = _DEV_GET, 1
            message["attrs"] = [("NETDEV_A_DEV_IFINDEX", ifindex)]
            (answer,) = netlink.nlm_request(message, msg_type=netlink.prid, msg_flags=rtnetlink.NLM_F_REQUEST)
        except rtnetlink.NetlinkError:
            return None
        return answer.get_attr("NETDEV_A_DEV_XDP_FEATURES")


def takes_no_frames(ifindex: int, gets_program: bool = False) -> bool:
    """Whether a device is known not to transmit frames that XDP programs redirect to it natively. Some drivers transmit them only while the
    device has a program (virtio_net, ice, igb): of a device that gets one, only a lack of native XDP is known before. (A veth device
    without the bit transmits frames once its peer is ready.)"""
    features = xdp_features(ifindex)
    return features is not None and not features & (BASIC if gets_program else TRANSMIT)


def redirects_parts() -> bool:
    """Whether the kernel can redirect XDP frames in several buffers: it can since the version that reports drivers' features."""
    return xdp_features(LOOPBACK) is not None


@cache
def takes_parts() -> bool:
    """Whether AF_XDP sockets receive packets in several frames. This binds one with the flag to a device that doesn't exist: a kernel
    without the feature reports the flag, another the device. False also if there are no AF_XDP sockets."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        opened = socket.socket(AF_XDP, socket.SOCK_RAW, 0)
    except OSError:
        return False
    with closing(opened) as probe:
        libc.bind(probe.fileno(), _SOCKADDR.pack(AF_XDP, _USE_SG, 0, 0, 0), _SOCKADDR.size)
        return ctypes.get_errno() == errno.ENODEV
