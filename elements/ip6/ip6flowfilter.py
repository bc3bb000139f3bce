import secrets
from enum import IntEnum
from itertools import repeat, zip_longest

from clickbpf.declare import (
    BEARS_OFFLOADS, KEPT, PUSH, Array, Constants, Element, Held, Integer, Keyword, PerThread, Self, Time, Vars, read_handler, sum_handler,
    u32, u64,
)

from ..common._clock import now
from ..tables._buckets import bucket_count
from ._shares import SHARES, SHARES_ARGS, share_constants

SECOND, MINUTE = 10**9, 60 * 10**9
#: The unit of a flow's life is 2^TICK ns; the flags are below.
TICK, LIFE_SHIFT = 30, 2
TIMEOUT = Time(digits=0, low=SECOND, high=(1 << 31) * SECOND)


class Size(IntEnum):
    """Slots of a bucket."""

    WAYS = 8


class IP6FlowFilter(Element, ports="2/2-3", processing=PUSH, flow="xy/xyy", traits=BEARS_OFFLOADS):
    """lets in only IPv6 packets of flows that began inside

    The packet filter that RFC 6092 recommends for a gateway to the Internet. It changes no packet. Packets from inside come on
    input 0 and leave by output 0; their flow is remembered. Packets from outside come on input 1. Packets of a known flow, and
    ICMPv6 errors about its packets, leave by output 1; all others are refused: they leave by output 2, or are dropped if it isn't
    connected.

    A flow is identified by its two addresses, its protocol, and the ports of TCP, UDP, UDP-Lite, DCCP and SCTP or the identifier of
    ICMPv6 echo requests and replies. Extension headers are skipped. Packets without a flow may go out, but not come in: other
    ICMPv6 messages, later fragments, stray TCP resets. So put an IP6Reassembler before input 1, and let packets that may always
    come in, such as pings and IPsec, bypass the filter.

    Flows are forgotten after the timeouts below. The table has room for twice CAPACITY flows; in a full bucket, the flow that would
    be forgotten first makes room. It holds keyed hashes of 63 bits in place of addresses and ports: so it is small, nobody can
    choose flows that fill a bucket, and it doesn't reveal who talks with whom.

    Packets of known flows and refused packets stay in the kernel path; a flow's first packet is handed over.

    Click has no such element.

    Arguments:

      - HOST_CAPACITY: how many flows one host inside may have, so that it can't displace others'. Packets of further flows go out,
        but nothing comes in for them. Default 0: no limit.
      - HOST_PREFIX: the number of first bits of an address that identify a host. Default 64: each host, or each link, has its own
        prefix (RFC 8273). With 128, a host with many addresses has many shares.

    Ports: push inputs 0 and 1; push outputs 0 and 1, and output 2 (may be missing) for refused packets. Packets need a network
    header annotation, as CheckIP6Header sets it.

    Example:

        filter :: IP6FlowFilter;
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> [0] filter [0] -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIP6Header -> [1] filter [1] -> Discard;
        filter[2] -> ICMP6Error(2001:db8::1, unreachable, 1) -> Discard;
    """

    enums = (Size,)
    args = (
        Keyword("CAPACITY", Integer(low=1, high=1 << 20), 1 << 14, "how many flows to remember, up to 1048576"),
        Keyword("TIMEOUT", TIMEOUT, 5 * MINUTE, "how long flows are remembered without packets, in whole seconds. Default 300"),
        Keyword("TCP_TIMEOUT", TIMEOUT, 124 * MINUTE, "the same for established TCP connections. Default 7440, two hours and four minutes"),
        Keyword("TCP_DONE_TIMEOUT", TIMEOUT, 4 * MINUTE, "the same for TCP connections being opened or closed. Default 240"),
        *SHARES_ARGS,
    )
    state_types = {
        "counters": PerThread(refused=u64, evicted=u64, beyond=u64),
        "buckets": Array(lambda element: element.buckets, hash=u64 * Size.WAYS, life=u64 * Size.WAYS),
        #: The hosts of the slots' flows, as keyed hashes; 0 for none. Only with HOST_CAPACITY.
        "owners": Array(lambda element: element.buckets if element.cfg.host_capacity else 1, host=u64 * Size.WAYS),
        #: `moving`: flows of another router's filter are still being adopted, so the kernel path refuses nothing.
        "vars": Vars(key=u64 * 2, moving=u32),
        "shares": SHARES,
    }
    holds = (Held("flows", KEPT, KEPT),)
    weight = 500

    def configure(self) -> None:
        self.buckets = bucket_count(2 * self.cfg.capacity, Size.WAYS, least=2)

    def constants(self) -> Constants:
        cfg = self.cfg
        ticks = {"idle": cfg.timeout, "tcp_idle": cfg.tcp_timeout, "tcp_short": cfg.tcp_done_timeout}
        # One tick more, since a flow's life begins within a tick.
        numbers = {name: (length >> TICK) + 1 for name, length in ticks.items()}
        lives = {name: ("__u64", str(number)) for name, number in numbers.items()}
        return {"count": ("__u32", str(self.buckets)), **lives, **share_constants(cfg, self.buckets * Size.WAYS)}

    def initialise(self) -> None:
        self.state.vars.key[:] = [secrets.randbits(64) for _ in range(2)]
        self.state.vars.moving = self.hotswap_element() is not None

    def take_state(self, before: Self) -> None:
        """Flows keep their slots, or move to those of a table of another size; flows without a slot there are forgotten."""
        self.state.vars.key[:] = before.state.vars.key
        for bucket, owners in zip_longest(before.state.buckets, before.state.owners):
            for hash_, life, owner in zip(bucket.hash, bucket.life, owners.host if owners else repeat(0)):
                if hash_:
                    self._put(hash_, life, owner)
        self.runtime.control()
        self.state.vars.moving = False

    def _put(self, hash_: int, life: int, owner: int) -> None:
        number = hash_ >> 32 & (self.buckets - 1)
        bucket = self.state.buckets[number]
        slot = min(range(Size.WAYS), key=lambda i: bucket.life[i] if bucket.hash[i] else -1)
        bucket.hash[slot], bucket.life[slot] = hash_, life
        if self.cfg.host_capacity:
            self.state.owners[number].host[slot] = owner

    @read_handler
    def flows(self) -> str:
        """how many flows are remembered."""
        ticks = self._ticks()
        lives = (life for bucket in self.state.buckets for hash_, life in zip(bucket.hash, bucket.life) if hash_)
        return str(sum(life >> LIFE_SHIFT >= ticks for life in lives))

    def _ticks(self) -> int:
        return now(self) >> TICK

    refused = sum_handler("counters", text="how many packets were refused")
    evicted = sum_handler("counters", text="how many flows have made room for others")
    beyond = sum_handler("counters", text="how many packets would have begun a flow beyond HOST_CAPACITY")
