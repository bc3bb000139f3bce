import ctypes
from collections.abc import Sequence
from enum import IntEnum
from ipaddress import IPv6Address

from clickbpf.declare import (
    ANEW, KEPT, ArgError, Array, Bool, Constants, Copies, Held, IP6Address, Integer, Keyword, OwnEtherAddress, PerThread, Private, Self,
    Time, ip6_text, read_handler, sum_handler, u8, u32, u64,
)
from clickbpf.args.names import link_local

from ..common._clock import now
from ..tables._buckets import bucket_count
from ._switch import SECOND, SwitchElement

#: Ports of a switch; ports up to which the kernel has all sets of them.
MOST_PORTS, MOST_SUBSETS = 31, 4
#: The unit of times is 2^TICK ns.
TICK = 27
#: A time that is never over, in ticks.
EVER = (1 << 32) - 1
TIMEOUT = Time(digits=0, low=SECOND, high=(1 << 24) * SECOND)


class Groups(IntEnum):
    """Places for a group; how often a listener answers at most (RFC 3810, 9.1)."""

    WAYS, ROBUSTNESS = 4, 2


class Operation(IntEnum):
    """Operations of CONTROL: store the time that entries live by where the argument points; take over a group of another switch."""

    NOW, TAKE = range(2)


class SnoopingEtherSwitch(SwitchElement, ports="2-/=", flow="#/[^#]"):
    """learning Ethernet switch that sends IPv6 multicast only where somebody listens

    An EtherSwitch that looks into Multicast Listener Discovery (MLD, RFC 2710 and RFC 3810) as RFC 4541 has it. A port listens to a group
    from a report on, until none has come for GROUP_TIMEOUT, or for as long as a router's query for that group permits. A port
    has a router when a query has come from there, for ROUTER_TIMEOUT.

    A packet to a group that somebody listens to leaves by the ports that listen, and by those that have routers. One to a group that nobody
    has reported leaves by all ports if FLOOD is true, else by those that have routers. Queries, packets to all nodes (`ff02::1`) and to
    groups of one interface, and all that is not IPv6 leave by all ports; reports leave by the ports that have routers, or by all if
    none has one. All of this is without the port that the packet came from.

    Without a router nobody asks: groups are forgotten, and their packets leave by all ports again. A switch with a QUERIER asks itself, as
    MLDv2 has it: twice soon after the start, then every 125 seconds, and about a group at the port where a listener has left it.
    Then reports leave by the ports that have routers alone. It is silent for ROUTER_TIMEOUT after a query from a lower address, as of two
    routers, or switches, one asks.

    Messages that aren't as they have to be, without a router alert, with a wrong checksum, from another link, or queries that are sent
    elsewhere than to those whom they ask, teach nothing. Packets
    with VLAN tags are not looked into.

    The kernel path makes the copies where the switch has up to four ports; with more ports it hands over packets for some of them. MLD is
    the runtime's. The table has room for twice GROUPS groups. Where a place in it is full, a group makes room of the port that has most
    groups there, counting each for the port that has listened to it longest: so a port that reports any number of groups takes no other
    port's fair share. Among those it is one that no other port listens to, if there is one, and that would be forgotten first. Its packets
    leave by all ports.

    Click has no such element.

    Arguments:

      - TIMEOUT, CAPACITY: as of EtherSwitch.

    Ports: two or more push inputs, up to 31, and as many push outputs. Packets are Ethernet packets.

    Handlers:

      - `table`, `timeout`: as of EtherSwitch.

    Example:

        FromDevice(eth0) -> s :: SnoopingEtherSwitch -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]s[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]s[2] -> Queue -> ToDevice(eth2);
    """

    enums = (Groups, Operation)
    args = (
        *SwitchElement.args,
        Keyword("GROUPS", Integer(low=1, high=1 << 16), 1 << 10, "how many groups to remember, up to 65536"),
        Keyword("GROUP_TIMEOUT", TIMEOUT, 260 * SECOND, "for how long, in whole seconds. Default 260 (RFC 3810, 9.4)"),
        Keyword("ROUTER_TIMEOUT", TIMEOUT, 255 * SECOND, "the same of a router. Default 255 (RFC 3810, 9.5)"),
        Keyword("FLOOD", Bool(), True, "whether packets to groups that nobody has reported leave by all ports"),
        Keyword("QUERIER", OwnEtherAddress(), text="an Ethernet address of the switch's own, with which it asks who listens; the IPv6 "
            "address is the link-local one that follows from it (RFC 4291, appendix A). By default it doesn't ask"),
    )
    #: `until` and `routers` have a time for each port, 0 for never. `owner` is the port whose share of the table a group takes. `asks` is
    #: 1 while it is the querier; when it asks all for the next time, in ns by now(), and up to ROBUSTNESS, how often it has.
    state_types = {
        **SwitchElement.state_types,
        "groups": Array(lambda element: element.buckets * Groups.WAYS, hash=u64, group=u8 * 16, until=u32 * MOST_PORTS, owner=u32),
        "seen": Array(1, routers=u32 * MOST_PORTS, asks=u32),
        "counters": PerThread(evicted=u64, queries=u64),
    }
    holds = (Held("addresses", ANEW, KEPT), Held("listeners and routers", KEPT, KEPT))
    weight = 400

    def configure(self) -> None:
        super().configure()
        self.buckets = bucket_count(2 * self.cfg.groups, Groups.WAYS, least=2)
        if self.ninputs > MOST_PORTS:
            raise ArgError(f"more than {MOST_PORTS} ports")
        if self.cfg.querier:
            self.state_types = {**self.state_types, "asking": Private(due=u64, sent=u32)}
        else:
            self.entries -= {"timer"}

    @property
    def _has_subsets(self) -> bool:
        return self.noutputs <= MOST_SUBSETS

    def copies(self) -> Copies:
        """Of few ports each set that isn't empty, by its bits less one."""
        if not self._has_subsets:
            return super().copies()
        masks = range(1, 1 << self.noutputs)
        return [[port for port in reversed(range(self.noutputs)) if mask >> port & 1] for mask in masks]

    def code(self) -> str:
        return "#define SWITCH_STARTS\n" if self.cfg.querier else ""

    def constants(self) -> Constants:
        address = link_local(self.cfg.querier) if self.cfg.querier else IPv6Address(0)
        return {
            **super().constants(),
            "querier_address": (IP6Address.c_type, IP6Address().c_value(address)),
            "buckets": ("__u32", str(self.buckets)),
            "subsets": ("bool", Bool().c_value(self._has_subsets)),
        }

    def initialise(self) -> None:
        super().initialise()
        if self.hotswap_element():  # the kernel path sends to everybody until take_state() knows who listens
            self.state.seen[0].routers[:] = [EVER] * MOST_PORTS

    def take_state(self, before: Self) -> None:
        """Who listens, where routers are, and whether another one asks: the next report may be minutes away."""
        own, old = self.state.seen[0], before.state.seen[0]
        own.routers[:] = old.routers
        if self.cfg.querier and before.cfg.querier == self.cfg.querier and not old.asks:
            own.asks, self.state.asking.due = 0, before.state.asking.due
        for entry in before.state.groups:
            if entry.hash:
                self.runtime.control(Operation.TAKE, (ctypes.c_uint64 * 1)(ctypes.addressof(entry)))

    def _ticks(self) -> int:
        return now(self, Operation.NOW) >> TICK

    def _living(self, until: Sequence[int]) -> str:
        ticks = max(self._ticks(), 1)
        return " ".join(str(port) for port in range(self.noutputs) if until[port] >= ticks)

    @read_handler("groups")
    def read_groups(self) -> str:
        """a line for each group: its address, and the ports that listen."""
        found = sorted((IPv6Address(bytes(entry.group)), self._living(entry.until)) for entry in self.state.groups if entry.hash)
        return "".join(f"{ip6_text(group)} {ports}\n" for group, ports in found if ports)

    routers = read_handler(lambda self: self._living(self.state.seen[0].routers), text="the ports that have routers.")

    @read_handler
    def querier(self) -> str:
        """whether it is the one who asks. `queries` (read): how often it has, at each port."""
        return Bool().c_value(bool(self.state.seen[0].asks))

    evicted = sum_handler("counters", text="how many groups that somebody listened to have made room for others")
    queries = sum_handler("counters")
