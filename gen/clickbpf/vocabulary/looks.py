"""What an element that only looks at packets has to see of them.

Such an element leaves every packet as it is and sends it on by output 0, or takes it if it has no outputs. Its C file is the
runtime's. In the kernel path the part of the packet that the element needs is copied, and the packet itself goes on; the runtime
runs the action on the copy, whose output is discarded.
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
    """The number of bytes needed from the packet's start, and from its headers where they are set; bytes before these are copied,
    too. Annotations, header offsets, length, time and device always are."""

    data: int = 0
    mac: int = 0
    network: int = 0
    transport: int = 0
    #: Whether it only looks at packets with a network header.
    needs_network: bool = False
    #: A field of a state of kind Vars that is zero while it doesn't look at packets: (state, field).
    switch: tuple[str, str] | None = None
    #: Annotations of four bytes: packets with one that isn't zero are handed over, since the element does more than look at them.
    more_with: tuple[str, ...] = ()
    #: Whether it never looks at any packet.
    never: bool = False


def length(number: int) -> int:
    """The number of bytes for an argument: all if it is negative."""
    return ALL if number < 0 else min(number, ALL)
