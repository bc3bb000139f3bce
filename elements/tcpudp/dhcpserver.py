from collections.abc import Collection
from enum import IntEnum

from clickbpf.declare import (
    ETHERNET, KEPT, MARKED, NETWORK, PUSH, USER, ArgError, Array, Constants, Element, Ether, Form, Held, IPAddress, IPPrefix, Keyword,
    ListOf, OwnEtherAddress, Required, String, Successor, Time, Vars, ether, outliving, read_handler, u8, u64, write_handler,
)

from ..common._clock import now

#: The most addresses: each message searches all leases.
MOST = 4096
SECOND = 10**9
#: Codes of RFC 2132.
MASK, ROUTER, DNS, DOMAIN = 1, 3, 6, 15
#: The most bytes of these options: an answer has 548 in all, and repeats the identifiers from the request.
ROOM = 200


class Type(IntEnum):
    """The message types of RFC 2132, 9.6."""

    DISCOVER, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM = range(1, 9)


class Use(IntEnum):
    """The state of a lease, until it ends."""

    OFFERED, BOUND, DECLINED = range(3)


class DHCPServer(Successor, ports="1/1-2", processing=PUSH, runs=USER):
    """gives hosts their IPv4 addresses by DHCP

    Each host of NETWORK gets an address from FIRST to LAST, for LEASE, with the network's mask, ROUTER, DNS and DOMAIN (RFC 2131,
    RFC 2132). A host, identified by its client identifier, or else by its Ethernet address, gets its last address again unless
    another host needed it, or the address that it asks for, if that is free. An address that a host declines, because it is in use,
    isn't assigned for LEASE. Leases survive hot swaps and the death of the runtime. Click has no such element.

    Memory is bounded by the number of addresses, at most 4096. Requests alone don't exhaust the addresses: when no other is left,
    an offer is withdrawn. But DHCP can't tell many hosts from one that invents identifiers and requests every address: it holds
    them for LEASE.

    If IP isn't in NETWORK, the server is for a remote network, whose hosts ask through a relay (DHCPRelay); the relay's address
    there has to be in NETWORK.

    Drops: MALFORMED for truncated messages and those that aren't DHCP requests, FULL for requests when no address is free, and
    FILTERED for requests to another server or from another network.

    Ports: a push input for UDP/IP packets to port 67, with marked headers; CheckUDPHeader before it keeps broken ones out. Push
    output 0 for Ethernet frames to the hosts; push output 1, which may be missing, for IP packets to relays and to hosts of other
    networks, with their destination address annotation set.

    Handlers:

      - `leases` (read): a line for each address that isn't free: the address, the host's Ethernet address, `offered`, `bound` or
        `declined`, and for how many seconds.

    Example: hosts at eth0; all other packets are Linux's:

        AddressInfo(lan 192.168.1.1/24 02:00:00:00:00:10);
        FromDevice(eth0) -> c :: Classifier(12/0800, -);
        c[0] -> MarkIPHeader(14) -> asks :: IPClassifier(udp dst port 67 and (dst host 255.255.255.255 or dst host lan), -);
        asks[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader
            -> DHCPServer(lan, lan, lan, 192.168.1.100, 192.168.1.199, DNS 9.9.9.9) -> Queue -> ToDevice(eth0);
        c[1], asks[1] -> ToHost;
    """

    takes = (MARKED,)
    args = (
        Required("IP", IPAddress(), "the router's address, and the server's identifier"),
        Required("ETH", OwnEtherAddress(), "its Ethernet address"),
        Required("NETWORK", IPPrefix(bare=False), "the hosts' network, a prefix"),
        Required("FIRST", IPAddress(), "the first of the addresses that hosts get"),
        Required("LAST", IPAddress(), "the last one, at most 4095 after FIRST"),
        Keyword("ROUTER", IPAddress(), text="the hosts' default router. Default is IP if that is in NETWORK"),
        Keyword("DNS", ListOf(IPAddress()), (), "DNS servers, separated by spaces. Default none"),
        Keyword("DOMAIN", String(), "", "the hosts' domain. Default none"),
        Keyword("LEASE", Time(digits=0, low=60 * SECOND, high=(1 << 31) * SECOND), 3600 * SECOND, "how long a lease lasts; hosts renew it "
            "after half of the time. At least a minute. Default is an hour"),
    )
    enums = (Type, Use)
    #: `client` is a hash of the host that has the address or had it last, 0 if none had; `ends` is on the clock of now().
    state_types = {
        "leases": outliving(Array(lambda element: element.count, client=u64, ends=u64, ether=ether, use=u8)),
        "secret": outliving(Vars(key=u64 * 2)),
    }
    holds = (Held("leases", KEPT, KEPT),)

    def gives_by(self, output: int, form: Form | None) -> Form:
        return Form(begins=NETWORK, marked=True) if output else Form(begins=ETHERNET)

    def configure(self) -> None:
        cfg = self.cfg
        self.first, last = int(cfg.first), int(cfg.last)
        for name in ("first", "last"):
            if getattr(cfg, name) not in cfg.network:
                raise ArgError(f"{name.upper()} is not in NETWORK, {cfg.network}", argument=name.upper())
        if not self.first <= last < self.first + MOST:
            wrong = "before" if last < self.first else f"more than {MOST - 1} addresses after"
            raise ArgError(f"LAST is {wrong} FIRST", argument="LAST")
        self.count, self.local = last - self.first + 1, cfg.ip in cfg.network
        if self.local and self.first <= int(cfg.ip) <= last:
            raise ArgError("IP is one of the addresses that hosts get", "leave it out, by FIRST and LAST", argument="IP")
        router = cfg.router or (cfg.ip if self.local else None)
        given = {
            MASK: cfg.network.mask.packed,
            ROUTER: router.packed if router else b"",
            DNS: b"".join(address.packed for address in cfg.dns),
            DOMAIN: cfg.domain.encode(),
        }
        if sum(map(len, given.values())) > ROOM:
            raise ArgError("DNS and DOMAIN are too long", "there is room for some 180 bytes of both", argument="DOMAIN")
        self.options = b"".join(bytes([code, len(data)]) + data for code, data in given.items() if data)

    def constants(self) -> Constants:
        mask = self.cfg.network.mask
        return {
            "first_address": ("__u32", f"{self.first}U"),
            "count": ("__u32", f"{self.count}U"),
            "net": ("__be32", IPAddress().c_value(self.cfg.network.network)),
            "mask": ("__be32", IPAddress().c_value(mask)),
            "local": ("bool", str(self.local).lower()),
            "options_length": ("__u32", str(len(self.options))),
        }

    def code(self) -> str:
        return f"static const __u8 SELF(network_options)[] = {{ {', '.join(map(str, self.options))} }};\n"

    def succeed(self, before: Collection[Element]) -> None:
        """Take over the leases of addresses in this element's range, from elements of any name."""
        for other in before:
            common = range(max(self.first, other.first), min(self.first + self.count, other.first + other.count)) if _is_one(other) else ()
            for address in common:
                to, of = self.state.leases[address - self.first], other.state.leases[address - other.first]
                to.client, to.ends, to.use, to.ether[:] = of.client, of.ends, of.use, of.ether
            if common:
                self.state.secret.key[:] = other.state.secret.key

    @read_handler
    def leases(self) -> str:
        time, first = now(self), self.cfg.first
        left = {first + i: (lease, -((time - lease.ends) // SECOND)) for i, lease in enumerate(self.state.leases) if lease.ends > time}
        return "".join(f"{ip} {Ether(lease.ether)} {Use(lease.use).name.lower()} {seconds}\n" for ip, (lease, seconds) in left.items())

    @write_handler
    def release(self, text: str) -> None:
        """makes an address free, given in any notation of arguments."""
        place = int(IPAddress().parse(text.strip(), self.context)) - self.first
        if not 0 <= place < self.count:
            raise ArgError(f"{text.strip()} is not one of the addresses that hosts get")
        self.state.leases[place].ends = 0


def _is_one(element: Element) -> bool:
    return isinstance(element, DHCPServer)
