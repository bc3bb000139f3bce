"""What the translators between IPv4 and IPv6 have in common: prefixes before IPv4 addresses."""

from ipaddress import IPv6Interface

from clickbpf.declare import NOWHERE, PUSH, ArgError, Constants, Context, Element, IP6Prefix, frozen

#: IPv4-mapped addresses (RFC 4291, 2.5.5.2).
MAPPED = IPv6Interface("::ffff:0:0/96")


LENGTHS = (32, 40, 48, 56, 64, 96)


@frozen
class EmbeddingPrefix(IP6Prefix):
    """A prefix that an IPv4 address can follow (RFC 6052, 2.2); value IPv6Interface."""

    bare: bool = False

    def parse(self, text: str, context: Context = NOWHERE) -> IPv6Interface:
        prefix = super().parse(text, context)
        if prefix.network.prefixlen not in LENGTHS:
            raise ArgError(f"'{text}' is not a prefix of 32, 40, 48, 56, 64 or 96 bits", "an IPv4 address follows it (RFC 6052, 2.2)")
        if prefix.network.network_address.packed[8]:
            raise ArgError(f"bits 64 to 71 of '{text}' are not zero", "RFC 6052, 2.2, reserves them, as in 64:ff9b::/96")
        return prefix

    def c_value(self, value: IPv6Interface) -> str:
        return super().c_value(IPv6Interface(value.network))

    def describe(self) -> str:
        return "an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits"


class Translator(Element, ports="1/1-2", processing=PUSH):
    """Base of both."""

    weight = 250

    def constants(self) -> Constants:
        prefixes = {arg.name.lower(): getattr(self.cfg, arg.name.lower()) for arg in self.args if isinstance(arg.type, EmbeddingPrefix)}
        lengths = {f"{name}_length": ("int", str(prefix.network.prefixlen)) for name, prefix in prefixes.items()}
        return {"outputs": ("int", str(self.noutputs)), **lengths}
