"""The qdisc fq, which keeps packets until the times that programs gave them, if it is a device's root qdisc: how many, and how long.

What exceeds that it drops, which no program learns: so the programs give packets times within that (`fq_room` of bpf/exits.h). It is
read when a router is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel import rtnetlink
from clickbpf.objects.made import INLET

#: The variable of programs that give packets times; for each device a horizon in ns, and packets of a flow.
VARIABLE, ROOM = "fq_room", struct.Struct("=QQ")
TC_H_ROOT = 0xFFFFFFFF
#: Attributes of <linux/pkt_sched.h>: packets, packets of a flow, and microseconds for which a packet may wait.
TCA_FQ_PLIMIT, TCA_FQ_FLOW_PLIMIT, TCA_FQ_HORIZON = 1, 2, 14


def variables(devices: Iterable[Device]) -> dict[str, bytes]:
    """What the programs have to know."""
    own = [device for device in devices if device.configured != INLET]
    with rtnetlink.IPRoute() as netlink:
        return {VARIABLE: b"".join(_room(netlink, device) for device in own)}


def _room(netlink, device: Device) -> bytes:
    for qdisc in netlink.get_qdiscs(device.ifindex):
        if qdisc["index"] == device.ifindex and qdisc["parent"] == TC_H_ROOT and qdisc.get_attr("TCA_KIND") == "fq":
            # Options that pyroute2 doesn't know are bytes in hexadecimal.
            options = dict(_attributes(bytes.fromhex(qdisc.get_attr("TCA_OPTIONS").replace(":", ""))))
            packets = min(options[TCA_FQ_PLIMIT], options[TCA_FQ_FLOW_PLIMIT])
            return ROOM.pack(options[TCA_FQ_HORIZON] * 1000, packets)
    return ROOM.pack(0, 0)


def _attributes(data: bytes) -> Iterator[tuple[int, int]]:
    """The types and values of attributes of 4 bytes (struct rtattr)."""
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        if length == 8:
            yield kind, struct.unpack_from("=I", data, 4)[0]
        data = data[max(4, length + 3 & ~3) :]
