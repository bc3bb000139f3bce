"""Conditions on frames: whether a pattern of IPFilter matches, and what the fields are.

A frame's network header follows 14 bytes of Ethernet header: `ip` in a pattern stands for frames of EtherType 0x0800, `ip6` for 0x86dd.
IPv6 extension headers are not skipped.
"""

from collections.abc import Callable

from clickbpf.args.context import Context
from clickbpf.classify.expression import All, Choose, Constant, Expression, Not, Some, Test
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.prove import terms
from clickbpf.prove.values import Truth, Word

IP, ARP, IP6 = 0x0800, 0x0806, 0x86DD
NETWORK = 14
FIELDS = {
    "ether": range(14),
    "ip tos": range(15, 16),
    "ip id": range(18, 20),
    "ip ttl": range(22, 23),
    "ip checksum": range(24, 26),
    "ip src": range(26, 30),
    "ip dst": range(30, 34),
    "ip6 hlim": range(21, 22),
    #: After an IPv4 header without options.
    "src port": range(34, 36),
    "dst port": range(36, 38),
    "udp checksum": range(40, 42),
    "tcp checksum": range(50, 52),
    "icmp checksum": range(36, 38),
    "icmp id": range(38, 40),
}


@frozen
class Frame:
    """A frame's bytes by offset, and its length, a word of 64 bits."""

    byte: Callable[[int], Word]
    length: Word

    def word(self, place: int, size: int) -> Word:
        """The value of `size` bytes in network byte order."""
        return terms.cat(*((8, self.byte(place + at)) for at in range(size)))

    def has(self, count: int) -> Truth:
        return terms.opposite(terms.below(self.length, count))

    def is_type(self, ethertype: int) -> Truth:
        return terms.all_of((self.has(NETWORK), terms.equal(self.word(12, 2), ethertype)))

    @property
    def header(self) -> Word:
        """The length of the IPv4 header in words of 32 bits."""
        return terms.extract(3, 0, self.byte(NETWORK))

    def is_valid(self) -> Truth:
        """Whether it is an IPv4 or IPv6 packet with a version and lengths that fit, and a right checksum (RFC 1812, 5.2.2)."""
        lengths = [terms.extend(64, self.word(NETWORK + place, 2), 16) for place in (2, 4)]
        size = terms.multiply(64, terms.extend(64, self.header, 4), 4)
        room = terms.opposite(terms.below(self.length, terms.add(64, lengths[0], NETWORK)))
        room6 = terms.opposite(terms.below(self.length, terms.add(64, lengths[1], NETWORK + 40)))
        version = terms.extract(7, 4, self.byte(NETWORK))
        right = terms.opposite(terms.below(lengths[0], size)), room, terms.opposite(self.has_wrong_checksum())
        four = terms.all_of((self.is_type(IP), self.has(NETWORK + 20), terms.equal(version, 4), *right))
        return terms.any_of((four, terms.all_of((self.is_type(IP6), self.has(NETWORK + 40), terms.equal(version, 6), room6))))

    def has_wrong_checksum(self) -> Truth:
        """Whether it has an IPv4 header with a wrong checksum (RFC 1071), or one that is too short to have a checksum."""
        lengths = range(5, 16)
        wrong = [terms.all_of((terms.equal(self.header, words), terms.opposite(self._right(words)))) for words in lengths]
        return terms.all_of((self.is_type(IP), terms.any_of((*wrong, terms.below(self.header, lengths.start)))))

    def _right(self, words: int) -> Truth:
        places = range(NETWORK, NETWORK + 4 * words, 4)
        little = [terms.extend(64, terms.swap(32, self.word(place, 4)), 32) for place in places]
        right = terms.equal(terms.fold(terms.total(64, [(word, 1) for word in little])), 0xFFFF)
        return terms.all_of((self.has(NETWORK + 4 * words), right))


#: Patterns that are only a family's name; IPFilter doesn't have these.
FAMILIES = {"ip": IP, "ip6": IP6, "arp": ARP}


