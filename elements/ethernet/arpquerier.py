from ipaddress import IPv4Address

from clickbpf.declare import (
    ANY, BEARS_OFFLOADS, ETHERNET, ETHER_HLEN, HALF, NAMES_ANYWHERE, NETWORK, NOWHERE, PUSH, THREAD_SAFE, WORD, AlignmentRule, ArgError,
    Bool, Companion, Constants, Context, DirectArray, ElementRef, EtherAddress, Form, IPAddress, IPPrefixNonContiguous, Keyword, Optional,
    PerThread, Prefix, Private, Required, Self, Time, Type, Vars, be32, c_string, ether, field_handlers, read_handler, s64,
    sum_handler, u8, u16, u64, write_handler,
)

from ._arptable import KNOWN, Slots, TABLE_ARGS, TABLE_STATES, TableElement, or_never

EVERYBODY = IPv4Address("255.255.255.255")


class Host(Type):
    """An IP address, perhaps with its prefix; value (Prefix, the text, which may be a name of an Ethernet address too)."""

    described = "an IP address, perhaps with its prefix length, or a name that stands for an IP and an Ethernet address"

    def parse(self, text: str, context: Context = NOWHERE) -> tuple[Prefix, str]:
        return IPPrefixNonContiguous().parse(text, context), text


