"""The output of a router: a packet on a device and, if it passed a TestRecorder, also its annotations."""

import struct
import sys
from pathlib import Path

from clickbpf.frozen import frozen
from clickbpf.vocabulary.annotations import ANNOTATIONS, SIZE

#: The directory of the harness's own element classes, for the library's path.
ELEMENTS = Path(__file__).parent / "elements"
#: The device's name in an Output that was passed to Linux, and in an Output for packet sockets only.
HOST, SNIFFERS = "host", "sniffers"

MAGIC = 0x7C11C8BF
UNSET = -32768
_RECORD = struct.Struct(f"!IBBhhhh2x{SIZE}s")


@frozen
class Output:
    """A packet that left the router: the device's name in the configuration, or HOST."""

    device: str
    data: bytes


@frozen
class Carried:
    """A packet's annotations and header offsets.

    `input` is the TestRecorder's, `type` one of Linux's PACKET_ numbers, `device` an index among the router's devices or -1. Offsets of
    headers are from the start of the packet's data, None if unset.
    """

    input: int
    type: int
    device: int
    mac: int | None
    network: int | None
    transport: int | None
    annotations: bytes

    def __getitem__(self, annotation: str) -> int:
        """An annotation by its name in configurations, such as PAINT or DST_IP; addresses are in network order, others in host order."""
        offset, length = ANNOTATIONS[annotation]
        content = self.annotations[offset : offset + length]
        return int.from_bytes(content, "big" if annotation.startswith("DST_IP") else sys.byteorder)


def split_record(data: bytes) -> tuple[Carried | None, bytes]:
    """The record in front of a packet, or None if it didn't pass a TestRecorder; and the packet."""
    if len(data) < _RECORD.size or int.from_bytes(data[:4], "big") != MAGIC:
        return None, data
    _, input_, type_, device, *offsets, annotations = _RECORD.unpack_from(data)
    mac, network, transport = (None if offset == UNSET else offset for offset in offsets)
    return Carried(input_, type_, device, mac, network, transport, annotations), data[_RECORD.size :]
