"""Flows of a rewriter: their state in Python (in C: struct nat_flow, flow.h) and how handlers show them."""

from collections.abc import Iterator
from enum import IntFlag
from ipaddress import IPv4Address
from typing import Any, Self

from clickbpf.declare import Array, be16, be32, frozen, s32, u8, u16, u32, u64

#: A number that was used waits until this number of others have been given up after it.
RESTING = 64
#: Flow numbers beyond the capacity: those that rest, one that is about to, one that is unused.
SPARE = RESTING + 2

TCP, UDP = 6, 17


class Mark(IntFlag):
    """Bits of a flow's marks: it is in the heap of guaranteed flows; it has differences of sequence numbers, which only the runtime
    applies; it was begun from outside, and the host hasn't sent anything yet; it is counted for its binding (bindings.h)."""

    GUARANTEED, SHIFTED, UNANSWERED, BOUND = 1, 2, 4, 8


#: A flow has 64 bytes. Pairs are for packets of the first direction and for replies. `seen` is when the last packet came, in ns
#: by now(); `tracked` is what is known of the flow; only the runtime uses `place`.
FLOWS = Array(
    lambda element: element.numbers + 1,
    saddr=be32 * 2,
    daddr=be32 * 2,
    sport=be16 * 2,
    dport=be16 * 2,
    ip_delta=u16,
    transport_delta=u16,
    generation=u32,
    seen=u64,
    sequence_delta=s32 * 2,
    place=u32,
    output=u16 * 2,
    input=u16,
    space=u8,
    protocol=u8,
    tracked=u8,
    reply_anno=u8,
    marks=u8,
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
    """The flows that there are; the runtime may change them meanwhile."""
    for number in range(1, highest + 1):
        flow = flows[number]
        if flow.generation & 1:
            yield flow


def mappings(flow: Any) -> Iterator[Mapping]:
    """Both directions of a flow; of one that is its own reverse only that, as which it is found."""
    keys = [Key(flow.saddr[d], flow.sport[d], flow.daddr[d], flow.dport[d]) for d in (0, 1)]
    for direction in (1,) if keys[0] == keys[1] else (0, 1):
        yield Mapping(direction, keys[direction], keys[1 - direction].reverse, flow)
