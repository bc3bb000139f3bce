"""The meaning of directives, as tests of the packet's bytes.

Regions of a packet: "ether" begins two bytes in front of the Ethernet header, "ip" at the IP header, "transp" after the IP header.
With the two bytes, the words of an Ethernet header are numbered as in Click.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Interface

from clickbpf.declare import ArgError, Ether, Prefix
from clickbpf.classify import All, Expression, Not, Some, Test, match_bytes, unlike

from ._ipcompare import Comparison, Within, compare, within
from ._ipdirective import Directive, Range
from ._ipfamilies import IS_IP6, as6, only4
from ._ipkinds import DCCP, KINDS6, PAYLOAD, TCP, TCP_OR_UDP, TOS, TRANSPORT, UDP, Field, Kind, Named

ETHER_IN_FRONT = 2

#: ECN field of the TOS byte: not capable, congestion experienced (RFC 3168, section 5).
ECN_MASK, ECN_NONE, ECN_CE = 3, 0, 3

FIRST_FRAGMENT: Expression = Test("ip", 4, 0x1FFF, 0)
UNFRAGMENTED: Expression = Test("ip", 4, 0x3FFF, 0)


@dataclass
class Meaning:
    """A directive's expression, and the properties that later directives inherit."""

    expression: Expression
    directive: Directive
    warnings: list[str] = field(default_factory=list)


def meaning(said: Directive, before: Directive | None, families: bool = False) -> Meaning:
    """The meaning of `said`, completed by the directive before it. Raises ArgError.

    With `families`, packets may be IPv6.
    """
    if said.is_family:
        return Meaning(Not(IS_IP6) if said.turned else IS_IP6, said)
    side_said = said.side is not None
    _complete(said, before)
    title = said.title
    result = Meaning(_RULES[Field if isinstance(said.about, Field) else said.about](said), said)
    if side_said and said.about not in (Kind.HOST, Kind.ETHER, Kind.PORT):
        result.warnings.append(f"'{title}': 'src' or 'dst' ignored")
    if said.constant is not None:
        always = "true" if said.constant else "false"
        result.warnings.append(f"'{title} {said.operation} {said.value_word}' is always {always}")
    if families:
        result.expression = _in_families(said, result.expression)
    if said.turned:
        result.expression = Not(result.expression)
    return result


#: Subjects that both families have.
_SHARED = (Kind.PROTOCOL, Kind.PORT, Kind.OPTION, Kind.FRAGMENT, Kind.WHOLE, Kind.ECT, Kind.CE)


def _in_families(said: Directive, found: Expression) -> Expression:
    """Restrict an expression to packets of the right family; for subjects that both have, extend the one for IPv4."""
    about = said.about
    if said.header == "ether" or isinstance(said.value, (IPv6Address, IPv6Interface)) or (isinstance(about, Field) and about.six):
        return found
    shared = about in _SHARED or (isinstance(about, Field) and about.protocol is not None) or said.is_tos
    if not shared or said.family == 4:
        return only4(found)
    return as6(found) if said.family == 6 else Some(only4(found), as6(found))


# -- what was not said ---------------------------------------------------------------------------------------------------


def _complete(said: Directive, before: Directive | None) -> None:
    if said.about is None:
        _infer(said, before)
    if said.header is None:
        said.header = "ether" if isinstance(said.value, Ether) else "ip"
    if isinstance(said.value, (IPv6Address, IPv6Interface)):
        said.header = "ip6"
    if said.family == 6 and isinstance(said.about, Field) and said.about.protocol is None and not said.about.six:
        _wrong(said, f"'{said.title}' is not of IPv6", f"'ip6' goes with {', '.join(KINDS6)}")
    if said.header == "ether" and said.about is Kind.HOST:
        said.about = Kind.ETHER
    if said.header == "ether" and said.about is not Kind.ETHER:
        _wrong(said, f"'{said.title}' is not of Ethernet", "'ether' goes with hosts only: ether host 02:00:00:00:00:01")


def _infer(said: Directive, before: Directive | None) -> None:
    """Infer the subject from the value, and missing properties from the directive before."""
    value = said.value
    if isinstance(value, (int, Range)):
        if before is None or not (isinstance(before.about, Field) or before.about in (Kind.PROTOCOL, Kind.PORT)):
            _wrong(said, "a number of what?", "say 'port', 'ip proto' or a header field in front of it")
        said.about, said.family = before.about, said.family or before.family
    elif isinstance(value, Named):
        said.about = value.about
    elif value is None:
        if said.protocol is None:
            _wrong(said, "the directive is not complete", "a value is missing, as in 'src port 80' or 'dst host 10.0.0.1'")
        said.about = Kind.PROTOCOL
    else:
        kinds = {IPv4Address: Kind.HOST, Prefix: Kind.NET, IPv6Address: Kind.HOST, IPv6Interface: Kind.NET, Ether: Kind.ETHER}
        said.about = kinds[type(value)]
    if before and said.side is None and said.about in (Kind.HOST, Kind.NET, Kind.ETHER, Kind.PORT, Kind.OPTION):
        said.side = before.side
    if before and said.protocol is None and said.about is Kind.PORT:
        said.protocol = before.protocol
    if said.protocol is None and isinstance(said.about, Field):
        said.protocol = said.about.protocol


