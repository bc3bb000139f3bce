"""ARP tables: their state in Python and in C (arptables.h), their arguments and handlers."""

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from enum import IntEnum
from ipaddress import IPv4Address
from typing import Any, Self

from clickbpf.declare import (
    KEPT, LOST, ArgError, Array, DirectArray, Ether, EtherAddress, Held, IPAddress, Integer, Keyword, Reconfigurable, State, Time, Vars,
    View, be32, c_enum, ether, for_runtime, read_handler, s64, split_words, u8, u32, u64, write_handler,
)

from ..common._clock import now

#: The default and the largest ENTRY_CAPACITY.
DEFAULT_ENTRIES, MOST_ENTRIES = 1 << 14, 1 << 20
#: Longer times, in ns, mean for ever: 32 bits of milliseconds in whole seconds, as in Click.
LONGEST = 0xFFFFFFFF // 1000 * 10**9


class Slots(IntEnum):
    """Of a querier's cache, one for each low half of an IP address, and of its array `known`."""

    CACHE = 1 << 16
    KNOWN = 1 << 10


#: For the kernel path without a runtime: the neighbours that are known, also those who would be asked again, by the low bits of their IP
#: addresses.
KNOWN = DirectArray(Slots.KNOWN, ip=be32, ether=ether)
#: The Ethernet address of an entry without a reply.
NOBODY = Ether(b"\xff" * 6)

#: `table`: the entries, those in use chained from the oldest to the newest. Entry 0 is never used: a link of 0 ends the chain.
#: `known` is 0 until a reply arrives. Times are those of now(). `list`: the chain's ends, entries in use, packets that wait, and
#: those that were dropped while they did.
TABLE_STATES: Mapping[str, State] = {
    "table": for_runtime(Array(
        lambda element: element.capacity + 1,
        ip=be32, ether=ether, known=u8, used=u8, older=u32, newer=u32, polls=u8, live_at=s64, polled_at=s64,
    )),
    "list": Vars(oldest=u32, newest=u32, count=u32, packets=u32, drops=u64),
    "limits": Vars(capacity=u32, entry_packet_capacity=u32, capacity_slim_factor=u32, timeout=s64),
}
#: Arguments that are in `limits`.
LIMITS = ("capacity", "entry_packet_capacity", "capacity_slim_factor", "timeout")

TABLE_ARGS = (
    Keyword("CAPACITY", Integer(), 2048, "how many packets may wait; 0 for no limit. Beyond that, packets of the oldest entries are "
        "dropped"),
    Keyword("ENTRY_CAPACITY", Integer(high=MOST_ENTRIES), 0, "how many addresses to remember. The oldest are forgotten first; but if half "
        "of them are unanswered, one of those. Default, and for 0, 16384"),
    Keyword("ENTRY_PACKET_CAPACITY", Integer(), 0, "how many packets may wait for the same address; 0 for no limit"),
    Keyword("CAPACITY_SLIM_FACTOR", Integer(), 2, "when more than CAPACITY packets wait, CAPACITY / CAPACITY_SLIM_FACTOR packets are "
        "dropped"),
    Keyword("TIMEOUT", Time(digits=3), 300 * 10**9, "how long to remember an address; 0 for ever. Default 5 minutes"),
)


def structures() -> str:
    """C of struct arp_entry, arp_list and arp_known, and the number of a cache's slots."""
    states = {"entry": TABLE_STATES["table"], "list": TABLE_STATES["list"], "known": KNOWN}
    structures = (state.c_structure(f"arp_{name}") for name, state in states.items())
    return c_enum("ARP_", {"SLOTS": Slots.CACHE, "KNOWN": Slots.KNOWN}) + "".join(structures)


def or_never(nanoseconds: int) -> int:
    """A timeout; 0 for never."""
    return nanoseconds if nanoseconds < LONGEST else 0


