from clickbpf_elements.common import _hosts
from clickbpf_elements.common._bucket import SHARED_BUCKET, assign, fill
from clickbpf_elements.ip._code import membership

from clickbpf.declare import (
    ANEW, BEARS_OFFLOADS, KEPT, MARKED, SELDOM, THREAD_SAFE, WORD, AlignmentRule, ArgError, Bool, Common, Constants, Held, ICMPCode,
    ICMPType, IPAddress, Integer, Keyword, ListOf, Optional, Reconfigurable, Required, Vars, Word, be32, u32, u64,
)

#: Types that are errors (RFC 1122, 3.2.2), and their names.
ERRORS = {3: "unreachable", 4: "sourcequench", 5: "redirect", 11: "timeexceeded", 12: "parameterproblem"}

#: The identification of the last message, shared by all elements, since their packets may meet.
NUMBERS = Common(last=u64)
#: The largest rate: a token bucket has 2^32 units, and is refilled each millisecond.
RATE = Integer(high=10**6)


class ICMPError(Reconfigurable, traits=BEARS_OFFLOADS | THREAD_SAFE | SELDOM):
    """turns packets into ICMP errors about them

    The message goes from SRC to the packet's source, and quotes the packet from its IP header on, as far as MTU permits. Its
    destination address annotation is set, and its FIX_IP_SRC annotation is 1, so that a FixIPSrc sets the source to the address of
    the interface that it leaves by; all others are zero. Put the element before the routing table. If the packet was source-routed,
    the error goes back along the route.

    As RFC 1812 (4.3.2.7) requires, packets that must not cause errors are dropped: ICMP errors; packets to a multicast or broadcast
    address of IP or the link layer; packets whose source isn't a single host; and later fragments. Packets without a marked IP
    header (CheckIPHeader, MarkIPHeader) are dropped as well.

    Errors are rate-limited (RFC 1812, 4.3.2.8): beyond RATE a second, and beyond HOST_RATE a second to one host, packets are
    dropped, for the reason LIMITED. The second limit keeps a single sender from using up the first. After a pause, a second's worth
    may leave at once. Hosts whose hashes collide share a limit. Click has no such limits.

    Some types use annotations of the packet: a `redirect` takes the better gateway from the destination address annotation, a
    `parameterproblem` with code `erroratptr` the offset of the wrong byte from ICMP_PARAMPROB.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ttl :: DecIPTTL -> Discard;
        ttl[1] -> ICMPError(10.0.0.1, timeexceeded) -> Discard;
    """

    takes = (MARKED,)
    alignment = AlignmentRule(gives=WORD)
    weight = 900
    args = (
        Required("SRC", IPAddress(), "the message's source address", setting="vars"),
        Required("TYPE", ICMPType(), "`unreachable` (3), `sourcequench` (4), `redirect` (5), `timeexceeded` (11) or `parameterproblem` "
            "(12)"),
        Optional("CODE", Word(), "0", "a number or a name. For `unreachable` net, host, protocol, port, needfrag, srcroutefail, "
            "netunknown, hostunknown, isolated, netprohibited, hostprohibited, tosnet, toshost, filterprohibited, hostprecedence, "
            "precedencecutoff; for `redirect` net, host, tosnet, toshost; for `timeexceeded` transit, reassembly; for `parameterproblem` "
            "erroratptr, missingopt, length"),
        Optional("BADADDRS", ListOf(IPAddress()), (), "sources and destinations of packets that cause no errors; usually subnets' "
            "broadcast addresses"),
        Keyword("MTU", Integer(), 576, "the longest message in bytes", setting="vars"),
        Keyword("PMTU", Integer(), 0, "the MTU of the link that was too small, reported by `unreachable` with code `needfrag` (RFC "
            "1191)", setting="vars"),
        Keyword("SET_FIX_ANNO", Bool(), True, "false to leave the FIX_IP_SRC annotation zero. Default true. USE_FIX_ANNO is the same"),
        Keyword("USE_FIX_ANNO", Bool(), True),
        Keyword("RATE", RATE, 1000, "the most messages a second, 0 for no limit", setting="vars", then="_limit"),
        Keyword("HOST_RATE", RATE, 100, "the most messages a second to one host, 0 for no limit"),
    )
    annotations = ("DST_IP", "FIX_IP_SRC")
    state_types = {
        "vars": Vars(src=be32, mtu=u32, pmtu=u32, rate=u32),
        "bucket": SHARED_BUCKET,
        **_hosts.HOSTS,
        "numbers": NUMBERS,
    }
    holds = (Held("the buckets that limit the rate", ANEW, KEPT),)

    def configure(self) -> None:
        if self.cfg.type not in ERRORS:
            names = ", ".join(ERRORS.values())
            raise ArgError(f"ICMP type {self.cfg.type} is not an error type", f"errors are {names}", argument="TYPE")
        try:
            self.code_number = ICMPCode(self.cfg.type).parse(self.cfg.code, self.context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, argument="CODE") from None

    def constants(self) -> Constants:
        set_fix = self.cfg.set_fix_anno and self.cfg.use_fix_anno
        numbers = {"code": ("__u8", str(self.code_number)), "fix": ("__u8", str(int(set_fix)))}
        return numbers | _hosts.constants(self.cfg.host_rate)

    def code(self) -> str:
        return membership("bad_address", self.cfg.badaddrs)

    def initialise(self) -> None:
        state = self.state.vars
        state.src, state.mtu, state.pmtu = int(self.cfg.src), self.cfg.mtu, self.cfg.pmtu
        state.rate = self.cfg.rate
        self._limit()
        fill(self.state.bucket)

    def _limit(self) -> None:
        assign(self.state.bucket, self.state.vars.rate, self.state.vars.rate)
