"""The base of the translators between IPv4 and IPv6: prefixes for embedded IPv4 addresses, and mappings."""

from ipaddress import IPv6Interface

from clickbpf.declare import NOWHERE, PUSH, ArgError, Constants, Context, Element, IP6Prefix, Rest, frozen, read_handler

from ._mappings import Mapping, check, code

#: IPv4-mapped addresses (RFC 4291, 2.5.5.2).
MAPPED = IPv6Interface("::ffff:0:0/96")


LENGTHS = (32, 40, 48, 56, 64, 96)


@frozen
class EmbeddingPrefix(IP6Prefix):
    """A prefix for embedded IPv4 addresses (RFC 6052, 2.2); value IPv6Interface."""

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


#: The argument of both.
MAPPINGS = Rest("MAPPING", Mapping(), "`IPPREFIX IP6PREFIX`: addresses with one of these prefixes become those with the other (RFC 7757); "
    "what follows the IPv4 prefix follows the IPv6 prefix, and zeros follow that. The longest prefix counts. 64 at most")  # fmt: skip


class Translator(Element, ports="1/1-2", processing=PUSH):
    """Base of both."""

    @property
    def weight(self) -> int:  # type: ignore[override]
        return 250 + 16 * len(self.cfg.mapping)

    def configure(self) -> None:
        check(self.cfg.mapping)

    def code(self) -> str:
        return code(self.cfg.mapping)

    @read_handler
    def table(self) -> str:
        """the mappings, one a line"""
        return "".join(f"{MAPPINGS.type.unparse(each)}\n" for each in self.cfg.mapping)

    def constants(self) -> Constants:
        prefixes = {arg.name.lower(): getattr(self.cfg, arg.name.lower()) for arg in self.args if isinstance(arg.type, EmbeddingPrefix)}
        lengths = {f"{name}_length": ("int", str(prefix.network.prefixlen)) for name, prefix in prefixes.items()}
        return {"outputs": ("int", str(self.noutputs)), **lengths}
