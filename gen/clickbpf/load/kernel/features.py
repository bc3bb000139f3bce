"""What a device's driver can do with XDP, as the kernel reports it since Linux 6.3 (generic netlink family "netdev")."""

from __future__ import annotations

from functools import cache
from typing import Any

from clickbpf.load.kernel import rtnetlink

#: Bits of enum netdev_xdp_act in <linux/netdev.h>: programs run natively; frames can be redirected to it natively; AF_XDP
#: sockets send and receive without a copy.
BASIC, TRANSMIT, ZERO_COPY = 1 << 0, 1 << 2, 1 << 3
_DEV_GET = 1


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
    """The bits of a device, None where the kernel doesn't say."""
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
