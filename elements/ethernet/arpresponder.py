from ipaddress import IPv4Address
from itertools import chain

from clickbpf.declare import (
    BEARS_OFFLOADS, HALF, THREAD_SAFE, AlignmentRule, ArgError, Array, Ether, IPAddress, Prefix, Raw, Reconfigurable, Rest, Self,
    Vars, be32, ether, read_each, read_handler, u64, write_handler,
)

from ._arpentries import Entry, in_order, parse_entries, parse_prefix, repeated

#: The most entries that can be added at run time.
SPARE = 32


class ARPResponder(Reconfigurable, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | THREAD_SAFE):
    """answers ARP requests

    Synopsis: `ARPResponder(IP/MASK [IP/MASK ...] ETH, ...)`

    Takes ARP requests with their Ethernet headers. If the requested address is in one of the prefixes, a reply with the Ethernet
    address of the longest such prefix leaves by output 0. All other packets leave unchanged by output 1, or are dropped if it isn't
    connected. With prefixes of networks it does proxy ARP.

    The reply has the request's device and VLAN tag annotations, and no others.

    Arguments:

      - IP/MASK ... ETH: IP addresses or prefixes and their Ethernet address. A name with both (AddressInfo) need be given only
        once; if it has an address and a prefix, the address is used.

    Handlers:

      - `lookup` (read, with an IP address): the Ethernet address for it, or nothing.
      - `config` (read, write): all ENTRYs.

    Example: replies for the router's own address, and by proxy for 10.0.7.0/24:

        c :: Classifier(12/0806 20/0001, -);
        FromDevice(eth0) -> c;
        c[0] -> ARPResponder(10.0.0.1 10.0.7.0/24 02:00:00:00:00:01) -> Queue -> ToDevice(eth0);
        c[1] -> Discard;
    """

    alignment = AlignmentRule((HALF,), gives=HALF)
    args = (Rest("ENTRY", Raw()),)
    #: The table twice, so that a change is one store: `current` is the half in use (0 or 1) << 32 | its length.
    state_types = {
        "table": Array(lambda element: 2 * element.room, address=be32, mask=be32, ether=ether),
        "vars": Vars(current=u64),
    }
    holds = ()
    weight = 150
    derived = {"room": ("__u32", lambda self: self.room)}

    def configure(self) -> None:
        read = read_each("ENTRY", self.cfg.entry, lambda text, _: parse_entries(text, self.context), "argument {index}: {}")
        entries = list(chain.from_iterable(read))
        self.answers, self.repeated = in_order(entries), repeated(entries)
        self.room = len(self.answers) + SPARE

    def warnings(self) -> list[ArgError]:
        return [ArgError(f"multiple entries for {prefix}") for prefix in self.repeated]

    def initialise(self) -> None:
        self._store(self.answers)

    def keep(self, before: Self) -> None:
        self.room = before.room
        self._check_room(self.answers)

    # -- the table ---------------------------------------------------------------------------------------------------

    def _current(self) -> tuple[int, int]:
        """First place and number of the entries in use."""
        half, length = divmod(self.state.vars.current, 1 << 32)
        return half * self.room, length

    def _table(self) -> list[Entry]:
        first, length = self._current()
        values = [self.state.table[first + i] for i in range(length)]
        return [Entry(Prefix(IPv4Address(v.address), IPv4Address(v.mask)), Ether(v.ether)) for v in values]

    def _check_room(self, entries: list[Entry]) -> None:
        if len(entries) > self.room:
            raise ArgError(f"the table is full: it has room for {self.room} entries")

    def _store(self, entries: list[Entry]) -> None:
        self._check_room(entries)
        half = 0 if self._current()[0] else 1
        for place, entry in enumerate(entries, half * self.room):
            value = self.state.table[place]
            value.address, value.mask = int(entry.prefix.address), int(entry.prefix.mask)
            value.ether[:] = entry.ether
        self.state.vars.current = half << 32 | len(entries)

    # -- handlers ----------------------------------------------------------------------------------------------------

    table = read_handler(lambda self: "".join(f"{entry}\n" for entry in self._table()), text="the entries, a line each.")

    @read_handler
    def lookup(self, text: str) -> str:
        address = IPAddress().parse(text.strip(), self.context)
        return next((str(entry.ether) for entry in self._table() if address in entry.prefix), "")

    add = write_handler(lambda self, text: self._store(in_order([*self._table(), *parse_entries(text, self.context)])),
        text="adds entries, written as in an argument; they replace those with the same prefix.")

    @write_handler
    def remove(self, text: str) -> None:
        """removes the entry of a prefix."""
        prefix, table = parse_prefix(text.strip(), self.context), self._table()
        left = [entry for entry in table if entry.prefix != prefix]
        if len(left) == len(table):
            raise ArgError(f"{prefix} not found")
        self._store(left)
