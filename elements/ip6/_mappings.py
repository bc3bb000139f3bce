"""Explicit mappings of the translators between IPv4 and IPv6 (RFC 7757): pairs of corresponding prefixes."""

from collections.abc import Iterable
from ipaddress import IPv6Interface

from clickbpf.declare import NOWHERE, ArgError, Context, IP6Prefix, IPPrefix, Prefix, Type, frozen, split_words_at

#: More would be too many paths for the kernel's verifier.
MOST = 64


@frozen
class Mapping(Type):
    """`IPPREFIX IP6PREFIX`; value Explicit."""

    described = "an IPv4 prefix and an IPv6 prefix"

    def parse(self, text: str, context: Context = NOWHERE) -> "Explicit":
        words = split_words_at(text)
        if len(words) != 2:
            raise ArgError(f"expected {self.described}", "as in 192.0.2.0/24 2001:db8::/120")
        values = [self._word(type_, *word, context) for type_, word in zip((IPPrefix(), IP6Prefix()), words)]
        found = Explicit(*values)
        if found.four.length + 96 < found.six.network.prefixlen:
            raise ArgError(f"{words[1][0]} has less room than {words[0][0]}", "what follows the IPv4 prefix follows the IPv6 prefix")
        return found

    @staticmethod
    def _word(type_: Type, word: str, offset: int, context: Context) -> object:
        try:
            return type_.parse(word, context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, offset=offset + error.offset) from None

    def unparse(self, value: "Explicit") -> str:
        return f"{value.four} {value.six.network}"


@frozen
class Explicit:
    """The bits after `four` in an IPv4 address are those after `six` in the IPv6 address."""

    four: Prefix
    six: IPv6Interface

    @property
    def c_value(self) -> str:
        six = ", ".join(f"0x{byte:02x}" for byte in self.six.network.network_address.packed)
        return f"{{ htonl({int(self.four.network):#x}), {self.four.length}, {{ {six} }}, {self.six.network.prefixlen} }}"


def check(mappings: Iterable[Explicit]) -> None:
    """ArgError if there are too many, or a prefix is in two of them."""
    known: set[object] = set()
    for number, each in enumerate(mappings):
        keys = {(each.four.network, each.four.length), each.six.network}
        if known & keys or number == MOST:
            wrong = f"there are more than {MOST} mappings" if number == MOST else "one of the prefixes has a mapping already"
            raise ArgError(wrong, argument="MAPPING", index=number)
        known |= keys


def code(mappings: Iterable[Explicit]) -> str:
    """SELF(map6)(from, to) and SELF(map4)(from, to): map an address; false if no mapping has it. The longest prefix counts."""
    given = list(enumerate(mappings))
    tables = "".join(f"static const struct siit_mapping SELF(mapping{number}) = {each.c_value};\n" for number, each in given)
    by4 = sorted(given, key=lambda each: -each[1].four.length)
    by6 = sorted(given, key=lambda each: -each[1].six.network.prefixlen)
    functions = _function("map6", "__be32 from, __u8 *to", by4) + _function("map4", "const __u8 *from, __be32 *to", by6)
    return '#include "ip6/siit.h"\n' + tables + functions


def _function(name: str, parameters: str, ordered: Iterable[tuple[int, Explicit]]) -> str:
    tries = "".join(f"siit_{name}(&SELF(mapping{number}), from, to) ||\n\t       " for number, _ in ordered)
    return f"static __always_inline bool SELF({name})({parameters})\n{{\n\t(void)from, (void)to;\n\treturn {tries}false;\n}}\n"
