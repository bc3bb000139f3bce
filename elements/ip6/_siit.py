"""What the translators between IPv4 and IPv6 have in common: prefixes before IPv4 addresses."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Interface

from clickbpf.args import NOWHERE, ArgError, Context, IP6Prefix
from clickbpf.frozen import frozen
from clickbpf.vocabulary.element import PUSH, Element

#: IPv4-mapped addresses (RFC 4291, 2.5.5.2).
MAPPED = IPv6Interface("::ffff:0:0/96")


@frozen
class Prefix96(IP6Prefix):
    """A prefix that leaves 32 bits for an IPv4 address (RFC 6052, 2.2); value IPv6Interface."""

    bare: bool = False

    def parse(self, text: str, context: Context = NOWHERE) -> IPv6Interface:
        prefix = super().parse(text, context)
        if prefix.network.prefixlen != 96:
            raise ArgError(f"'{text}' is not a prefix of 96 bits", "an IPv4 address follows it, such as in 64:ff9b::/96")
        return prefix

    def describe(self) -> str:
        return "an IPv6 prefix of 96 bits"


class Translator(Element):
    """Base of both."""

    ports = "1/1-2"
    processing = PUSH
    weight = 250

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"outputs": ("int", str(self.noutputs))}