class ARPQuerier(Companion, TableElement, ports="2/1-2", processing=PUSH, flow="xy/x"):
    """puts IP packets into Ethernet headers, with addresses found by ARP

    Synopsis: `ARPQuerier(IP, ETH, ...)` or `ARPQuerier(NAME, ...)`

    A packet on input 0 leaves by output 0 with an Ethernet header to the host whose IP address is the packet's destination
    annotation. If that host's Ethernet address is unknown, the packet waits, and a request is sent. ARP replies, with their
    Ethernet headers, belong on input 1: their addresses are remembered, and packets waiting for them leave.

    After POLL_TIMEOUT an address is still used, but the host is asked again; after TIMEOUT without a reply the address is
    forgotten. For one address at most ten requests are sent in a second, and after ten without a reply one every two seconds.

    Packets to 255.255.255.255 and to BROADCAST go to the Ethernet broadcast address, packets to multicast groups to the
    group's Ethernet address (RFC 1112), packets to 0.0.0.0 are dropped; unless the table has an entry for the address.

    The kernel path sends packets whose address is in a cache, and hands over all others. Of two hosts whose IP addresses end in the
    same two bytes only one can be in the cache. If the runtime has died, the kernel path also sends to hosts that were known and would
    be asked again.

    Arguments:

      - NAME: a name for both (AddressInfo).

    Ports: push input 0 for IP packets, push input 1 for ARP replies; push output 0, and push output 1 (may be missing) for
    requests, which otherwise leave by output 0.

    Example:

        c :: Classifier(12/0800, 12/0806 20/0002, -);
        FromDevice(eth0) -> c;
        arp :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:01) -> Queue -> ToDevice(eth0);
        c[0] -> Strip(14) -> CheckIPHeader -> [0]arp;
        c[1] -> [1]arp;
        c[2] -> Discard;
    """

    enums = (Slots,)
    traits = BEARS_OFFLOADS | NAMES_ANYWHERE | THREAD_SAFE
    takes = (Form(begins=NETWORK, needs="DST_IP"), ANY)
    alignment = AlignmentRule((WORD, HALF), moves=-ETHER_HLEN)
    args = (
        Required("IP", Host(), "this router's address on that network, perhaps with its prefix length: `10.0.0.1/24`"),
        Optional("ETH", EtherAddress(), text="its Ethernet address"),
        Keyword("TABLE", ElementRef("ARPTable"), text="an ARPTable to use. Without it the element has its own; with it CAPACITY, "
            "ENTRY_CAPACITY, ENTRY_PACKET_CAPACITY, CAPACITY_SLIM_FACTOR and TIMEOUT are the table's"),
        *TABLE_ARGS,
        Keyword("POLL_TIMEOUT", Time(digits=3), 60 * 10**9, "how long to use an address without asking again; 0 for ever. Default 1 "
            "minute"),
        Keyword("BROADCAST", IPAddress(), text="the network's broadcast address. Default: the last address of IP's prefix, if it has "
            "one", setting="vars", then="_changed"),
        Keyword("BROADCAST_POLL", Bool(), False, "whether to broadcast repeated requests, instead of asking only the host"),
    )
    #: The kernel path uses `cache`: the slot for the low half of an IP address has an Ethernet address and the high half; zero is
    #: empty. Read and written as one word of 8 bytes.
    state_types = {
        "cache": DirectArray(Slots.CACHE, ether=ether, net=u16),
        "known": KNOWN,
        "vars": Vars(ip=be32, broadcast=be32, broadcast_poll=u8, poll_timeout=s64),
        "counters": PerThread(queries=u64, responses=u64, drops=u64),
        "queries": Private(wake_at=s64),
        **TABLE_STATES,
    }

    def configure(self) -> None:
        super().configure()
        self.cfg.poll_timeout = or_never(self.cfg.poll_timeout)
        prefix, name = self.cfg.ip
        self.cfg.eth = self.cfg.eth or self.context.names.ether(self.name, name)
        if self.cfg.eth is None:
            said = "ETH: required argument missing"
            raise ArgError("required argument ETH is missing", f"expected ETH, {EtherAddress().describe()}", in_click=said)
        self.address = prefix.address
        self.broadcast_address = self.cfg.broadcast or (EVERYBODY if prefix.length == 32 else prefix.broadcast)
        self._use_table(self.cfg.table)

    def _use_table(self, table: str | None) -> None:
        self.cfg.table = table
        known = type(self).state_types
        self.state_types = {name: kind for name, kind in known.items() if not (table and name in TABLE_STATES)}

    def keep(self, before: Self) -> None:
        """As in Click, TABLE can't be changed."""
        self._use_table(before.cfg.table)
        if not self.cfg.table:
            super().keep(before)

    def constants(self) -> Constants:
        return {
            **super().constants(),
            "query_port": ("int", str(self.noutputs - 1)),
            "declaration": ("const char *", c_string(f"{self.name} :: {self.class_name()}")),
        }

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(begins=ETHERNET)

    def initialise(self) -> None:
        if not self.cfg.table:
            super().initialise()
        own = self.state.vars
        own.ip, own.broadcast = int(self.address), int(self.broadcast_address)
        own.broadcast_poll, own.poll_timeout = self.cfg.broadcast_poll, self.cfg.poll_timeout

    def reconfigure(self, wanted: Self) -> None:
        """As in Click, the element's own table is cleared if the router's addresses change."""
        moved = (wanted.address, wanted.cfg.eth) != (IPv4Address(self.state.vars.ip), self.cfg.eth)
        self.address, self.broadcast_address = wanted.address, wanted.broadcast_address
        if self.cfg.table:
            self.cfg = wanted.cfg
        else:
            super().reconfigure(wanted)
        self.initialise()
        if moved and not self.cfg.table:
            self.control("CLEAR")
        self.control("CHANGED")

    def take_state(self, before: Self) -> None:
        """Take the table and the counts, if this router's addresses are the same."""
        vars = ("ip", "broadcast")
        if before.cfg.eth != self.cfg.eth or any(getattr(before.state.vars, v) != getattr(self.state.vars, v) for v in vars):
            return
        if not self.cfg.table and not before.cfg.table:
            self.take_table(before)
        for name in ("queries", "responses", "drops"):
            setattr(self.state.counters[0], name, before.state.counters.sum(name))

    def keeper(self) -> TableElement:
        if not self.cfg.table:
            return self
        if self.runtime is None:
            raise ArgError("the runtime, which keeps the table, is not running")
        return self.runtime.element(self.cfg.table)

    # -- handlers ----------------------------------------------------------------------------------------------------

    @read_handler
    def stats(self) -> str:
        """packets dropped and requests sent, in words."""
        killed = self.state.counters.sum("drops") + self.keeper().state.list.drops
        return f"{killed} packets killed\n{self.state.counters.sum('queries')} ARP queries sent\n"

    queries = sum_handler("counters", text="requests sent")
    responses = sum_handler("counters", text="packets received on input 1")
    drops = sum_handler("counters", text="packets dropped without waiting for a reply")

    ipaddr = field_handlers("vars", IPAddress(), "_changed", "ip", text="this router's address")

    def _changed(self) -> None:
        self.control("CHANGED")

    @write_handler
    def clear(self, text: str) -> None:
        """forgets everything, drops the packets that wait, sets the counts to 0."""
        self.state.counters.clear()
        super().clear(text)
