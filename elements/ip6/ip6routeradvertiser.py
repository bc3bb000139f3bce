from collections.abc import Iterable

from clickbpf.declare import (
    ANEW, KEPT, PUSH, SAME, USER, ArgError, Bool, Element, Held, IP6Address, IP6Prefix, Integer, Keyword, ListOf,
    OwnEtherAddress, PerThread, Private, Required, Self, s64, sum_handler, u8, u32, u64, value_handlers,
)

from . import _advertisement as wire

#: Lifetimes in seconds; the last means for ever.
LIFETIME = Integer(32)
#: No link has a smaller MTU (RFC 8200, 5).
LEAST_MTU = 1280
IP6_HEADER = 40
#: RFC 4861, 6.2.1.
LONGEST_LIFETIME = 9000


class IP6RouterAdvertiser(Element, ports="0-1/1", processing=PUSH, flow="x/y", runs=USER):
    """advertises an IPv6 router, and prefixes for addresses, to the hosts of a link

    Router advertisements (RFC 4861) leave to all nodes of the link as Ethernet frames: three soon after the start, at most 16
    seconds apart, then one after each random time between MININTERVAL and INTERVAL. Router solicitations, with their Ethernet
    headers, belong on the input: each is answered to all nodes after a random time of up to half a second, but two advertisements
    are at least 3 seconds apart, however many hosts ask (6.2.6). Invalid solicitations (6.1.1) are dropped.

    Hosts configure addresses with each PREFIX (RFC 4862) and use this router as their default router. When the element stops
    advertising (`active` false), it sends one last advertisement, with a lifetime of 0.

    Click has no such element.

    Ports: push input 0, which may be missing, for router solicitations; push output 0 for advertisements.

    Example:

        c :: Classifier(12/86dd 20/3aff 54/85, -);
        FromDevice(eth0) -> c;
        c[0] -> IP6RouterAdvertiser(fe80::1, 02:00:00:00:00:01, PREFIX 2001:db8::/64, RDNSS 2001:db8::53)
            -> Queue -> ToDevice(eth0);
        c[1] -> Discard;
    """

    args = (
        Required("IP", IP6Address(), "this router's link-local address on the link"),
        Required("ETH", OwnEtherAddress(), "its Ethernet address"),
        Keyword("PREFIX", ListOf(IP6Prefix(bare=False)), (), "prefixes of the link, separated by spaces. Default none"),
        Keyword("RDNSS", ListOf(IP6Address()), (), "addresses of DNS servers (RFC 8106), separated by spaces, valid for three times "
            "INTERVAL. Default none"),
        Keyword("MTU", Integer(32), 0, "the MTU of the link, for hosts to use. Anything less than 1280, which IPv6 requires (RFC 8200, 5), "
            "is not advertised"),
        Keyword("LIFETIME", Integer(16), text="seconds for which hosts may use the router as a default router after an advertisement: 0 "
            "(never), or INTERVAL to 9000. Default three times INTERVAL"),
        Keyword("INTERVAL", Integer(low=4, high=1800), 600, "longest time between two advertisements in seconds, 4 to 1800"),
        Keyword("MININTERVAL", Integer(low=3, high=1350), text="shortest time, 3 to 0.75 of INTERVAL. Default 0.33 of INTERVAL, but at "
            "least 3"),
        Keyword("VALID", LIFETIME, 2592000, "seconds for which addresses with a PREFIX are valid, and are preferred; 4294967295 is for "
            "ever. Default 2592000 and 604800, 30 and 7 days"),
        Keyword("PREFERRED", LIFETIME, 604800, SAME),
        Keyword("ONLINK", Bool(), True, "whether all addresses with a PREFIX are on the link, and whether hosts may configure such "
            "addresses by themselves"),
        Keyword("AUTONOMOUS", Bool(), True, SAME),
        Keyword("MANAGED", Bool(), False, "whether hosts get addresses, and other settings, by DHCPv6"),
        Keyword("OTHER", Bool(), False, SAME),
        Keyword("HOPLIMIT", Integer(8), 64, "the hop limit for packets of hosts; 0 is not advertised"),
        Keyword("REACHABLE", Integer(high=3_600_000), 0, "milliseconds for the neighbour discovery of hosts; 0 is not advertised. Default "
            "0"),
        Keyword("RETRANSMIT", Integer(32), 0, SAME),
        Keyword("ACTIVE", Bool(), True, "false to send nothing at first"),
    )
    #: Times are as now(). `due` is when the next one leaves, `last` when the last one left; 0 if there is none.
    state_types = {"counters": PerThread(count=u64), "vars": Private(due=s64, last=s64, sent=u32, active=u8)}
    holds = (Held("when it has advertised", KEPT, ANEW),)
    derived = {"shortest": ("__u32", lambda self: self.cfg.mininterval * 1000), "longest": ("__u32", lambda self: self.cfg.interval * 1000)}

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.lifetime is None:
            cfg.lifetime = 3 * cfg.interval
        if cfg.mininterval is None:
            cfg.mininterval = max(3, cfg.interval * 33 // 100)
        errors = list(self._mistakes())
        if errors:
            raise ExceptionGroup("arguments", errors)
        self.message = self._message()
        if IP6_HEADER + len(self.message) > LEAST_MTU:
            raise ArgError("more than a message has room for", f"of {LEAST_MTU} bytes", argument="PREFIX")

    def _mistakes(self) -> Iterable[ArgError]:
        cfg = self.cfg
        if not cfg.ip.is_link_local:
            yield ArgError("IP is not a link-local address", "hosts take advertisements from fe80::/10 only", argument="IP")
        if cfg.lifetime and not cfg.interval <= cfg.lifetime <= LONGEST_LIFETIME:
            yield ArgError(f"LIFETIME is neither 0 nor from INTERVAL, {cfg.interval}, to {LONGEST_LIFETIME}", argument="LIFETIME")
        if cfg.mininterval > cfg.interval * 3 // 4:
            yield ArgError("MININTERVAL is more than 0.75 of INTERVAL", f"at most {cfg.interval * 3 // 4}", argument="MININTERVAL")
        if cfg.preferred > cfg.valid:
            yield ArgError("PREFERRED is more than VALID", argument="PREFERRED")
        if any(prefix.is_link_local or prefix.is_multicast for prefix in cfg.prefix):
            yield ArgError("PREFIX is of link-local or multicast addresses", "these are not for hosts to choose from", argument="PREFIX")

    def _message(self) -> bytes:
        cfg = self.cfg
        use = wire.ON_LINK * cfg.onlink | wire.AUTONOMOUS * cfg.autonomous
        options = [wire.source_link(cfg.eth)]
        if cfg.mtu >= LEAST_MTU:
            options.append(wire.mtu(cfg.mtu))
        options += [wire.prefix(prefix, use, cfg.valid, cfg.preferred) for prefix in cfg.prefix]
        if cfg.rdnss:
            options.append(wire.rdnss(cfg.rdnss, 3 * cfg.interval))
        flags = wire.MANAGED * cfg.managed | wire.OTHER * cfg.other
        return wire.message(cfg.hoplimit, flags, cfg.lifetime, cfg.reachable, cfg.retransmit, options)

    def code(self) -> str:
        return f"static const __u8 SELF(message)[] = {{ {', '.join(map(str, self.message))} }};\n"

    def initialise(self) -> None:
        self.state.vars.active = self.cfg.active

    def take_state(self, before: Self) -> None:
        """Take the rate limit; the link already knows the router."""
        self.state.vars.last, self.state.vars.sent = before.state.vars.last, before.state.vars.sent
        if self.state.vars.active:
            self.notify()

    count = sum_handler("counters", text="advertisements sent")

    def _activate(self, active: bool) -> None:
        if active != bool(self.state.vars.active):
            self.state.vars.active, self.state.vars.sent = active, 0
            self.notify()

    active = value_handlers(Bool(), lambda self: bool(self.state.vars.active), _activate,
        text="ACTIVE. Writing true begins as at the start")
