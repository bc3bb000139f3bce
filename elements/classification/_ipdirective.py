"""Reading one directive of a pattern: `[src|dst] [ip|tcp|...] [host|port|ip ttl|...] [& MASK] [==|>|...] VALUE`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Interface
from typing import Any

from clickbpf.declare import (
    ArgError, Context, Ether, EtherAddress, IP6Address, IP6Prefix, IPAddress, IPPrefixNonContiguous, Prefix, Type, did_you_mean,
    frozen, written_integer,
)
from clickbpf.args import names
from clickbpf.args.types.base import quoted

from ..ip6._types import TYPES as ICMP6_TYPES
from ._ipfamilies import says_ip6
from ._ipkinds import (
    DSCP,
    DSCP6,
    ICMP6,
    ICMP6_TYPE_FIELD,
    ICMP_TYPE_FIELD,
    KINDS,
    KINDS6,
    PCAP_FLAGS,
    POSITIONS,
    PROTOCOL_NAMES,
    SYNTAX,
    TOS,
    About,
    Field,
    Kind,
    Named,
    known_words,
    lookup,
)
from ._ipwords import Word, Words



@frozen
class Range:
    """The numbers from the first to the last."""

    first: int
    last: int


Value = int | Range | Named | IPv4Address | Prefix | IPv6Address | IPv6Interface | Ether
Mask = int | IPv4Address | Ether

OPERATIONS = {"=": "==", "==": "==", "!=": "!=", ">": ">", "<": "<", ">=": ">=", "<=": "<="}
#: The bytes of a header that can be tested.
POSITION_MAX = 8191


@dataclass
class Directive:
    """The parts of a directive; None for a part that wasn't given."""

    word: Word
    about: About | None = None
    #: "src", "dst", "or", "and".
    side: str | None = None
    protocol: int | None = None
    #: "ip", "ip6" or "ether".
    header: str | None = None
    #: The given family, 4 or 6.
    family: int | None = None
    #: Whether there is a `not` among the words.
    turned: bool = False
    mask: Mask | None = None
    operation: str = "=="
    value: Value | None = None
    value_word: Word | None = None
    #: The comparison's result, if it is always the same.
    constant: bool | None = None

    @property
    def wants_value(self) -> bool:
        """Whether the directive is incomplete without a value."""
        alone = (Kind.FRAGMENT, Kind.WHOLE, Kind.ECT, Kind.CE)
        return self.value is None and self.about not in alone and (self.about is not None or self.protocol is None)

    @property
    def is_family(self) -> bool:
        """Whether it is `ip6` alone."""
        return self.family == 6 and self.about is None and self.protocol is None and self.value is None and self.side is None

    @property
    def is_tos(self) -> bool:
        """Whether it is about the TOS byte, which IPv6 has under another name; includes `ect` and `ce`, once their meaning is
        known."""
        return self.about is TOS

    @property
    def title(self) -> str:
        return self.about.title if self.about else "directive"


def read_directive(words: Words, before: Directive | None, context: Context) -> tuple[Directive, bool]:
    """Read the next directive; also returns whether it has words in front of its value.

    Without such words its subject may come from the directive `before` it: Ethernet addresses, or types of ICMPv6 and code points,
    whose names have other meanings elsewhere. Raises ArgError.
    """
    directive, start = Directive(words.peek()), words.taken
    while _qualifier(directive, words, context):
        words.take()
    qualified = words.taken > start
    if not qualified and before is not None and isinstance(before.value, Ether):
        directive.header = "ether"
    if not qualified and before is not None and _has_names_of_its_own(before.about, words.peek(), context):
        directive.about, directive.protocol, directive.family = before.about, before.about.protocol, before.family
    if words.peek() == "[" and qualified and directive.about is None:
        directive.about = _brackets(directive, words)
    if words.peek() == "&":
        directive.mask = _mask(directive, words, context)
    operator = words.peek()
    if operator in OPERATIONS:
        directive.operation = OPERATIONS[words.take()]
    directive.value_word = words.peek()
    directive.value = _value(directive, words, context)
    if directive.value is None and operator in OPERATIONS and not words.peek().is_name:
        raise ArgError(f"a value is missing after '{operator}'", offset=words.peek().at)
    if words.taken == start or (directive.wants_value and words.peek().is_name and words.peek() not in SYNTAX):
        raise _unknown(directive, words.peek(), context)
    if directive.wants_value and not directive.is_family:
        _find_names(words.since(start), context)
    return directive, qualified


