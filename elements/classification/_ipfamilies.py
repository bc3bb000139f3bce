"""Patterns for IPv4 and IPv6 at once.

Patterns without a word about IPv6 have Click's meaning, which takes every packet for IPv4. With such a word in any pattern of an
element, directives match only packets of their own family, and directives that apply to both families test both. Regions of the
packet are then

    ip4, transp4    as `ip` and `transp`, of IPv4 only
    ip6             the IPv6 header
    last6 the byte with the protocol at the end of the chain of extension headers
    upper6 the header of that protocol; only in first fragments and whole packets
    frag6           the fragment header
"""

from collections.abc import Callable, Iterable

from clickbpf.args.types.address6 import written_ip6
from clickbpf.classify import TRUE, All, Choose, Expression, Not, Some, Test

#: Words about IPv6, beside its addresses.
WORDS = ("ip6", "icmp6")

IS_IP6: Expression = Test("ip6", 0, 0xF0000000, 0x60000000)
#: Offset and "more fragments" of the fragment header (RFC 8200, 4.5). Without one a packet is whole.
UNFRAGMENTED6 = Test("frag6", 0, 0x0000FFF9, 0, short=True)


def says_ip6(words: Iterable[str]) -> bool:
    """Whether one of the words is about IPv6."""
    return any(word in WORDS or written_ip6(word.partition("/")[0]) is not None for word in words)


def only4(expression: Expression) -> Expression:
    """An expression about IPv4, restricted to IPv4 packets."""
    return _mapped(expression, lambda test: test._replace(region={"ip": "ip4", "transp": "transp4"}.get(test.region, test.region)))


def as6(expression: Expression) -> Expression:
    """The IPv6 version of an expression about protocols, transport headers, fragments and TOS."""
    return _mapped(expression, _test6)


def _test6(test: Test) -> Expression:
    match test.region, test.offset:
        case "transp", _:
            return test._replace(region="upper6")
        case "ip", 0:  # TOS: the traffic class lies four bits further left
            return test._replace(region="ip6", mask=test.mask << 4, value=test.value << 4)
        case "ip", 4:
            first = test.mask == 0x1FFF  # of which alone upper6 is there
            return TRUE if first else UNFRAGMENTED6 if test.short else All(IS_IP6, UNFRAGMENTED6)
        case "ip", 8:  # the protocol
            return test._replace(region="last6", offset=0, mask=test.mask << 8, value=test.value << 8)
    return test


def _mapped(expression: Expression, change: Callable[[Test], Expression]) -> Expression:
    match expression:
        case Test():
            return change(expression)
        case All(parts):
            return All(*(_mapped(part, change) for part in parts))
        case Some(parts):
            return Some(*(_mapped(part, change) for part in parts))
        case Not(part):
            return Not(_mapped(part, change))
        case Choose(condition, then, otherwise):
            return Choose(*(_mapped(part, change) for part in (condition, then, otherwise)))
    return expression
