"""Flows of a rewriter: their state in Python (in C: struct nat_flow, flow.h) and how handlers show them."""

from collections.abc import Iterator
from enum import IntFlag
from ipaddress import IPv4Address
from typing import Any, Self

from clickbpf.declare import Array, be16, be32, frozen, s32, u8, u16, u32, u64

#: A freed number rests until this many others have been freed after it.
RESTING = 64
#: Flow numbers beyond the capacity: those that rest, one that is about to, one that is unused.
SPARE = RESTING + 2

TCP, UDP = 6, 17


class Mark(IntFlag):
    """Bits of a flow's marks: in the heap of guaranteed flows; with differences of sequence numbers, which only the runtime
    applies; begun from outside, and not yet answered by the host; counted by a binding (bindings.h)."""

    GUARANTEED, SHIFTED, UNANSWERED, BOUND = 1, 2, 4, 8


#: A flow has 64 bytes. Pairs are for packets of the first direction and for replies. `seen` is the time of the last packet, in ns
#: by now(); `tracked` is the flow's state; only the runtime uses `place`.
FLOWS = Array(
    lambda element: element.numbers + 1,
    saddr=be32 * 2, daddr=be32 * 2, sport=be16 * 2, dport=be16 * 2, ip_delta=u16, transport_delta=u16, generation=u32, seen=u64,
    sequence_delta=s32 * 2, place=u32, output=u16 * 2, input=u16, space=u8, protocol=u8, tracked=u8, reply_anno=u8, marks=u8,
)


@frozen
class Key:
    """Addresses and ports of a packet."""

    saddr: int
    sport: int
    daddr: int
    dport: int

    @property
    def reverse(self) -> Self:
        return Key(self.daddr, self.dport, self.saddr, self.sport)


@frozen
class Mapping:
    """One direction of a flow: packets with `key` become `rewritten`."""

    direction: int
    key: Key
    rewritten: Key
    flow: Any


def address(number: int) -> IPv4Address:
    return IPv4Address(number)


def live(flows: Any, highest: int) -> Iterator[Any]:
    """Copies of the existing flows, but for those that the runtime is changing at the same moment."""
    for number in range(1, highest + 1):
        flow = flows[number]
        if flow.generation & 1:
            copy = type(flow).from_buffer_copy(flow)
            if flow.generation == copy.generation:
                yield copy


def mappings(flow: Any) -> Iterator[Mapping]:
    """Both directions of a flow; for a flow that is its own reverse only the second, by which it is indexed."""
    keys = [Key(flow.saddr[d], flow.sport[d], flow.daddr[d], flow.dport[d]) for d in (0, 1)]
    for direction in (1,) if keys[0] == keys[1] else (0, 1):
        yield Mapping(direction, keys[direction], keys[1 - direction].reverse, flow)
