import errno
from ipaddress import IPv4Address

from clickbpf.declare import (
    PUSH, SAME, USER, ArgError, Array, Element, Ether, EtherAddress, IPAddress, Integer, Keyword, Optional, Vars, be32, ether, read_handler,
    reset_handler, split_words, sum_handler, u32, write_handler,
)

#: The most entries of a table.
MOST = 1 << 12
NAMES = ("dstip", "dsteth", "srcip", "srceth")
COLUMNS = ("Dst IP", "Dst MAC", "Adv IP", "Adv MAC")
ENTRY = (IPAddress(), EtherAddress(), IPAddress(), EtherAddress())


class ARPAdvertiser(Element, ports="0/1", processing=PUSH, runs=USER):
    __doc__ = f"""advertises Ethernet addresses to hosts, again and again

    A class of FastClick: ARPFaker with a table. One second after the start, and then every 10 seconds, it sends an ARP reply for
    each entry to the host DSTIP, DSTETH, with SRCETH as the Ethernet address of SRCIP.

    Handlers:

      - `count`, `capacity` (read): the number of entries, and the room for entries, which doubles as needed, up to {MOST}.
      - `insert`, `delete` (write): an entry, as in `10.0.0.2 02:00:00:00:00:02 10.0.0.9 02:00:00:00:00:09`.

    Example: ARPAdvertiser(10.0.0.2, 02:00:00:00:00:02, 10.0.0.9, 02:00:00:00:00:09) -> Queue -> ToDevice(eth0);
    """

    args = (
        Optional("DSTIP", IPAddress(), IPv4Address(0), "the first entry, if all are given and none is 0"),
        Optional("DSTETH", EtherAddress(), text=SAME),
        Optional("SRCIP", IPAddress(), IPv4Address(0), SAME),
        Optional("SRCETH", EtherAddress(), text=SAME),
        Keyword("CAPACITY", Integer(low=1, high=MOST), 10, "the initial `capacity`"),
    )
    state_types = {"vars": Vars(count=u32, capacity=u32), "table": Array(MOST, dstip=be32, srcip=be32, dsteth=ether, srceth=ether)}
    holds = ()

    def initialise(self) -> None:
        self.state.vars.capacity = self.cfg.capacity
        first = tuple(getattr(self.cfg, name) for name in NAMES)
        if all(value is not None and any(_bytes(value)) for value in first):
            self._append(first)

    def _entries(self) -> list[tuple]:
        """The table's rows, each of values as ENTRY reads them."""
        rows = (self.state.table[i] for i in range(self.state.vars.count))
        return [(IPv4Address(r.dstip), Ether(r.dsteth), IPv4Address(r.srcip), Ether(r.srceth)) for r in rows]

    def _append(self, entry: tuple) -> None:
        variables = self.state.vars
        row = self.state.table[variables.count]
        row.dstip, row.srcip = int(entry[0]), int(entry[2])
        row.dsteth[:], row.srceth[:] = bytes(entry[1]), bytes(entry[3])
        variables.count += 1
        while variables.capacity < variables.count:
            variables.capacity *= 2

    def _parse(self, text: str) -> tuple:
        words = split_words(text)
        if len(words) != len(ENTRY):
            raise ArgError("expected DSTIP DSTETH SRCIP SRCETH", "as in '10.0.0.2 02:00:00:00:00:02 10.0.0.9 02:00:00:00:00:09'")
        return tuple(kind.parse(word, self.context) for kind, word in zip(ENTRY, words))

    table = read_handler(lambda self: "".join(self._line(entry) for entry in self._entries()), text="the entries.")

    @staticmethod
    def _line(entry: tuple) -> str:
        texts = [f"{title} {_text(value):>17}" for title, value in zip(COLUMNS, entry)]
        return f"[{texts[0]}, {texts[1]}] --> [{texts[2]}, {texts[3]}]\n"

    count = sum_handler("vars")
    capacity = sum_handler("vars")

    @write_handler
    def insert(self, text: str) -> None:
        entry = self._parse(text)
        if entry in self._entries():
            raise ArgError("the entry is there already")
        if self.state.vars.count == MOST:
            raise ArgError(f"the table is full, with {MOST} entries", result=-errno.ENOMEM)
        self._append(entry)

    @write_handler
    def delete(self, text: str) -> None:
        entry, entries = self._parse(text), self._entries()
        if entry not in entries:
            raise ArgError("no such entry", result=-errno.ENOENT)
        entries.remove(entry)
        self.state.vars.count = 0
        for kept in entries:
            self._append(kept)

    clear = reset_handler("vars", "count", text="deletes all.")


def _bytes(value: IPv4Address | Ether) -> bytes:
    return value.packed if isinstance(value, IPv4Address) else bytes(value)


def _text(value: IPv4Address | Ether) -> str:
    return str(value) if isinstance(value, IPv4Address) else ":".join(f"{byte:02x}" for byte in value)
