"""Looks: the parts of packets that elements need which only look at packets.

Such an element leaves every packet unchanged and sends it on by output 0, or ends it if the element has no outputs. Its C file is for the
runtime only. The kernel path copies the part of the packet that the element needs, and the packet itself goes on; the runtime runs the
action on the copy, and then frees it.
"""

from clickbpf.frozen import frozen

#: All bytes of the packet.
ALL = 0xFFFF
#: Bytes of the ring buffer for a router's copies.
RING = 1 << 20
#: Bytes of the ring buffer for the events of traced packets.
TRACES = 1 << 22


@frozen
class Look:
    """The number of bytes that are needed from the packet's start, and from each header if it is marked; bytes before these are copied,
    too. Annotations, header offsets, length, time and device are always copied."""

    data: int = 0
    mac: int = 0
    network: int = 0
    transport: int = 0
    #: Whether it only looks at packets with a network header.
    needs_network: bool = False
    #: (state, field) of a Vars state that is zero while the element doesn't look at packets.
    switch: tuple[str, str] | None = None
    #: Annotations of four bytes: packets with a nonzero one are handed over, because the element does more than look at them.
    more_with: tuple[str, ...] = ()
    #: Whether it never looks at any packet.
    never: bool = False


def length(number: int) -> int:
    """The number of bytes to copy for an argument; a negative one means all."""
    return ALL if number < 0 else min(number, ALL)
