"""What came out of a router: a packet on a device, and with a TestRecorder in its way also what it carried."""

import struct
import sys
from pathlib import Path

from clickbpf.frozen import frozen
from clickbpf.vocabulary.annotations import ANNOTATIONS, SIZE

#: The directory of the harness's own element classes, for the library's path.
ELEMENTS = Path(__file__).parent / "elements"
#: The device's name in an Output that was passed to Linux, and in one for packet sockets only.
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
    """What a packet carries besides its bytes.

    `input` is the TestRecorder's, `type` a PACKET_ number of Linux, `device` an index among the router's devices or -1.
    Offsets of headers count from the start of the packet's data; None is an unset header.
    """

    input: int
    type: int
    device: int
    mac: int | None
    network: int | None
    transport: int | None
    annotations: bytes

    def __getitem__(self, annotation: str) -> int:
        """An annotation by its name in configurations, PAINT or DST_IP; addresses as in the packet, others in host order."""
        offset, length = ANNOTATIONS[annotation]
        content = self.annotations[offset : offset + length]
        return int.from_bytes(content, "big" if annotation.startswith("DST_IP") else sys.byteorder)


def split_record(data: bytes) -> tuple[Carried | None, bytes]:
    """The record in front of a packet, and the packet; None if it didn't pass a TestRecorder."""
    if len(data) < _RECORD.size or int.from_bytes(data[:4], "big") != MAGIC:
        return None, data
    _, input_, type_, device, *offsets, annotations = _RECORD.unpack_from(data)
    mac, network, transport = (None if offset == UNSET else offset for offset in offsets)
    return Carried(input_, type_, device, mac, network, transport, annotations), data[_RECORD.size :]
