"""The base of load balancers: modes, active servers, and the table by which balancer.inc.h chooses a server."""

from enum import IntEnum
from hashlib import blake2b

from clickbpf.declare import (
    ANEW, KEPT, MARKED, PUSH, THREAD_SAFE, ArgError, Array, Bool, Constants, Context, Element, Enum, Held, Integer, Keyword, Raw, Vars,
    numbered_handlers, read_handler, u8, u16, u32, u64, write_handler,
)

from ._maglev import populate, prime_from

#: The most servers, and the most places of the table for consistent hashing.
MOST, MOST_PLACES = 4096, 1 << 17


class By(IntEnum):
    """The number that chooses a place of the table."""

    TURN, FLOW, ADDRESSES, AGGREGATE, LEAST, TWO = range(6)


class Load(IntEnum):
    """What LST_MODE compares."""

    CONNECTIONS, PACKETS, BYTES, CPU = range(4)


#: The modes: the chooser, and whether hashing is consistent.
MODES = {
    "rr": (By.TURN, False),
    "hash": (By.FLOW, False),
    "hash_ip": (By.ADDRESSES, False),
    "hash_agg": (By.AGGREGATE, False),
    "least": (By.LEAST, False),
    "pow2": (By.TWO, False),
    "cst_hash": (By.FLOW, True),
    "cst_hash_ip": (By.ADDRESSES, True),
    "cst_hash_agg": (By.AGGREGATE, True),
}
UNUSED = "An argument of FastClick's mode awrr. Accepted, but has no effect"
#: Arguments of all of them.
BALANCE = (
    Keyword("LB_MODE", Enum(*MODES), "rr", "how to choose a server, see above"),
    Keyword("NSERVER", Integer(16), 0, "how many servers, the first ones, are active at first; 0 for all"),
    Keyword("CST_BUCKETS", Integer(32, low=1, high=MOST_PLACES), text="places of the table for consistent hashing, up to 131072, rounded "
        "up to a prime number. Default is 100 for each server"),
    Keyword("SEED", Integer(64), text="seed of the hashes. Balancers with the same seed choose alike, even after a hot swap; whoever "
        "knows it can craft packets that all go to one server. Default is a secret number"),
    Keyword("FORCE_TRACK_LOAD", Bool(), False, "count each server's packets and bytes"),
    Keyword("LST_MODE", Enum(**{name: int(load) for name, load in zip(("conn", "packets", "bytes", "cpu"), Load)}), 0, "the load that the "
        "modes least and pow2 compare"),
    *(Keyword(name, Raw(), text=UNUSED) for name in ("AWRR_TIME", "AWRR_ALPHA")),
)


class LoadBalancer(Element, processing=PUSH, traits=THREAD_SAFE):
    """Base of load balancers."""

    same_form = True
    enums = (By, Load)
    takes = (MARKED,)
    weight = 300
    state_types = {
        "servers": Array(lambda element: element.total, address=u8 * 16, active=u8, loads=u64 * len(Load), open=u64),
        "table": Array(lambda element: element.places, server=u16),
        "balance": Vars(key=u64 * 2, next=u64, filled=u32),
    }
    holds = (Held("whose turn it is, and servers' loads", ANEW, KEPT),)

    #: How many servers there are.
    total: int

    def names(self) -> list[bytes]:
        """The servers' names, for consistent hashing."""
        raise NotImplementedError

    def configure(self) -> None:
        if self.total > MOST:
            raise ArgError(f"there are {self.total} servers, of which {MOST} are possible")
        if self.cfg.nserver > self.total:
            raise ArgError(f"there are {self.total} servers, not {self.cfg.nserver}", argument="NSERVER")
        self.by, self.consistent = MODES[self.cfg.lb_mode]
        self.by_load = self.by in (By.LEAST, By.TWO)
        self.counts = self.by_load and self.cfg.lst_mode == Load.CONNECTIONS
        if self.counts and "flows" not in self.state_types:
            raise ArgError("this class knows no connections: use FlowIPLoadBalancer, or LST_MODE packets", argument="LB_MODE")
        self.places = prime_from(max(self.cfg.cst_buckets or 100 * self.total, self.total)) if self.consistent else self.total

    def constants(self) -> Constants:
        tracks = self.cfg.force_track_load or (self.by_load and self.cfg.lst_mode in (Load.PACKETS, Load.BYTES))
        return {
            "by": ("__u32", str(int(self.by))),
            "total": ("__u32", str(self.total)),
            "tracks": ("bool", "true" if tracks else "false"),
            "counts": ("bool", "true" if self.counts else "false"),
        }

    def initialise(self) -> None:
        for number, server in enumerate(self.state.servers):
            server.active = number < (self.cfg.nserver or self.total)
        if self.cfg.seed is not None:
            digest = blake2b(str(self.cfg.seed).encode(), digest_size=16).digest()
            self.state.balance.key[:] = int.from_bytes(digest[:8]) or 1, int.from_bytes(digest[8:])
        self._fill()

    def _active(self) -> list[int]:
        return [number for number, server in enumerate(self.state.servers) if server.active]

    def _fill(self) -> None:
        """Fill the table with active servers. Meanwhile each place has a server that is or was active."""
        active, balance = self._active(), self.state.balance
        chosen = populate([self.names()[number] for number in active], self.places) if self.consistent else range(len(active))
        balance.filled = min(balance.filled, len(chosen))
        for place, index in enumerate(chosen):
            self.state.table[place].server = active[index]
        balance.filled = len(chosen)

    def _set_active(self, number: int, active: bool) -> None:
        self.state.servers[number].active = active
        self._fill()

    active = numbered_handlers(
        lambda element: element.total,
        lambda element, number: Bool().unparse(bool(element.state.servers[number].active)),
        lambda element, number, text: element._set_active(number, Bool().parse(text.strip(), Context())),
    )

    @write_handler
    def add_server(self, text: str) -> None:
        """activates the first inactive server."""
        active = self._active()
        if len(active) == self.total:
            raise ArgError("all servers are active")
        self._set_active(next(number for number in range(self.total) if number not in active), True)

    @write_handler
    def remove_server(self, text: str) -> None:
        """gives the last active server no new packets (FastClick: one at random)."""
        active = self._active()
        if not active:
            raise ArgError("no server is active")
        self._set_active(active[-1], False)

    nb_total_servers = read_handler(lambda self: str(self.total), text="how many servers there are")
    nb_active_servers = read_handler(lambda self: str(len(self._active())), text="how many of them are active")
    load_conn = read_handler(lambda self: self._loads(Load.CONNECTIONS), text="with LST_MODE conn, how many flows each server has")
    load_packets = read_handler(lambda self: self._loads(Load.PACKETS), text="with FORCE_TRACK_LOAD, how many packets each server got")
    load_bytes = read_handler(lambda self: self._loads(Load.BYTES), text="and how many bytes")
    load = read_handler(lambda self: self._loads(Load.CPU), text="the servers' loads for LST_MODE cpu")

    @write_handler("load")
    def write_load(self, text: str) -> None:
        """sets some, as in `0:35,2:90`."""
        for item in text.strip().split(","):
            number, _, load = item.partition(":")
            server = Integer(32, high=self.total - 1).parse(number.strip(), Context())
            self.state.servers[server].loads[Load.CPU] = Integer(64).parse(load.strip(), Context())

    def _loads(self, load: Load) -> str:
        return " ".join(str(server.loads[load]) for server in self.state.servers)
