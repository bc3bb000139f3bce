"""The inlet of a router on TC (bpf/exits_tc.h): a veth pair through which packets are handed over to the runtime."""

import socket
import struct
import time
from collections.abc import Sequence

from clickbpf.load.devices.devices import Device, by_index
from clickbpf.objects.made import INLET
from clickbpf.waiting import readable

#: A frame that the program at the inlet's end passes on to Linux: a handover to no element (HANDOVER_PROBE), padded.
PROBE = struct.pack("=IH", 0, 0xFFFF).ljust(60, b"\0")
ETH_P_ALL = 3
#: The longest time in seconds for a probe, which queues behind the packets in the inlet.
PATIENCE = 1.0


def cross(devices: Sequence[Device]) -> bool:
    """Wait until all packets in the inlet have crossed it, or for PATIENCE; returns whether there is an inlet."""
    found = next((device for device in devices if device.configured == INLET and device.link is not None), None)
    if found is not None:
        _cross(by_index(found.link), found.name)
    return found is not None


def _cross(entrance: str, end: str) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) as listening:
        listening.bind((end, ETH_P_ALL))
        listening.setblocking(False)
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sending:
            sending.bind((entrance, 0))
            sending.send(PROBE)
        last = time.monotonic() + PATIENCE
        while (left := last - time.monotonic()) > 0 and readable([listening.fileno()], left):
            if listening.recv(len(PROBE)) == PROBE:
                return
