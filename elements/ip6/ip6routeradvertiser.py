from __future__ import annotations

from collections.abc import Iterable, Mapping

from clickbpf.args import ArgError, Bool, Integer, IP6Address, IP6Prefix, Keyword, ListOf, OwnEtherAddress, Required
from clickbpf.vocabulary.element import PUSH, USER, Element, read_handler, sum_handler, write_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import PerThread, Private, s64, u8, u32, u64

from . import _advertisement as wire

#: Lifetimes in seconds; the last means for ever.
LIFETIME = Integer(32)
#: No link has a smaller MTU (RFC 8200, 5).
LEAST_MTU = 1280
IP6_HEADER = 40
#: RFC 4861, 6.2.1.
LONGEST_LIFETIME = 9000


class IP6RouterAdvertiser(Element):
    """advertises an IPv6 router to the hosts of a link, with the prefixes that their addresses are to have

    Synopsis: `IP6RouterAdvertiser(IP, ETH, [PREFIX ..., RDNSS ..., MTU ..., LIFETIME ..., INTERVAL ..., MININTERVAL ..., VALID ...,
    PREFERRED ..., ONLINK ..., AUTONOMOUS ..., MANAGED ..., OTHER ..., HOPLIMIT ..., REACHABLE ..., RETRANSMIT ..., ACTIVE ...])`

    Router advertisements (RFC 4861) leave to all nodes of the link as Ethernet frames: three soon after the start, at most 16
    seconds apart, then one after each random time between MININTERVAL and INTERVAL. Router solicitations, with their Ethernet
    headers, belong on the input: each is answered to all nodes after a random time of up to half a second, but two advertisements
    are at least 3 seconds apart, however many hosts ask (6.2.6). Invalid solicitations (6.1.1) are dropped.

    Hosts configure addresses with each PREFIX (RFC 4862) and use this router as their default router. When the element stops
    advertising (`active` false), it sends one last advertisement, with a lifetime of 0.

    Click has no such element.

    Arguments:

      - IP: this router's link-local address on the link.
      - ETH: its Ethernet address.
      - PREFIX: prefixes of the link, separated by spaces. Default none.
      - RDNSS: addresses of DNS servers (RFC 8106), separated by spaces, valid for three times INTERVAL. Default none.
      - MTU: the MTU of the link, for hosts to use. Anything less than 1280, which IPv6 requires (RFC 8200, 5), is not advertised.
        Default 0.
      - LIFETIME: seconds for which hosts may use the router as a default router after an advertisement: 0 (never), or INTERVAL to
        9000. Default three times INTERVAL.
      - INTERVAL: longest time between two advertisements in seconds, 4 to 1800. Default 600.
      - MININTERVAL: shortest time, 3 to 0.75 of INTERVAL. Default 0.33 of INTERVAL, but at least 3.
      - VALID, PREFERRED: seconds for which addresses with a PREFIX are valid, and are preferred; 4294967295 is for ever. Default
        2592000 and 604800, 30 and 7 days.
      - ONLINK, AUTONOMOUS: whether all addresses with a PREFIX are on the link, and whether hosts may configure such addresses by
        themselves. Default true.
      - MANAGED, OTHER: whether hosts get addresses, and other settings, by DHCPv6. Default false.
      - HOPLIMIT: the hop limit for packets of hosts; 0 is not advertised. Default 64.
      - REACHABLE, RETRANSMIT: milliseconds for the neighbour discovery of hosts; 0 is not advertised. Default 0.
      - ACTIVE: false to send nothing at first. Default true.

    Ports: push input 0, which may be missing, for router solicitations; push output 0 for advertisements.

    Handlers:

      - `active` (read, write): ACTIVE. Writing true begins as at the start.
      - `count` (read): advertisements sent.

    Example:

        c :: Classifier(12/86dd 20/3aff 54/85, -);
        FromDevice(eth0) -> c;
        c[0] -> IP6RouterAdvertiser(fe80::1, 02:00:00:00:00:01, PREFIX 2001:db8::/64, RDNSS 2001:db8::53)
            -> Queue -> ToDevice(eth0);
        c[1] -> Discard;
    """

    ports = "0-1/1"
    processing = PUSH
    flow = "x/y"
    runs = USER
    entries = ("timer", "init", "control")
    args = (
        Required("IP", IP6Address()),
        Required("ETH", OwnEtherAddress()),
        Keyword("PREFIX", ListOf(IP6Prefix(bare=False)), ()),
        Keyword("RDNSS", ListOf(IP6Address()), ()),
        Keyword("MTU", Integer(32), 0),
        Keyword("LIFETIME", Integer(16)),
        Keyword("INTERVAL", Integer(low=4, high=1800), 600),
        Keyword("MININTERVAL", Integer(low=3, high=1350)),
        Keyword("VALID", LIFETIME, 2592000),
        Keyword("PREFERRED", LIFETIME, 604800),
        Keyword("ONLINK", Bool(), True),
        Keyword("AUTONOMOUS", Bool(), True),
        Keyword("MANAGED", Bool(), False),
        Keyword("OTHER", Bool(), False),
        Keyword("HOPLIMIT", Integer(8), 64),
        Keyword("REACHABLE", Integer(high=3_600_000), 0),
        Keyword("RETRANSMIT", Integer(32), 0),
        Keyword("ACTIVE", Bool(), True),
    )
    #: Times are as now(). `due` is when the next one leaves, `last` when the last one left; 0 if there is none.
    state_types = {"counters": PerThread(count=u64), "vars": Private(due=s64, last=s64, sent=u32, active=u8)}
    holds = (Held("when it has advertised", KEPT, ANEW),)

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

    def constants(self) -> Mapping[str, tuple[str, str]]:
        shortest, longest = self.cfg.mininterval * 1000, self.cfg.interval * 1000
        return {"shortest": ("__u32", f"{shortest}U"), "longest": ("__u32", f"{longest}U")}

    def initialise(self) -> None:
        self.state.vars.active = self.cfg.active

    def take_state(self, before: IP6RouterAdvertiser) -> None:
        """What limits the rate, and the link knows of the router already."""
        self.state.vars.last, self.state.vars.sent = before.state.vars.last, before.state.vars.sent
        if self.state.vars.active:
            self.notify()

    count = sum_handler("counters")

    @read_handler("active")
    def read_active(self) -> str:
        return Bool().unparse(bool(self.state.vars.active))

    @write_handler("active")
    def write_active(self, text: str) -> None:
        active = Bool().parse(text.strip())
        if active != bool(self.state.vars.active):
            self.state.vars.active, self.state.vars.sent = active, 0
            self.notify()
