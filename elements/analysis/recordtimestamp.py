from __future__ import annotations

from clickbpf.declare import ANEW, PUSH, USER, Array, Bool, Element, ElementRef, Held, Integer, Keyword, Vars, u64

from ._number import NET_ORDER

#: The least room for times with DYNAMIC or without OFFSET; N's default; and the greatest room.
ROOM, MOST = 1 << 20, 1 << 24
USUAL = 1 << 16


def room(element: RecordTimestamp) -> int:
    """Times that an element has room for."""
    cfg = element.cfg
    return max(cfg.n or USUAL, ROOM) if cfg.dynamic or cfg.offset < 0 else cfg.n or USUAL


class RecordTimestamp(Element, processing=PUSH, runs=USER):
    """records when numbered packets come by

    A class of FastClick: a TimestampDiff further on the path measures how long they took. Packets whose number exceeds the room, or
    that are too short for one, pass without being recorded; the first one is reported. (FastClick crashes.)

    Arguments:

      - NET_ORDER: true if the number is in network byte order, false if in this machine's. Default false.

    Example: how long do packets take from eth0 to eth1?

        InfiniteSource(LENGTH 100, LIMIT 10000) -> NumberPacket(60) -> sent :: RecordTimestamp(OFFSET 60) -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> took :: TimestampDiff(sent, OFFSET 60) -> Discard;
    """

    args = (
        Keyword("COUNTER", ElementRef("NumberPacket"), text="the NumberPacket that numbers the packets; its NET_ORDER counts"),
        Keyword("N", Integer(32, high=MOST), 0, f"how many times there is room for, at most {MOST}. Default {USUAL}"),
        Keyword("OFFSET", Integer(32, signed=True), -1, "where the number is, in bytes from the start of the packet. If it is missing or "
            "negative, packets count as numbered in the order in which they come"),
        Keyword("DYNAMIC", Bool(), False, f"with true, or without OFFSET, there is room for {ROOM} times at least"),
        NET_ORDER,
        Keyword("SAMPLE", Integer(32), 1, "record only one in this many numbers"),
    )
    #: `time` is nanoseconds since boot, 0 if unknown, 1 once it has been read. `passed` numbers packets where OFFSET is missing.
    state_types = {"vars": Vars(passed=u64), "stamps": Array(room, time=u64)}
    holds = (Held("times of packets", ANEW, ANEW),)
    derived = {"sample": ("__u32", lambda self: self.cfg.sample or 1), "room": ("__u64", room)}
