"""The subjects of a packet filter's directives, and the names of their values."""

from collections.abc import Iterator
from enum import Enum

from clickbpf.declare import ArgError, Context, frozen
from clickbpf.args.names import ICMP_TYPE, PROTOCOL, port

from ..ip6._types import TYPES as ICMP6_TYPES

ICMP, TCP, UDP, DCCP, ICMP6 = 1, 6, 17, 33, 58
#: Pseudo-protocols of filters: TCP or UDP (`tcpudp`); any (`transp` and `payload`).
TCP_OR_UDP, TRANSPORT, PAYLOAD = 256, 258, 259

PROTOCOL_NAMES = {ICMP: "icmp", ICMP6: "icmp6", TCP: "tcp", UDP: "udp", TCP_OR_UDP: "tcpudp", TRANSPORT: "transp", PAYLOAD: "payload"}


class Kind(Enum):
    """Values are the words for messages."""

    HOST = "ip host"
    NET = "ip net"
    ETHER = "ether host"
    PROTOCOL = "ip proto"
    PORT = "port"
    OPTION = "tcp opt"
    FRAGMENT = "ip frag"
    WHOLE = "ip unfrag"
    ECT = "ip ect"
    CE = "ip ce"

    @property
    def title(self) -> str:
        return self.value


@frozen
class Field:
    """A number in a header: its place in bits, and the protocol whose header it is (None: IP, of version 6 if `six`)."""

    title: str
    offset: int
    bits: int
    protocol: int | None = None
    six: bool = False


ICMP_TYPE_FIELD = Field("icmp type", 0, 8, ICMP)
ICMP6_TYPE_FIELD = Field("icmp6 type", 0, 8, ICMP6)
TOS = Field("ip tos", 8, 8)
DSCP, DSCP6 = Field("ip dscp", 8, 6), Field("ip6 dscp", 4, 6, six=True)

About = Kind | Field

#: The words for a directive's subject.
KINDS: dict[str, About] = {
    "host": Kind.HOST,
    "net": Kind.NET,
    "proto": Kind.PROTOCOL,
    "port": Kind.PORT,
    "portrange": Kind.PORT,
    "opt": Kind.OPTION,
    "frag": Kind.FRAGMENT,
    "unfrag": Kind.WHOLE,
    "ect": Kind.ECT,
    "ce": Kind.CE,
    "vers": Field("ip vers", 0, 4),
    "hl": Field("ip hl", 4, 4),
    "tos": TOS,
    "dscp": DSCP,
    "len": Field("ip len", 16, 16),
    "id": Field("ip id", 32, 16),
    "ttl": Field("ip ttl", 64, 8),
    "win": Field("tcp win", 112, 16, TCP),
    "type": ICMP_TYPE_FIELD,
}

#: The same after `ip6`: RFC 8200, 3, and RFC 3168 for the traffic class.
_SHARED = ("host", "net", "proto", "port", "portrange", "opt", "frag", "unfrag", "ect", "ce")
KINDS6: dict[str, About] = {word: KINDS[word] for word in _SHARED} | {
    "vers": Field("ip6 vers", 0, 4, six=True),
    "tos": Field("ip6 tos", 4, 8, six=True),
    "class": Field("ip6 class", 4, 8, six=True),
    "dscp": DSCP6,
    "flow": Field("ip6 flow", 12, 20, six=True),
    "len": Field("ip6 len", 32, 16, six=True),
    "ttl": Field("ip6 ttl", 56, 8, six=True),
    "hlim": Field("ip6 hlim", 56, 8, six=True),
}

#: Words of the grammar, which can't be names.
SYNTAX = frozenset({"and", "or", "not", "true", "false", "src", "dst", "dest", "ip", "ip6", "ether", "mask"})

#: Flags in byte 13 of the TCP header (RFC 9293, 3.1).
TCP_FLAGS = {"fin": 1, "syn": 2, "rst": 4, "psh": 8, "ack": 16, "urg": 32}

#: tcpdump's names of bytes of headers, and of the flags that a packet may have set in `tcp[tcpflags]` (pcap-filter(7)).
POSITIONS = {"tcpflags": 13, "icmptype": 0, "icmpcode": 1, "icmp6type": 0, "icmp6code": 1}
PCAP_FLAGS = {f"tcp-{name}": bit for name, bit in {**TCP_FLAGS, "push": 8, "ece": 64, "cwr": 128}.items() if name != "psh"}


@frozen
class Named:
    """A meaning of a name: a value of a kind, for one of these protocols (None: no protocol was given)."""

    about: About
    value: int
    title: str
    beside: frozenset[int | None]

    def fits(self, about: About | None, protocol: int | None) -> bool:
        return about in (None, self.about) and (self.about is Kind.PROTOCOL or protocol in self.beside)


def lookup(word: str, about: About | None, protocol: int | None, context: Context) -> Named | None:
    """The value of a name in a directive with this subject; None if it is no name. ArgError if the name is ambiguous."""
    if word in KINDS or word in SYNTAX:
        return None
    if protocol == ICMP6 and word in ICMP6_TYPES and about in (None, ICMP6_TYPE_FIELD):
        return Named(ICMP6_TYPE_FIELD, ICMP6_TYPES[word], "icmp6 type", frozenset({ICMP6}))
    found = list(_meanings(word, context))
    if not found:
        return None
    fitting = {named.value if named.about is Kind.PORT else named.title: named for named in found if named.fits(about, protocol)}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    ways = ", ".join(dict.fromkeys(f"'{named.title} {word}'" for named in found))
    if fitting:
        raise ArgError(f"'{word}' is ambiguous", f"say which is meant: {ways}")
    said = about.title if about else PROTOCOL_NAMES.get(protocol or 0, "this")
    address = f"; the address is '{word}:ip'" if context.names.ip(context.element, word) else ""
    raise ArgError(f"'{word}' means nothing to '{said}'", f"it may stand in {ways}{address}")


def _meanings(word: str, context: Context) -> Iterator[Named]:
    def value(kind: str) -> int | None:
        return context.names.query(kind, context.element, word)

    if (number := value(PROTOCOL)) is not None:
        yield Named(Kind.PROTOCOL, number, "ip proto", frozenset())
    for protocol, title in ((TCP, "tcp port"), (UDP, "udp port")):
        if (number := value(port(protocol))) is not None:
            yield Named(Kind.PORT, number, title, frozenset({None, protocol, TCP_OR_UDP}))
    if word in TCP_FLAGS:
        yield Named(Kind.OPTION, TCP_FLAGS[word], "tcp opt", frozenset({None, TCP, TCP_OR_UDP}))
    if (number := value(ICMP_TYPE)) is not None:
        yield Named(ICMP_TYPE_FIELD, number, "icmp type", frozenset({None, ICMP}))


def known_words(context: Context) -> set[str]:
    """All words that may stand in a pattern, for suggestions."""
    kinds = (PROTOCOL, port(TCP), port(UDP), ICMP_TYPE, "dscp", "ip", "ip prefix", "ether")
    names = set().union(*(context.names.known(kind, context.element) for kind in kinds))
    return names | set(KINDS) | set(KINDS6) | SYNTAX | set(TCP_FLAGS) | {"allow", "deny", "drop", "all", "any"}