def is_asked(text: str, context: Context, frame: Frame) -> Truth:
    """Whether a question's pattern matches a frame."""
    if text.split(" ")[0] == "valid":
        return terms.all_of((frame.is_valid(), is_asked(text[len("valid ") :], context, frame)))
    if text in FAMILIES:
        return frame.is_type(FAMILIES[text])
    return matches(pattern(text, context), frame) if text else True


def pattern(text: str, context: Context) -> Expression:
    """Parse a pattern of IPFilter, with the names of a router's configuration."""
    from clickbpf_elements.classification._iprules import Reader

    reader = Reader("PATTERN", context, [text])
    words = reader.words(text)
    found = reader.pattern(words, 0)
    if reader.errors:
        raise ClickError(f"{text}: {reader.errors[0].message}", hint=reader.errors[0].hint)
    return found


def matches(expression: Expression, frame: Frame) -> Truth:
    """Whether a pattern is true of a frame, which must be of a family named in the pattern."""
    families = {"ip6" if region.endswith("6") else "ip" for region in _regions(expression) - {"ether"}}
    family = terms.any_of(frame.is_type(IP6 if name == "ip6" else IP) for name in families) if families else True
    return terms.all_of((family, _true(expression, frame)))


def _regions(expression: Expression) -> set[str]:
    match expression:
        case Test():
            return {expression.region}
        case All(parts) | Some(parts):
            return set().union(*map(_regions, parts))
        case Not(part):
            return _regions(part)
        case Choose(condition, then, otherwise):
            return set().union(*map(_regions, (condition, then, otherwise)))
    return set()


def _true(expression: Expression, frame: Frame) -> Truth:
    match expression:
        case Constant(value):
            return value
        case Test():
            return _test(expression, frame)
        case All(parts):
            return terms.all_of(_true(part, frame) for part in parts)
        case Some(parts):
            return terms.any_of(_true(part, frame) for part in parts)
        case Not(part):
            return terms.opposite(_true(part, frame))
        case Choose(condition, then, otherwise):
            chosen = _true(condition, frame)
            ways = (chosen, _true(then, frame)), (terms.opposite(chosen), _true(otherwise, frame))
            return terms.any_of(terms.all_of(way) for way in ways)
    raise TypeError(expression)


def _test(test: Test, frame: Frame) -> Truth:
    match test.region:
        case "ether":
            return _at(test, frame, -2, True)
        case "ip" | "ip4":
            return _at(test, frame, NETWORK, frame.is_type(IP))
        case "ip6":
            return _at(test, frame, NETWORK, frame.is_type(IP6))
        case "last6":
            return _at(test, frame, NETWORK + 6, frame.is_type(IP6))
        case "upper6":
            return _at(test, frame, NETWORK + 40, frame.is_type(IP6))
        case "frag6":
            return test.short
    headers = ((terms.equal(frame.header, words), words) for words in range(5, 16))
    found = (terms.all_of((is_it, _at(test, frame, NETWORK + 4 * words, frame.is_type(IP)))) for is_it, words in headers)
    return terms.any_of(found)


def _at(test: Test, frame: Frame, start: int, there: Truth) -> Truth:
    """A test in a region that begins at `start`, for frames `there` that have the region."""
    bits = (terms.all_of((there, frame.has(start + test.needs))), _masked(test, frame, start + test.offset))
    absent = terms.all_of((terms.opposite(bits[0]), test.short))
    return terms.any_of((terms.all_of(bits), absent))


def _masked(test: Test, frame: Frame, place: int) -> Truth:
    needed = [at for at in range(4) if test.mask >> 8 * (3 - at) & 0xFF]
    return terms.all_of(
        terms.equal(terms.bitwise("and", 8, frame.byte(place + at), test.mask >> 8 * (3 - at) & 0xFF), test.value >> 8 * (3 - at) & 0xFF)
        for at in needed
    )
