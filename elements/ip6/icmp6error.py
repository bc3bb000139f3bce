from ipaddress import IPv6Address

from clickbpf.declare import (
    ANEW, BEARS_OFFLOADS, KEPT, MARKED, NOWHERE, SELDOM, THREAD_SAFE, ArgError, Bool, Companion, Constants, Context, ElementRef, Held,
    IP6Address, Integer, Keyword, Optional, PerThread, Required, Type, Vars, sum_handler, u32, u64,
)

from ..common import _hosts
from ..common._bucket import SHARED_BUCKET, assign, fill
from ._code import address6_handlers, address_fields, set_address
from ._types import ERRORS

REDIRECT = ERRORS["redirect"]
#: The smallest MTU of any link (RFC 8200, 5), so a message of this length always arrives.
LEAST_MTU = 1280
#: The largest rate: a token bucket has 2^32 units, and is refilled each millisecond.
MOST = 10**6


class ErrorType(Type):
    """A type by name or number; value int."""

    c_type = "__u8"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        if text in ERRORS:
            return ERRORS[text]
        try:
            number = Integer(8).parse(text)
        except ArgError:
            raise self.wrong(text) from None
        if number not in ERRORS.values():
            raise ArgError(f"ICMP6 type {number} is not an error or redirect type", f"expected {self.describe()}")
        return number

    def c_value(self, value: int) -> str:
        return str(value)

    def describe(self) -> str:
        return "an error: " + ", ".join(f"{name} ({number})" for name, number in ERRORS.items())


class ICMP6Error(Companion, traits=BEARS_OFFLOADS | THREAD_SAFE | SELDOM):
    """turns packets into ICMPv6 errors about them

    The message (RFC 4443) goes from SRC to the packet's source and contains the packet from its IPv6 header on, as far as MTU
    permits. Its destination address annotation is set, and its FIX_IP_SRC annotation is 1, except in a redirect, so that a FixIP6Src
    puts in the address of the interface by which the message leaves (RFC 4443, 2.2). All others are zero. The element usually comes
    before the routing table.

    As RFC 4443 (2.4 e) requires, packets that must not cause errors are dropped: ICMPv6 errors and redirects; packets to a
    multicast group, or received as multicast or broadcast of the link layer, except for `packettoobig` and an unknown option
    (code 2 of `parameterproblem`); and packets whose source is not a single node. ICMPv6 is found after at most 8 extension
    headers. Packets without a marked IPv6 header (CheckIP6Header, MarkIP6Header) are dropped as well, and so are those beyond RATE
    and HOST_RATE (2.4 f), for the reason LIMITED. Hosts whose hashes collide share a HOST_RATE.

    A `parameterproblem` takes the offset of the wrong byte from the packet's ICMP_PARAMPROB annotation. A `redirect` takes the
    better next hop from the destination address annotation; it is sent only if that is the packet's destination or a router's
    link-local address (RFC 4861, 8.1). If NEIGHBOURS knows the next hop's Ethernet address, the redirect includes it (RFC 4861, 4.5
    and 4.6.1), so that the receiver needn't solicit it; the kernel path hands over such redirects.

    Click's element has no rate limit, answers errors with errors, reports an MTU of 1500 in the wrong byte order, quotes 568 bytes,
    and has no option in a redirect.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> hops :: DecIP6HLIM -> Discard;
        hops[1] -> ICMP6Error(2001:db8::1, timeexceeded) -> Discard;
    """

    takes = (MARKED,)
    weight = 950
    args = (
        Required("SRC", IP6Address(), "the message's source address"),
        Required("TYPE", ErrorType(), "`unreachable` (1), `packettoobig` (2), `timeexceeded` (3), `parameterproblem` (4) or `redirect` "
            "(137)"),
        Optional("CODE", Integer(8), 0, "a number. For `unreachable`: 0 no route, 1 prohibited, 2 beyond the scope, 3 address, 4 port; for "
            "`timeexceeded`: 0 hop limit, 1 reassembly; for `parameterproblem`: 0 a wrong field, 1 next header, 2 option"),
        Keyword("PMTU", Integer(), LEAST_MTU, "the MTU of the link that was too small, reported by `packettoobig`", setting="vars"),
        Keyword("MTU", Integer(16, low=LEAST_MTU), LEAST_MTU, "bytes of the longest message"),
        Keyword("RATE", Integer(high=MOST), 1000, "the most messages per second; 0 for no limit"),
        Keyword("BURST", Integer(low=1, high=MOST), 1000, "how many messages may be sent at once after a pause"),
        Keyword("HOST_RATE", Integer(high=MOST), 100, "the most messages per second, and at once after a pause, to one network of 64 bits "
            "or one link-local host; 0 for no limit. So one sender can't use up the rate of all others"),
        Keyword("SET_FIX_ANNO", Bool(), True, "false to leave the FIX_IP_SRC annotation zero, for messages about packets to SRC"),
        Keyword("NEIGHBOURS", ElementRef("IP6NDSolicitor"), text="for a `redirect`, the IP6NDSolicitor of the link, which knows the "
            "Ethernet addresses of neighbours"),
    )
    annotations = ("DST_IP6", "FIX_IP_SRC")
    state_types = {
        "vars": Vars(**address_fields("src"), pmtu=u32),
        "bucket": SHARED_BUCKET,
        **_hosts.HOSTS,
        "counters": PerThread(limited=u64),
    }
    holds = (Held("the buckets that limit the rate", ANEW, KEPT),)

    def configure(self) -> None:
        if self.cfg.src == IPv6Address(0):
            raise ArgError("SRC is the unspecified address, which nobody has", argument="SRC")
        if self.cfg.neighbours and self.cfg.type != REDIRECT:
            raise ArgError("only a redirect has a neighbour's Ethernet address", argument="NEIGHBOURS")

    def constants(self) -> Constants:
        return {**_hosts.constants(self.cfg.host_rate), "asks": ("bool", "true" if self.cfg.neighbours else "false")}

    def initialise(self) -> None:
        set_address(self.state.vars, "src", self.cfg.src)
        self.state.vars.pmtu = self.cfg.pmtu
        assign(self.state.bucket, self.cfg.rate, self.cfg.burst)
        fill(self.state.bucket)

    src = address6_handlers("vars")

    limited = sum_handler("counters", text="how many messages were not sent because of RATE")
