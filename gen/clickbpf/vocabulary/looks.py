"""What an element that only looks at packets has to see of them.

Such an element leaves every packet as it is and sends it on by output 0, or takes it if it has no outputs. Its C file is the
runtime's. In the kernel path a packet is copied, as far as the element needs it, and stays where it is; the runtime runs the action on the
copy, whose output is discarded.
"""

from __future__ import annotations

from clickbpf.frozen import frozen

#: As many bytes as there are.
ALL = 0xFFFF
#: Bytes of the ring buffer that a router's copies wait in.
RING = 1 << 20
#: The same of what packets meet that are traced.
TRACES = 1 << 22


@frozen
class Look:
    """So many bytes from the packet's start, and from its headers where they are set; those before come with them, and annotations,
    header offsets, length, time and device always do."""

    data: int = 0
    mac: int = 0
    network: int = 0
    transport: int = 0
    #: Whether it looks at packets with a network header only.
    needs_network: bool = False
    #: A field of a state of kind Vars that is zero while it looks at no packet: (state, field).
    switch: tuple[str, str] | None = None
    #: Annotations of four bytes with which it does more than look, if they aren't zero: such packets are handed over.
    more_with: tuple[str, ...] = ()
    #: It never looks at any.
    never: bool = False


def length(number: int) -> int:
    """Bytes that an argument asks for: all of them if it is negative."""
    return ALL if number < 0 else min(number, ALL)