def _has_names_of_its_own(about: About | None, word: Word, context: Context) -> bool:
    """Whether a word names a type of ICMPv6, or a code point, if that is the directive's subject."""
    if about is ICMP6_TYPE_FIELD:
        return word in ICMP6_TYPES
    return about in (DSCP, DSCP6) and context.names.query(names.DSCP, context.element, word) is not None


# -- the words in front of the value -------------------------------------------------------------------------------------


def _qualifier(directive: Directive, words: Words, context: Context) -> bool:
    """Record the next word if it qualifies the value. Leaves that word to be taken."""
    word = words.peek()
    kinds = KINDS6 if directive.header == "ip6" else KINDS
    if word in kinds or word in KINDS:
        about = kinds.get(word) or KINDS[word]
        if about is ICMP_TYPE_FIELD and directive.protocol == ICMP6:
            about = ICMP6_TYPE_FIELD
        _set(directive, "about", about, word, "it says twice what it is about")
        if isinstance(directive.about, Field) and directive.about.protocol is not None:
            _set_protocol(directive, directive.about.protocol, word)
    elif word in ("src", "dst", "dest"):
        _set(directive, "side", _side(words), word, "'src' or 'dst' is specified twice")
    elif word in ("ip", "ip6", "ether") and directive.header is None:
        directive.header = str(word)
        directive.family = {"ip": 4, "ip6": 6}.get(word)
    elif word in ("not", "!"):
        directive.turned = not directive.turned
    else:
        protocol = _protocol(word, context)
        if protocol is None:
            return False
        _set_protocol(directive, protocol, word)
    return True


def _side(words: Words) -> str:
    """`src`, `dst`, `src or dst`, `src and dst`; up to the last word."""
    if words.peek() == "src" and words.peek(2) in ("dst", "dest"):
        side = {"and": "and", "&&": "and", "or": "or", "||": "or"}.get(words.peek(1))
        if side:
            words.take()
            words.take()
            return side
    return "src" if words.peek() == "src" else "dst"


def _set(directive: Directive, what: str, value: Any, word: Word, mistake: str) -> None:
    if getattr(directive, what) is not None:
        raise ArgError(mistake, f"'{word}' is a word of patterns: nothing can be named so here", offset=word.at)
    setattr(directive, what, value)


def _set_protocol(directive: Directive, protocol: int, word: Word) -> None:
    if directive.protocol not in (None, protocol):
        raise ArgError("the transport protocol is specified twice", "no packet has two; put 'or' between them", offset=word.at)
    directive.protocol = protocol


def _protocol(word: Word, context: Context) -> int | None:
    """The number of a protocol if the word is the name of a protocol only."""
    try:
        named = lookup(word, None, None, context) if word.is_name else None
    except ArgError:
        return None
    return named.value if named and named.about is Kind.PROTOCOL else None


# -- bytes of a header ---------------------------------------------------------------------------------------------------


def _brackets(directive: Directive, words: Words) -> Field:
    """`[POS]`, `[POS:LEN]` or `[FIRST,LAST]`, in bytes, or `[tcpflags]` and the like."""
    opening, text = words.take(), ""
    while words.peek() != "]":
        if not words.peek():
            raise ArgError("missing ']'", offset=opening.at)
        text += words.take()
    words.take()
    first, length = (POSITIONS[text], 1) if text in POSITIONS else _position(text, opening)
    if not 1 <= length <= 4:
        raise ArgError("the length in '[POS:LEN]' is out of range", "it goes from 1 to 4 bytes", offset=opening.at)
    if not 0 <= first <= POSITION_MAX:
        raise ArgError("the position in '[POS:LEN]' is out of range", f"it goes from 0 to {POSITION_MAX}", offset=opening.at)
    if first // 4 != (first + length - 1) // 4:
        hint = "it must not cross a multiple of 4 bytes; ask for its parts, with 'and' between"
        raise ArgError(f"field [{first}:{length}] does not fit in a single word", hint, offset=opening.at)
    header = "ip" if directive.protocol is None else PROTOCOL_NAMES.get(directive.protocol, "transp")
    six = directive.family == 6 and directive.protocol is None
    return Field(f"{'ip6' if six else header}[{text}]", 8 * first, 8 * length, directive.protocol, six)


