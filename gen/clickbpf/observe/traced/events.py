"""The events of a router's trace: struct traced of userspace/trace.h."""

import struct
from collections.abc import Iterator
from enum import IntEnum

from clickbpf.frozen import frozen

#: The struct's fields, in the machine's byte order.
_EVENT = struct.Struct("=IIQHBBIiiiIIIIhBBI48s4x")
#: The element number in events of the runtime's devices.
NO_ELEMENT = 0xFFFF


class Kind(IntEnum):
    """What happened: enum traced_event of bpf/traced_event.h."""

    INPUT = 1
    DROP = 2
    SENT = 3
    HOST = 4
    SNIFFED = 5


@frozen
class Event:
    """A packet (by its `number`) at an input of an element, or leaving the router.

    `time` is in nanoseconds since 1970, `element` an index or None, `detail` the number of a drop reason or device, `device` the device
    that the packet came from, or -1. `bytes` is the packet, which may be cut to fewer than `length` bytes; `before` is the part of its
    frame that was stripped from its start. `mac`, `network` and `transport` are the headers' offsets from the packet's start, None if
    unset. `spent` is the nanoseconds since the previous report, 0 if that was of another packet. In the kernel it includes a reading of the
    clock; for a packet's first report, that is all.
    """

    number: int
    time: int
    kind: Kind
    element: int | None
    port: int
    detail: int
    device: int
    in_kernel: bool
    bytes: bytes
    before: bytes
    length: int
    mac: int | None
    network: int | None
    transport: int | None
    annotations: bytes
    spent: int = 0


def events(portion: bytes) -> Iterator[Event]:
    """The events of a portion."""
    at = 0
    while at < len(portion):
        size, number, time, element, port, kind, detail, mac, net, trans, off, trim, length, copied, device, in_kernel, _, spent, anno = (
            _EVENT.unpack_from(portion, at)
        )
        frame = portion[at + _EVENT.size : at + _EVENT.size + copied]
        end = max(off, length - trim)

        def place(header: int, off: int = off) -> int | None:
            return None if header < 0 else header - off

        yield Event(
            number, time, Kind(kind), None if element == NO_ELEMENT else element, port, detail, device, bool(in_kernel),
            frame[off:end], frame[:off], end - off if length else 0, place(mac), place(net), place(trans), anno, spent,
        )  # fmt: skip
        at += size