# -- each kind -----------------------------------------------------------------------------------------------------------


def _host(said: Directive) -> Expression:
    if isinstance(said.value, IPv6Address):
        return _addresses6(said, said.value, IPv6Address((1 << 128) - 1))
    if isinstance(said.value, Prefix):
        _wrong(said, f"'{said.title}' takes an address, and this is a network", "write 'net', as in 'src net 10.0.0.0/8'")
    if not isinstance(said.value, IPv4Address):
        _wrong(said, f"'{said.title}': address missing", "an IP address or a name of one, as in 'src host 10.0.0.1'")
    return _addresses(said, int(said.value), 0xFFFFFFFF)


def _net(said: Directive) -> Expression:
    if isinstance(said.value, IPv6Interface):
        said.about = Kind.HOST
        return _addresses6(said, said.value.ip, said.value.netmask)
    if not isinstance(said.value, Prefix):
        _wrong(said, f"'{said.title}': address missing", "a network, as in 'net 10.0.0.0/8' or 'net 10.0.0.0 mask 255.0.0.0'")
    said.about = Kind.HOST
    return _addresses(said, int(said.value.address), int(said.value.mask))


def _addresses(said: Directive, address: int, mask: int) -> Expression:
    if isinstance(said.mask, (int, Ether)):
        _wrong(said, f"'{said.title}': the mask is no IP address", "write it as one, as in '& 255.255.0.0'")
    mask = mask if said.mask is None else int(said.mask)
    return _conditions(said, _equal(said, lambda source: Test("ip", 12 if source else 16, mask, address & mask)))


def _addresses6(said: Directive, address: IPv6Address, mask: IPv6Address) -> Expression:
    if said.mask is not None:
        _wrong(said, f"'{said.title}': addresses of IPv6 have no masks", "write a network, as in 'src net 2001:db8::/32'")
    found = _equal(said, lambda source: match_bytes("ip6", 8 if source else 24, address.packed, mask.packed))
    return _conditions(said, All(IS_IP6, found))


def _ether(said: Directive) -> Expression:
    if not isinstance(said.value, Ether):
        _wrong(said, f"'{said.title}': address missing", "an Ethernet address or a name of one, as in 'ether host 02:00:00:00:00:01'")
    if said.mask is not None and not isinstance(said.mask, Ether):
        _wrong(said, f"'{said.title}': the mask is no Ethernet address", "write it as one, as in '& ff:ff:ff:00:00:00'")
    address, mask = bytes(said.value), bytes(said.mask or b"\xff" * 6)
    return _conditions(said, _equal(said, lambda source: match_bytes("ether", ETHER_IN_FRONT + 6 * source, address, mask)))


def _equal(said: Directive, at: Callable[[bool], Expression]) -> Expression:
    """Addresses can only be equal or not."""
    if said.operation not in ("==", "!="):
        _wrong(said, f"'{said.title}': addresses have no order", "use '==' or '!='")
    found = _sides(said, at)
    return unlike(found) if said.operation == "!=" else found


def _sides(said: Directive, at: Callable[[bool], Expression]) -> Expression:
    """`at(True)` for the source, `at(False)` for the destination, by the given side."""
    said.side = said.side or "or"
    both = [at(source) for source in (True, False) if said.side in ("and", "or", "src" if source else "dst")]
    return Some(*both) if said.side == "or" else All(*both)


def _port(said: Directive) -> Expression:
    if not _is_number(said, Kind.PORT):
        _wrong(said, "'port': value missing", "a number or the name of a service")
    said.protocol = said.protocol or TCP_OR_UDP
    if said.protocol not in (TCP, UDP, TCP_OR_UDP, DCCP):
        _wrong(said, f"'port': protocol {said.protocol} has no ports", "'tcp port', 'udp port', or 'port' for both")
    comparison = _compared(said, 0xFFFF)
    found = _sides(said, lambda source: comparison.at("transp", 0, 16 if source else 0))
    return _conditions(said, comparison.turned(found))


def _option(said: Directive) -> Expression:
    if not _is_number(said, Kind.OPTION):
        _wrong(said, "'tcp opt': value missing", "syn, fin, ack, rst, psh, urg, or a number")
    said.protocol = said.protocol or TCP
    if said.protocol != TCP:
        _wrong(said, "'tcp opt': only TCP has these options")
    if said.operation != "==" or said.mask is not None or isinstance(said.value, Range):
        _wrong(said, "'tcp opt': operator or mask not supported", "'not tcp opt syn', or 'tcp[13] & 0x12 == 0x02'")
    flags = _number(said)
    if not 0 <= flags <= 0xFF:
        _wrong(said, f"'tcp opt': value {flags} out of range", "values go from 0 to 255")
    return _conditions(said, Test("transp", 12, flags << 16, flags << 16))


