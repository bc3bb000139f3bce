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

#: The most ports of a switch; the most ports with which the kernel can send to any subset of them.
MOST_PORTS, MOST_SUBSETS = 31, 4
#: Times are in units of 2^TICK ns.
TICK = 27
#: A time that never expires, in ticks.
EVER = (1 << 32) - 1
TIMEOUT = Time(digits=0, low=SECOND, high=(1 << 24) * SECOND)


class Groups(IntEnum):
    """Places for a group, and the robustness variable (RFC 3810, 9.1)."""

    WAYS, ROBUSTNESS = 4, 2


class SnoopingEtherSwitch(SwitchElement, ports="2-/=", flow="#/[^#]"):
    """learning Ethernet switch that sends IPv6 multicast only where somebody listens

    An EtherSwitch with snooping of Multicast Listener Discovery (MLD, RFC 2710 and RFC 3810), as in RFC 4541. A report makes its
    port listen to a group for GROUP_TIMEOUT, or less after a router's query for that group. A query marks its port as having a
    router for ROUTER_TIMEOUT.

    A packet to a group with listeners leaves by the listening ports and the router ports. A packet to a group without reports
    leaves by all ports if FLOOD is true, otherwise by the router ports. Queries, packets to all nodes (`ff02::1`) or to
    interface-local groups, and packets other than IPv6 leave by all ports. Reports leave by the router ports, or by all ports if
    there are none. No packet leaves by the port it came from.

    Without a router there are no queries: groups are forgotten, and their packets leave by all ports again. A switch with a QUERIER
    sends MLDv2 queries itself: twice soon after the start, then every 125 seconds, and for a group at a port where a listener has
    left it. Reports then leave by the router ports only. Since a network has one querier, the switch is silent for ROUTER_TIMEOUT
    after a query from a lower address.

    Invalid messages are not learned from: those without a router alert, with a wrong checksum, from another link, or to a wrong
    destination. Packets with VLAN tags are not examined.

    The kernel path makes the copies if the switch has at most four ports; with more ports, it hands over packets for some of them.
    The runtime handles MLD. The table has room for twice GROUPS groups. When a new group finds no room, it replaces a group of the
    port with the most groups there; a group counts for the port that has listened to it longest. So a port that reports many groups
    can't take another port's fair share. Groups with no other listening ports, and those that would expire first, are replaced
    first. Packets to a replaced group leave by all ports.

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

    enums = (Groups,)
    args = (
        *SwitchElement.args,
        Keyword("GROUPS", Integer(low=1, high=1 << 16), 1 << 10, "how many groups to remember, up to 65536"),
        Keyword("GROUP_TIMEOUT", TIMEOUT, 260 * SECOND, "how long a port listens after a report, in whole seconds. Default 260 (RFC 3810, "
            "9.4)"),
        Keyword("ROUTER_TIMEOUT", TIMEOUT, 255 * SECOND, "how long a port has a router after a query, in whole seconds. Default 255 (RFC "
            "3810, 9.5)"),
        Keyword("FLOOD", Bool(), True, "whether packets to groups without reports leave by all ports"),
        Keyword("QUERIER", OwnEtherAddress(), text="an Ethernet address of the switch's own, the source of its queries, with the "
            "corresponding link-local IPv6 address (RFC 4291, appendix A). By default the switch sends no queries"),
    )
    #: `until` and `routers` have a time for each port, 0 for never. `owner`: the port whose share of the table a group takes.
    #: `asks`: 1 while the switch is the querier. `due`: the next general query, in ns of now(); `sent`: general queries so far, up
    #: to ROBUSTNESS.
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
        """With few ports, all nonempty subsets; the index is the bit mask minus one."""
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
        if self.hotswap_element():  # the kernel path floods until take_state() has the listeners
            self.state.seen[0].routers[:] = [EVER] * MOST_PORTS

    def take_state(self, before: Self) -> None:
        """Take listeners, router ports, and the state of the querier: the next report may be minutes away."""
        own, old = self.state.seen[0], before.state.seen[0]
        own.routers[:] = old.routers
        if self.cfg.querier and before.cfg.querier == self.cfg.querier and not old.asks:
            own.asks, self.state.asking.due = 0, before.state.asking.due
        for entry in before.state.groups:
            if entry.hash:
                self.runtime.control(argument=(ctypes.c_uint64 * 1)(ctypes.addressof(entry)))

    def _ticks(self) -> int:
        return now(self) >> TICK

    def _living(self, until: Sequence[int]) -> str:
        ticks = max(self._ticks(), 1)
        return " ".join(str(port) for port in range(self.noutputs) if until[port] >= ticks)

    @read_handler("groups")
    def read_groups(self) -> str:
        """a line for each group: its address and the listening ports."""
        found = sorted((IPv6Address(bytes(entry.group)), self._living(entry.until)) for entry in self.state.groups if entry.hash)
        return "".join(f"{ip6_text(group)} {ports}\n" for group, ports in found if ports)

    routers = read_handler(lambda self: self._living(self.state.seen[0].routers), text="the router ports.")

    @read_handler
    def querier(self) -> str:
        """whether the switch is the querier. `queries` (read): the number of queries sent, over all ports."""
        return Bool().c_value(bool(self.state.seen[0].asks))

    evicted = sum_handler("counters", text="groups with listeners that were replaced by others")
    queries = sum_handler("counters")
