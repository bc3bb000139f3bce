from collections.abc import Iterable
from enum import IntEnum

from clickbpf.declare import (
    KEPT, MARKED, PUSH, THREAD_SAFE, ArgError, Array, Bool, Constants, Element, Held, Integer, IPPort, Keyword, PerThread, Raw, Rest, Self,
    Time, Vars, read_each, read_handler, sum_handler, u32, u64,
)

from ..common._clock import now
from ..tables._buckets import bucket_count

SECOND = 10**9


class Entry(IntEnum):
    """The table's numbers: connections of a bucket, bits of a unit of time of 2^TICK ns, and bits of a connection's state: its time, marks,
    and the client's first window in units of 256. The state's upper half is the server's initial sequence number, once it is open.

    Bits of what its sides have agreed on: the client's window scale, or 15; whether it permits selective acknowledgements and has
    timestamps; 16 plus the number of bits by which windows become smaller on the way to either side; the first bytes of the cookies for
    SYNs that came in the last even and the last odd minute that had any, since the connection is open. The upper half is by how much the
    server's timestamps are ahead of what the client has seen."""

    WAYS = 8
    TICK = 30
    TIME_BITS = 20
    ENDED_BY_CLIENT = 1 << 20
    ENDED_BY_SERVER = 1 << 21
    SYN_AGAIN = 1 << 22
    OPEN = 1 << 23
    WINDOW_SHIFT = 24
    SACK = 1 << 4
    STAMPS = 1 << 5
    TO_CLIENT = 6
    TO_SERVER = 11
    RECENT = 16