def _protocol(said: Directive) -> Expression:
    beside, said.protocol = said.protocol, None
    number = _number(said) if _is_number(said, Kind.PROTOCOL) else beside if said.value is None else None
    if number is None:
        _wrong(said, "'ip proto': value missing", "a number or the name of a protocol")
    if beside not in (None, number):
        _wrong(said, "'ip proto': specified twice")
    if number in (TRANSPORT, PAYLOAD):
        _wrong(said, "all packets carry something", "bytes of it are meant by transp[POS:LEN]")
    if number == TCP_OR_UDP:
        if said.operation not in ("==", "!=") or said.mask is not None:
            _wrong(said, "'tcpudp': operator or mask not supported")
        comparison = Comparison(0xFF, 0, False, said.operation == "!=")
        found: Expression = Some(*(Test("ip", 8, 0xFF0000, protocol << 16) for protocol in (TCP, UDP)))
    else:
        comparison = _compared(said, 0xFF, number)
        found = comparison.at("ip", 8, 16)
    if said.operation == "==" and comparison.mask == 0xFF:
        said.protocol = number
    return comparison.turned(found)


def _whole(said: Directive) -> Expression:
    _no_value(said)
    fragment, said.about = said.about is Kind.FRAGMENT, Kind.FRAGMENT
    return _conditions(said, unlike(UNFRAGMENTED) if fragment else UNFRAGMENTED)


def _ect(said: Directive) -> Expression:
    if said.value is None:
        said.operation, said.value = "!=", ECN_NONE
    elif not isinstance(said.value, int):
        _wrong(said, "'ip ect': no number", "'ip ect' alone, or a value from 0 to 3")
    comparison = _compared(said, ECN_MASK)
    said.about = TOS
    return _conditions(said, comparison.turned(comparison.at("ip", 0, 16)))


def _ce(said: Directive) -> Expression:
    _no_value(said)
    said.about = TOS
    return _conditions(said, Test("ip", 0, ECN_MASK << 16, ECN_CE << 16))


def _no_value(said: Directive) -> None:
    if said.value is not None or said.mask is not None:
        _wrong(said, f"'{said.title}': value not supported", "it stands alone")


def _field(said: Directive) -> Expression:
    about = said.about
    if not _is_number(said, about):
        _wrong(said, f"'{said.title}': value missing", "a number")
    comparison = _compared(said, (1 << about.bits) - 1)
    region, word = "ip6" if about.six else "ip" if about.protocol is None else "transp", about.offset // 32 * 4
    return _conditions(said, comparison.turned(comparison.at(region, word, 32 - about.offset % 32 - about.bits)))


_RULES: dict[object, Callable[[Directive], Expression]] = {
    Kind.HOST: _host,
    Kind.NET: _net,
    Kind.ETHER: _ether,
    Kind.PORT: _port,
    Kind.OPTION: _option,
    Kind.PROTOCOL: _protocol,
    Kind.FRAGMENT: _whole,
    Kind.WHOLE: _whole,
    Kind.ECT: _ect,
    Kind.CE: _ce,
    Field: _field,
}


# -- what they share -----------------------------------------------------------------------------------------------------


def _conditions(said: Directive, core: Expression) -> Expression:
    """Add the test of the protocol, and of the first fragment for fields that only that has."""
    parts = [core]
    if said.protocol == TCP_OR_UDP:
        parts.append(Some(*(Test("ip", 8, 0xFF0000, protocol << 16) for protocol in (TCP, UDP))))
    elif said.protocol not in (None, TRANSPORT, PAYLOAD):
        parts.append(Test("ip", 8, 0xFF0000, said.protocol << 16))
    about = said.about
    if about in (Kind.PORT, Kind.OPTION) or (isinstance(about, Field) and about.protocol is not None):
        parts.append(FIRST_FRAGMENT)
    return All(*parts)


def _is_number(said: Directive, about: Kind | Field) -> bool:
    return isinstance(said.value, (int, Range)) or (isinstance(said.value, Named) and said.value.about == about)


def _number(said: Directive) -> int | Range:
    return said.value.value if isinstance(said.value, Named) else said.value


def _compared(said: Directive, limit: int, number: int | Range | None = None) -> Comparison | Within:
    if said.mask is not None and not isinstance(said.mask, int):
        _wrong(said, f"'{said.title}': the mask is no number")
    number = _number(said) if number is None else number
    try:
        if isinstance(number, Range):
            comparison = within(said.title, said.operation, limit, said.mask, number.first, number.last)
        else:
            comparison = compare(said.title, said.operation, limit, said.mask, number & 0xFFFFFFFF)
    except ArgError as error:
        _wrong(said, error.message, error.hint)
    said.constant = comparison.constant
    return comparison


def _wrong(said: Directive, message: str, hint: str | None = None) -> None:
    raise ArgError(message, hint, offset=said.word.at)
