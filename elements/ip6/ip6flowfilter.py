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


class Operation(IntEnum):
    """The operations of CONTROL."""

    NOW = 0
    COUNT = 1


class IP6FlowFilter(Element, ports="2/2-3", processing=PUSH, flow="xy/xyy", traits=BEARS_OFFLOADS):
    """lets in only IPv6 packets of flows that began inside

    The packet filter of a gateway to the Internet as RFC 6092 recommends it, which changes no packet. Packets from inside come on input
    0 and leave by output 0; their flow is remembered. Packets from outside come on input 1. Those of a flow that is remembered
    leave by output 1, and so do ICMPv6 errors about its packets; all others are refused: they leave by output 2, or are dropped
    if that is not there.

    A flow is, with the two addresses and the protocol, the ports of TCP, UDP, UDP-Lite, DCCP and SCTP, and the identifier of
    ICMPv6 echo requests and replies; other protocols have a flow for each two addresses. Extension headers are gone over. What has
    no flow goes out and not in: other ICMPv6 messages, fragments after the first, TCP resets that belong to nothing. So put
    IP6Reassembler before input 1, and let in before what is always to come in, such as pings and IPsec.

    Flows are forgotten when no packet came for the time that the arguments say. The table has room for twice CAPACITY flows; where
    a place in it is full, the flow makes room that would be forgotten first. It holds keyed hashes of 63 bits in place of addresses
    and ports, so that it is small, nobody can fill one place of it, and nobody can read from it who talks with whom.

    Known flows stay in the kernel path; the first packet of each is handed over. Nothing that is refused is.

    Click has no such element.

    Arguments:

      - HOST_CAPACITY: how many flows one host inside may have, so that it can't push out others'; the packets of more go out as well,
        but aren't remembered, so nothing comes in for them. Default 0: any number.
      - HOST_PREFIX: a host is known by this number of its address's first bits. Default 64: each host, or each link, has a prefix
        of its own (RFC 8273). With 128 each address has a share, and a host that makes itself many addresses has many.

    Ports: push inputs 0 and 1; push outputs 0 and 1, and output 2 for packets that are refused, which may be missing. Packets need a
    network header annotation, as CheckIP6Header gives it.

    Example:

        filter :: IP6FlowFilter;
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> [0] filter [0] -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIP6Header -> [1] filter [1] -> Discard;
        filter[2] -> ICMP6Error(2001:db8::1, unreachable, 1) -> Discard;
    """

    enums = (Size, Operation)
    args = (
        Keyword("CAPACITY", Integer(low=1, high=1 << 20), 1 << 14, "how many flows to remember, up to 1048576"),
        Keyword("TIMEOUT", TIMEOUT, 5 * MINUTE, "for how long, in whole seconds. Default 300"),
        Keyword("TCP_TIMEOUT", TIMEOUT, 124 * MINUTE, "the same of TCP connections that both ends have opened. Default 7440, two hours and "
            "four minutes"),
        Keyword("TCP_DONE_TIMEOUT", TIMEOUT, 4 * MINUTE, "the same of those that are being opened or closed. Default 240"),
        *SHARES_ARGS,
    )
    state_types = {
        "counters": PerThread(refused=u64, evicted=u64, beyond=u64),
        "buckets": Array(lambda element: element.buckets, hash=u64 * Size.WAYS, life=u64 * Size.WAYS),
        #: The hosts that the slots' flows are counted for, by keyed hashes; 0 is none. Only with HOST_CAPACITY.
        "owners": Array(lambda element: element.buckets if element.cfg.host_capacity else 1, host=u64 * Size.WAYS),
        #: `moving`: flows of another router's filter are still to come, so that the kernel path knows no strangers.
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
        # A flow is remembered for no less than that: its life begins somewhere in a tick.
        numbers = {name: (length >> TICK) + 1 for name, length in ticks.items()}
        lives = {name: ("__u64", str(number)) for name, number in numbers.items()}
        return {"count": ("__u32", str(self.buckets)), **lives, **share_constants(cfg, self.buckets * Size.WAYS)}

    def initialise(self) -> None:
        self.state.vars.key[:] = [secrets.randbits(64) for _ in range(2)]
        self.state.vars.moving = self.hotswap_element() is not None

    def take_state(self, before: Self) -> None:
        """Flows keep their places, or are put into those of a table of another size; some that find none are forgotten."""
        self.state.vars.key[:] = before.state.vars.key
        for bucket, owners in zip_longest(before.state.buckets, before.state.owners):
            for hash_, life, owner in zip(bucket.hash, bucket.life, owners.host if owners else repeat(0)):
                if hash_:
                    self._put(hash_, life, owner)
        self.runtime.control(Operation.COUNT)
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
        return now(self, Operation.NOW) >> TICK

    refused = sum_handler("counters", text="how many packets were refused")
    evicted = sum_handler("counters", text="how many flows have made room for others")
    beyond = sum_handler("counters", text="how many packets would have begun a flow that its host may not have")