class SYNProxy(Element, ports="2/2", processing=PUSH, flow="xy/xy", traits=THREAD_SAFE):
    """answers SYNs for servers, which see only clients that answer back

    Put it between the world and servers on other machines. Packets from clients come on input 0, packets from servers on input 1.
    SYNs to one of the ports are answered in the servers' place, with a keyed hash as sequence number (RFC 4987, 3.6) and a window of
    0, and nothing is remembered of them. A client that acknowledges the number within a minute or two gets a connection with its
    server; both then learn the other's window. From then on only numbers are translated: of sequences, timestamps and windows. So a
    flood of SYNs from forged addresses costs neither the servers nor this router any memory, and never reaches the runtime, which handles
    two segments of each connection: the client's acknowledgement and the server's SYN-ACK.

    Segments to these ports that belong to no connection get a reset. Segments of other ports, whichever side opened their
    connections, and all that isn't TCP, pass from input 0 to output 0 and from input 1 to output 1 as they are, as do fragments.
    Checksums aren't verified: put CheckTCPHeader before it. Of ICMP errors from the clients' side, the quoted sequence number is
    translated, so that servers find the path's MTU.

    Packets have a marked IPv4 or IPv6 header. If exactly 14 bytes precede it, they are an Ethernet header: that of an answer has the
    addresses of its packet exchanged. If other bytes do, an answer has none of them. The destination address annotation of an
    answer is set.

    Of the SYN's options, its maximum segment size reaches the server, rounded down to 1300, 1440 or 1460, or else 536 (IPv6: 1220). If
    it has timestamps, the answer's timestamp, which the client echoes, remembers two more: the window scale, without which windows are
    at most 65535 bytes, and selective acknowledgements. Clients are answered before the server is asked, so arguments say what servers
    offer. A server may have any window scale; see the arguments for one without timestamps or selective acknowledgements.

    Memory is bounded: a keyed hash assigns a connection to one of CAPACITY / 8 buckets, and in a full bucket the one without packets
    for the longest time makes room. A connection that both sides have ended, or that its server hasn't accepted, is forgotten after
    a minute without packets.

    Packets with IP options or extension headers are left to the runtime.

    Ports: push input 0 and output 1 for clients, input 1 and output 0 for servers.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> CheckTCPHeader -> [0] proxy :: SYNProxy(80, 443);
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> CheckTCPHeader -> [1] proxy;
        proxy[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
        proxy[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(eth0);
    """

    takes = (MARKED,)
    enums = (Entry,)
    args = (
        Rest("PORT", Raw(), "TCP ports of the servers"),
        Keyword("CAPACITY", Integer(32, low=1, high=1 << 22), 1 << 16, "how many connections to remember, up to 4194304, in 32 bytes each. "
            "Default is 65536"),
        Keyword("TIMEOUT", Time(digits=0, low=SECOND, high=240 * 3600 * SECOND), 7440 * SECOND, "how long a connection is remembered "
            "without packets. Default is 7440 s, two hours and four minutes (RFC 5382, 5)"),
        Keyword("MSS", Integer(16, low=536), 1460, "the largest segment that servers take, as clients learn; by IPv6 it is 20 less. "
            "Default is 1460"),
        Keyword("WSCALE", Integer(8, high=14), 7, "the window scale that clients learn: servers' windows are rounded down to multiples "
            "of 2 to this power, and are at most 65535 of these. Best is the one that servers have. Default is 7"),
        Keyword("SACK", Bool(), True, "whether servers acknowledge selectively. If they don't, but clients believe so, clients are slow "
            "to repeat what was lost. Default is true"),
        Keyword("TIMESTAMP", Bool(), True, "whether servers have timestamps. If they don't, but clients believe so, some clients drop "
            "what servers send. Default is true"),
    )  # fmt: skip
    annotations = ("DST_IP", "DST_IP6")
    state_types = {
        #: `numbers`: the cookie above the client's initial sequence number. The hash of a free place is 0.
        "connections": Array(
            lambda element: element.buckets, **dict.fromkeys(("hash", "numbers", "state", "agreed"), u64 * Entry.WAYS)
        ),
        "counters": PerThread(answered=u64, accepted=u64, opened=u64, reset=u64, evicted=u64),
        #: `moving`: the connections of a replaced router's element are still to come.
        "vars": Vars(key=u64 * 2, moving=u32),
    }
    holds = (Held("connections", KEPT, KEPT),)
    weight = 3500

    def configure(self) -> None:
        if not self.cfg.port:
            raise ArgError("there is no port to answer for", argument="PORT")
        self.ports_answered = read_each("PORT", self.cfg.port, lambda text, _: IPPort(6).parse(text, self.context))
        self.buckets = bucket_count(self.cfg.capacity, Entry.WAYS)
        # One unit more, since a connection's life begins within one.
        lives = {"life": self.cfg.timeout, "short_life": min(self.cfg.timeout, 60 * SECOND)}
        self.lives = {name: (length >> Entry.TICK) + 1 for name, length in lives.items()}

    def constants(self) -> Constants:
        return {"buckets": ("__u32", str(self.buckets)), **{name: ("__u32", str(units)) for name, units in self.lives.items()}}

    def code(self) -> str:
        test = " || ".join(f"port == {port}" for port in sorted(set(self.ports_answered)))
        return f"static __always_inline bool SELF(answers)(__u16 port)\n{{\n\treturn {test};\n}}\n"

    def initialise(self) -> None:
        self.state.vars.moving = self.hotswap_element() is not None

    def take_state(self, before: Self) -> None:
        """Connections keep their places, or move to those of a table of another size, where those silent for the longest make room."""
        self.state.vars.key[:] = before.state.vars.key
        for hash_, numbers, state, agreed in sorted(before.known(), key=lambda entry: self.silence(entry[2]), reverse=True):
            bucket = self.state.connections[hash_ >> 32 & self.buckets - 1]
            slot = max(range(Entry.WAYS), key=lambda i: self.silence(bucket.state[i]) if bucket.hash[i] else 1 << Entry.TIME_BITS)
            bucket.numbers[slot], bucket.agreed[slot], bucket.state[slot], bucket.hash[slot] = numbers, agreed, state, hash_
        self.state.vars.moving = False

    def silence(self, state: int) -> int:
        """Units of time without packets."""
        return (now(self) >> Entry.TICK) - state & (1 << Entry.TIME_BITS) - 1

    def known(self) -> Iterable[tuple[int, int, int, int]]:
        """The hash, numbers, state and agreement of each connection that isn't over."""
        for bucket in self.state.connections:
            for hash_, numbers, state, agreed in zip(bucket.hash, bucket.numbers, bucket.state, bucket.agreed):
                if hash_ and self.silence(state) <= self.lives["life" if _is_open(state) else "short_life"]:
                    yield hash_, numbers, state, agreed

    @read_handler
    def open(self) -> str:
        """how many connections servers have accepted, and at least one side hasn't ended."""
        return str(sum(_is_open(state) for _, _, state, _ in self.known()))

    answered = sum_handler("counters", text="how many SYNs were answered")
    accepted = sum_handler("counters", text="how many acknowledgements of a cookie became SYNs to a server")
    opened = sum_handler("counters", text="how many connections servers have accepted")
    reset = sum_handler("counters", text="how many segments of unknown connections were reset")
    evicted = sum_handler("counters", text="how many connections have made room for others")


def _is_open(state: int) -> bool:
    return bool(state & Entry.OPEN) and not (state & Entry.ENDED_BY_CLIENT and state & Entry.ENDED_BY_SERVER)