class TableElement(Reconfigurable):
    """An element with an ARP table, its own or another's (`keeper`)."""

    #: CHANGED is for queriers. WHERE and TAKE move a table's content to another one.
    operations = ("LEARN", "CLEAR", "CHANGED", "WHERE", "TAKE", "TUNE")
    headers = {"arpstructures.h": structures}
    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("addresses", KEPT, KEPT))
    derived = {"entries": ("__u32", lambda self: self.capacity)}

    def configure(self) -> None:
        if not self.cfg.capacity_slim_factor:
            raise ArgError("CAPACITY_SLIM_FACTOR cannot be zero", argument="CAPACITY_SLIM_FACTOR")
        self.capacity = self.cfg.entry_capacity or DEFAULT_ENTRIES
        self.cfg.timeout = or_never(self.cfg.timeout)

    def keeper(self) -> Self:
        """The element that holds the table."""
        return self

    def initialise(self) -> None:
        for name in LIMITS:
            setattr(self.state.limits, name, getattr(self.cfg, name))

    def keep(self, before: Self) -> None:
        if before.capacity != self.capacity:
            raise ArgError("ENTRY_CAPACITY can't be changed while packets flow", "write the whole configuration to hotconfig")

    def reconfigure(self, wanted: Self) -> None:
        self.cfg = wanted.cfg
        TableElement.initialise(self)
        self.control("TUNE")

    def take_table(self, before: Self) -> None:
        """Take entries and waiting packets of another router's table, held by `before`."""
        table = (ctypes.c_void_p * 1)()
        packets = before.state.list.packets
        self.runtime.adopt_packets(before, packets)
        before.control("WHERE", table)
        self.control("TAKE", table)

    def control(self, operation: str, argument: Any = None) -> None:
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the table, is not running")
        self.runtime.control(operation, argument)

    def learn(self, ip: IPv4Address, address: Ether) -> None:
        self.keeper().control("LEARN", (ctypes.c_uint8 * 10)(*ip.packed, *address))

    def entries_by_age(self) -> Iterator[Any]:
        """Copies of the entries in use, from the oldest to the newest, as they were at one moment."""
        with self.runtime.locked() if self.runtime else nullcontext():
            place, content = self.state.list.oldest, bytearray(self.state.table.content())
        copy = View(TABLE_STATES["table"], memoryview(content), len(self.state.table))
        for _ in range(self.capacity):
            if not 0 < place <= self.capacity:
                return
            entry = copy[place]
            yield entry
            place = entry.newer

    @read_handler("table")
    def read_table(self) -> str:
        """a line for each address, the oldest first: IP address, 1 or 0 for known or not, Ethernet address, and seconds since the last
        reply.
        """
        keeper = self.keeper()
        time, timeout = now(keeper), keeper.cfg.timeout
        lines = []
        for entry in keeper.entries_by_age():
            age = max(0, time - entry.live_at)
            known = int(bool(entry.known) and not (timeout and age > timeout))
            seconds = f"{age // 10**9}.{age // 10**6 % 1000:03}000"
            lines.append(f"{IPv4Address(entry.ip)} {known} {Ether(entry.ether)} {seconds}\n")
        return "".join(lines)

    count = read_handler(lambda self: str(self.keeper().state.list.count), text="addresses in the table")
    length = read_handler(lambda self: str(self.keeper().state.list.packets), text="packets that wait")

    @write_handler
    def insert(self, text: str) -> None:
        """`IP ETH`, remembers an address as if it had just been learnt."""
        words = split_words(text)
        if len(words) != 2:
            raise ArgError("expected IP ETH")
        self.learn(IPAddress().parse(words[0], self.context), EtherAddress().parse(words[1], self.context))

    delete = write_handler(lambda self, text: self.learn(IPAddress().parse(text.strip(), self.context), NOBODY),
        text="`IP`, forgets the address.")
    @write_handler
    def clear(self, text: str) -> None:
        """forgets everything, drops the packets that wait."""
        self.keeper().control("CLEAR")