def _position(text: str, opening: Word) -> tuple[int, int]:
    for separator in (":", ","):
        if separator in text:
            first, second = (written_integer(part) for part in text.split(separator, 1))
            if first is not None and second is not None:
                return first, second if separator == ":" else second - first + 1
    number = written_integer(text)
    if number is None:
        hint = "expected '[POS]' or '[POS:LEN]', in bytes; TCP's flags are 'tcp[tcpflags]'"
        raise ArgError("syntax error after '['", hint, offset=opening.at)
    return number, 1


# -- values --------------------------------------------------------------------------------------------------------------


def _mask(directive: Directive, words: Words, context: Context) -> Mask:
    words.take()
    word = words.peek()
    if (flags := _flags(words)) is not None:
        return flags
    for mask in _readings(directive, word, context):
        if isinstance(mask, (int, IPv4Address, Ether)):
            words.take()
            if isinstance(mask, (int, IPv4Address)) and not 0 < int(mask) < 1 << 32:
                raise ArgError(f"the mask {quoted(word)} is out of range", "it has at least one bit, at most 32", offset=word.at)
            return mask
    raise ArgError("expected a mask after '&'", "a number or an address", offset=word.at)


def _value(directive: Directive, words: Words, context: Context) -> Value | None:
    """Read the value; None if there is none here."""
    word = words.peek()
    if (flags := _flags(words)) is not None:
        return flags
    if not word.is_name:
        return None
    if directive.about in (DSCP, DSCP6) and _has_names_of_its_own(directive.about, word, context):
        return context.names.query(names.DSCP, context.element, words.take())
    try:
        named = lookup(word, directive.about, directive.protocol, context)
    except ArgError as error:
        raise ArgError(error.message, error.hint, offset=word.at) from None
    value = named or next(_readings(directive, word, context), None)
    if value is None:
        value = _group(directive, word)
    if value is None:
        return None
    words.take()
    if isinstance(value, IPv4Address):
        if words.peek() == "mask" and (mask := _parsed(IPAddress(), words.peek(1), context)):
            words.take()
            words.take()
            return Prefix(value, mask)
        if directive.about is Kind.NET:
            return _parsed(IPPrefixNonContiguous(bare=False), word, context) or value
    if isinstance(value, IPv6Address) and directive.about is Kind.NET:
        return _parsed(IP6Prefix(bare=False), word, context) or value
    return value


def _readings(directive: Directive, word: Word, context: Context) -> Iterator[Value]:
    """The possible readings of a word, the likeliest first."""
    if not word.is_name or word in SYNTAX:
        return
    number = written_integer(word)
    if number is not None and -(1 << 31) <= number < 1 << 32:
        yield number
    first, last = map(written_integer, word.split("-", 1)) if word.count("-") == 1 else (None, None)
    if first is not None and last is not None:
        yield Range(first, last)
    if directive.header not in ("ether", "ip6"):
        yield from filter(None, (_parsed(kind, word, context) for kind in (IPAddress(), IPPrefixNonContiguous(bare=False))))
    if directive.header == "ip6" or (directive.header is None and says_ip6([word])):
        yield from filter(None, (_parsed(kind, word, context) for kind in (IP6Address(), IP6Prefix(bare=False))))
    if directive.header not in ("ip", "ip6"):
        yield from filter(None, (_parsed(EtherAddress(), word, context),))


def _parsed(kind: Type, word: Word, context: Context) -> Any:
    try:
        return kind.parse(word, context) if word.is_name else None
    except ArgError:
        return None


def _flags(words: Words) -> int | None:
    """Read TCP flags in tcpdump's notation, `tcp-syn` or `(tcp-syn|tcp-ack)`; None if there are none."""
    listed = words.peek() == "("
    if words.peek(listed) not in PCAP_FLAGS:
        return None
    words.accept("(")
    flags = PCAP_FLAGS[words.take()]
    while listed and words.accept("|") and words.peek() in PCAP_FLAGS:
        flags |= PCAP_FLAGS[words.take()]
    if listed and not words.accept(")"):
        raise ArgError("expected '|' and a flag, or ')'", f"flags are {', '.join(PCAP_FLAGS)}", offset=words.peek().at)
    return flags


