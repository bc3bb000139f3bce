import ctypes
import secrets
from collections.abc import Iterator
from ipaddress import IPv6Address
from typing import Any, Self

from clickbpf.declare import (
    BEARS_OFFLOADS, KEPT, LOST, PUSH, ArgError, Array, DirectArray, Element, Ether, EtherAddress, Held, IP6Address, Integer,
    Keyword, PerThread, Private, Required, Vars, for_runtime, ip6_text, ptr, read_handler, s64, split_words, u8, u32, u64, write_handler,
)

#: States of a neighbour, as in C.
FREE, INCOMPLETE = range(2)
#: Slots of the cache, as in C.
CACHE = 1 << 12


class IP6NDSolicitor(Element, ports="2/1-3", processing=PUSH, flow="xy/x", traits=BEARS_OFFLOADS):
    """finds neighbours' Ethernet addresses for IPv6 packets

    IPv6 packets on input 0 leave by output 0 in an Ethernet header for the neighbour that their destination address annotation
    names. If the neighbour's Ethernet address is not known, the packet waits, and a solicitation (RFC 4861) is sent. Neighbour
    advertisements, with their Ethernet headers, belong on input 1: their addresses are remembered, and the packets that waited for
    them leave. Others' solicitations may come there, too: they update the Ethernet addresses of neighbours in the table (RFC 4861,
    7.2.3). Packets to multicast groups go to the group's Ethernet address (RFC 2464, 7); packets to `::` are dropped.

    A neighbour that has answered counts as reachable for 30 seconds. If packets are sent to it after that, it is asked again by
    unicast: 5 seconds later, three times in three seconds. If it doesn't answer, it is forgotten, as it is when nothing has been
    sent to it for ten minutes. An address that is not known is asked for three times in three seconds; if there is no answer, the
    packets that wait for it, at most three, leave by output 2, for ICMP6Error (7.2.2), or are dropped if there is no output 2. At
    most half of ENTRIES wait for answers: the oldest of these make room for others, so nobody can displace known neighbours by
    going through all addresses of a network.

    The kernel path sends packets whose neighbour is in a cache, and hands over all others. If the runtime has died, it also sends to
    neighbours that were known and would be asked again.

    Click's element also solicits multicast groups; it accepts advertisements with wrong checksums or hop limits, asks only once
    for a packet, and remembers neighbours without a limit.

    Ports: push input 0 for IPv6 packets, push input 1 for advertisements and solicitations; push output 0, and push output 1 for
    solicitations, which leave by output 0 if there is no output 1; push output 2, which may be missing, for packets whose neighbour
    doesn't answer.

    Example:

        c :: Classifier(12/86dd 20/3aff 54/88, 12/86dd, -);
        FromDevice(eth0) -> c;
        nd :: IP6NDSolicitor(fe80::1, 02:00:00:00:00:01) -> Queue -> ToDevice(eth0);
        c[0] -> [1]nd;
        c[1] -> Strip(14) -> CheckIP6Header -> [0]nd;
        c[2] -> Discard;
    """

    #: TAKE moves an entry of another table here, and returns the number of packets waiting for it.
    operations = ("LEARN", "TAKE")
    args = (
        Required("IP", IP6Address(), "the address of this router that solicitations come from, preferably its link-local one"),
        Required("ETH", EtherAddress(), "its Ethernet address"),
        Keyword("ENTRIES", Integer(low=2, high=65535), 1024, "how many neighbours to remember"),
    )
    annotations = ("DST_IP6",)
    state_types = {
        "counters": PerThread(queries=u64, drops=u64),
        #: The kernel path's view; `first` is the head of the chain of entries with this second slot.
        "cache": DirectArray(CACHE, high=u64, low=u64, word=u64, first=u32),
        "table": for_runtime(Array(
            lambda element: element.cfg.entries + 1,
            address=u8 * 16, ether=u8 * 8, since=s64, due=s64, state=u32, tries=u32, next=u32,
        )),
        "vars": Vars(key=u64 * 2),
        "queue": Private(waiting=ptr, wake_at=s64, incomplete=u32, hand=u32),
    }  # fmt: skip
    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("neighbours", KEPT, KEPT))
    weight = 200
    derived = {"query_port": ("int", lambda self: min(1, self.noutputs - 1))}

    def initialise(self) -> None:
        self.state.vars.key[:] = [secrets.randbits(64) for _ in range(2)]

    def take_state(self, before: Self) -> None:
        """Take neighbours with their states and waiting packets, as far as there is room."""
        waiting = before.state.queue.waiting.value
        for number, entry in enumerate(before.state.table):
            if entry.state != FREE:
                place = waiting + number * ctypes.sizeof(ptr)
                packets = self.runtime.control("TAKE", (ctypes.c_uint64 * 2)(ctypes.addressof(entry), place))
                self.runtime.adopt_packets(before, max(0, packets))

    def neighbours(self) -> Iterator[Any]:
        return (entry for entry in self.state.table if entry.state != FREE)

    def _learn(self, address: IPv6Address, ether: Ether) -> None:
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the table, is not running")
        self.runtime.control("LEARN", (ctypes.c_uint8 * 22)(*address.packed, *ether))

    @read_handler("table")
    def read_table(self) -> str:
        """a line for each neighbour: address, 1 if its Ethernet address is known or 0 if not, Ethernet address."""
        lines = (
            f"{ip6_text(IPv6Address(bytes(entry.address)))} {int(entry.state > INCOMPLETE)} {Ether(entry.ether[:6])}\n"
            for entry in self.neighbours()
        )
        return "".join(lines)

    @read_handler
    def stats(self) -> str:
        """packets dropped and solicitations sent, in words."""
        counters = self.state.counters
        return f"{counters.sum('drops')} packets killed\n{counters.sum('queries')} ND Solicitation Message sent\n"

    @write_handler
    def insert(self, text: str) -> None:
        """`IP6 ETH`, remembers a neighbour as if it had just answered."""
        words = split_words(text)
        if len(words) != 2:
            raise ArgError("expected IP6 ETH")
        self._learn(IP6Address().parse(words[0], self.context), EtherAddress().parse(words[1], self.context))
