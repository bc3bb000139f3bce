"""The limits of the qdisc fq, which holds packets until the departure times that programs gave them, if it is a device's root qdisc.

fq drops packets beyond its limits, and no program learns of it. So programs keep within the limits (`fq_room` of bpf/exits.h), which are
read when a router is loaded.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.need import Asked, Need
from clickbpf.load.kernel import rtnetlink
from clickbpf.objects.manifest import DelayEntry

#: A device's limits for the programs: the horizon in ns, and the packets of a flow.
ROOM = struct.Struct("=QQ")
TC_H_ROOT = 0xFFFFFFFF
#: Options by tc's names: the attributes of <linux/pkt_sched.h>, and Linux's defaults. `horizon` is in microseconds.
OPTIONS = {"limit": (1, 10_000), "flow_limit": (2, 100), "horizon": (14, 10_000_000)}


class Pacing(Need):
    """Packets can wait in fq. Where it is missing, or its limits are too low, they wait in user space."""

    variables = {"fq_room": lambda devices: b"".join(ROOM.pack(*_room(options)) for options in _options(devices))}

    def lacking(self, request: Asked) -> Iterator[str]:
        """A line for each device without fq, or with limits that are too low, with the command to change that."""
        found = {device.configured: device for device in request.devices}
        for entry in request.manifest.delays:
            device = found[entry.device]
            (options,) = _options([device])
            horizon, packets = _room(options)
            if entry.packets > packets or entry.time > horizon:
                what = "room in the qdisc fq" if options else "the qdisc fq"
                yield f"{device}: for lack of {what} packets of {entry.element} wait in user space: {_command(device, options, entry)}"


def _command(device: Device, options: Mapping[str, int], entry: DelayEntry) -> str:
    """The command that sets fq's options, as far as the present ones are too low."""
    seconds = -(-entry.time // 10**9)
    wanted = {"limit": entry.packets, "flow_limit": entry.packets, "horizon": seconds * 10**6}
    words = ["tc qdisc replace dev", device.name, "root fq"]
    for name, (_, default) in OPTIONS.items():
        if wanted[name] > options.get(name, default):
            words += [name, f"{seconds}s" if name == "horizon" else str(wanted[name])]
    return " ".join(words)


def _room(options: Mapping[str, int]) -> tuple[int, int]:
    """The horizon in ns and the number of packets; zeros without fq."""
    return (options["horizon"] * 1000, min(options["limit"], options["flow_limit"])) if options else (0, 0)


def _options(devices: Iterable[Device]) -> list[Mapping[str, int]]:
    """The options of each device's fq; empty for devices without fq."""
    with rtnetlink.IPRoute() as netlink:
        return [_options_of(netlink, device) for device in devices]


def _options_of(netlink, device: Device) -> Mapping[str, int]:
    for qdisc in netlink.get_qdiscs(device.ifindex):
        if qdisc["index"] == device.ifindex and qdisc["parent"] == TC_H_ROOT and qdisc.get_attr("TCA_KIND") == "fq":
            # pyroute2 doesn't know these options, and so has them as hexadecimal digits.
            attributes = dict(_attributes(bytes.fromhex(qdisc.get_attr("TCA_OPTIONS").replace(":", ""))))
            return {name: attributes[number] for name, (number, _) in OPTIONS.items()}
    return {}


def _attributes(data: bytes) -> Iterator[tuple[int, int]]:
    """The types and values of attributes of 4 bytes (struct rtattr)."""
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        if length == 8:
            yield kind, struct.unpack_from("=I", data, 4)[0]
        data = data[max(4, length + 3 & ~3) :]