#: Groups of addresses that have a name after `ip`, `ip6` or `ether` (pcap-filter(7)), and the mask of those that aren't a single one.
_GROUPS: dict[tuple[str | None, str], tuple[Kind, Value, Mask | None]] = {
    ("ip", "multicast"): (Kind.NET, Prefix.of_length(IPv4Address("224.0.0.0"), 4), None),
    ("ip6", "multicast"): (Kind.NET, IPv6Interface("ff00::/8"), None),
    ("ether", "broadcast"): (Kind.ETHER, Ether(b"\xff" * 6), None),
    ("ether", "multicast"): (Kind.ETHER, Ether(b"\x01" + bytes(5)), Ether(b"\x01" + bytes(5))),
}


def _group(directive: Directive, word: Word) -> Value | None:
    """The group of destinations named by a word, unless the word is otherwise defined; sets the directive's subject."""
    kind, value, mask = _GROUPS.get((directive.header, word), (None, None, None))
    if kind is None or directive.side is not None or directive.about is not None:
        return None
    directive.side, directive.about, directive.mask = "dst", kind, mask
    return value


# -- what can't be read --------------------------------------------------------------------------------------------------

#: Matches words meant as IPv4 addresses.
_DOTTED = re.compile(r"\d+(\.\d+){3}")
#: Words of tcpdump's filters that patterns don't have, and what to write here.
_TCPDUMP = {
    "less": "'ip len <= 100' counts from the IP header on (tcpdump's 'less' counts the Ethernet header, too)",
    "greater": "'ip len >= 100' counts from the IP header on (tcpdump's 'greater' counts the Ethernet header, too)",
    "multicast": "write 'ip multicast', 'ip6 multicast' or 'ether multicast'",
    "broadcast": "write 'dst host 255.255.255.255', or 'ether broadcast'",
    "arp": "patterns are of IP packets: a Classifier before this element finds ARP, by '12/0806'",
    **dict.fromkeys(("state", "established", "related", "keep"), "IPRewriter(keep 0 1, drop) remembers connections: see docs/recipes.md"),
    "vlan": "patterns are of IP packets: a Classifier before this element finds VLAN 10, by '12/8100 14/000a%0fff'",
    "dport": "write 'dst port'",
    "sport": "write 'src port'",
    "from": "write 'src host' or 'src net'",
    "to": "write 'dst host' or 'dst net'",
    "-": "write 'src net 10.0.0.0/8 and dst net 192.168.0.0/16'",
    "flags": "TCP's flags are 'tcp opt syn', or 'tcp[tcpflags] & tcp-syn != 0'",
}


def _find_names(said: Iterable[Word], context: Context) -> None:
    """In a directive without a value, a word that is also a name of an AddressInfo was probably meant as that."""
    suffixes = {names.IP: "ip", names.IP_PREFIX: "ipnet", names.ETHER: "eth", names.IP6: "ip6", names.IP6_PREFIX: "ip6net"}
    for word in said:
        for kind, suffix in suffixes.items():
            if context.names.query(kind, context.element, word) is not None:
                message = f"'{word}' is a word of patterns, and not the address of this name"
                raise ArgError(message, f"write '{word}:{suffix}'", offset=word.at)


def _unknown(directive: Directive, word: Word, context: Context) -> ArgError:
    if not word:
        return ArgError("an expression is missing at the end", offset=word.at)
    if not word.is_name or word in SYNTAX:
        return ArgError(f"'{word}' is out of place", "a test is expected here, as in 'src port 80'", offset=word.at)
    if "/" in word or _DOTTED.fullmatch(word):
        of6 = directive.header == "ip6" or says_ip6([word])
        prefix, address = (IP6Prefix(bare=False), IP6Address()) if of6 else (IPPrefixNonContiguous(bare=False), IPAddress())
        kind = prefix if "/" in word else address
        try:
            kind.parse(word, context)
        except ArgError as error:
            return ArgError(error.message, error.hint, offset=word.at)
    if word.startswith("icmp-"):
        return ArgError(f"{quoted(word)} is not a word of the pattern language", f"write 'icmp type {word[5:]}'", offset=word.at)
    hint = _TCPDUMP.get(word) or did_you_mean(word, known_words(context))
    hint = hint or ("for an address of this name, write an AddressInfo" if word[0].isalnum() else "write a test as in 'tcp dst port 80'")
    return ArgError(f"{quoted(word)} is not a word of the pattern language, an address or a name", hint, offset=word.at)
