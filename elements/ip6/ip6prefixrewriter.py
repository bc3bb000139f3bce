from ipaddress import IPv6Interface

from clickbpf.declare import BEARS_OFFLOADS, PUSH, SAME, ArgError, Element, IP6Prefix, Required

from ._code import words6

#: The longest prefix: the bits after it distinguish hosts (RFC 6296, 3.5).
LONGEST = 64


class IP6PrefixRewriter(Element, ports="2/2-3", processing=PUSH, traits=BEARS_OFFLOADS):
    """translates the prefix of IPv6 addresses, without a state (NPTv6, RFC 6296)

    Packets on input 0 go out: in their source address, INTERNAL is replaced by EXTERNAL, and they leave by output 0. Packets on
    input 1 come in: in their destination address, EXTERNAL is replaced by INTERNAL, the result becomes the destination address
    annotation, and they leave by output 1. Internal and external addresses correspond one to one, so either side can start a
    conversation, and there is no state. One word of the address outside the prefix is changed so that checksums stay right for all
    protocols: the fourth for prefixes of up to 48 bits, otherwise the first of the last four that isn't ffff. Within ICMPv6 errors,
    the packet that they are about is translated as well.

    Packets that can't be translated leave unchanged by output 2, or are dropped if there is no output 2: those whose address
    doesn't have the prefix; those whose fourth word is ffff and would have to be changed (3.4); those whose last four words are
    all ffff, or all 0 (3.7); and those without a marked IPv6 header (CheckIP6Header, MarkIP6Header).

    Click has no such element.

    Example: a site with its own internal addresses:

        npt :: IP6PrefixRewriter(fd01:203:405::/48, 2001:db8:1::/48);
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> [0]npt[0] -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIP6Header -> [1]npt[1] -> Discard;
    """

    args = (
        Required("INTERNAL", IP6Prefix(bare=False), "the prefixes, of up to 64 bits; the shorter one is extended by zeros to the length of "
            "the other"),
        Required("EXTERNAL", IP6Prefix(bare=False), SAME),
    )
    annotations = ("DST_IP6",)
    weight = 250
    derived = {"length": ("int", lambda self: self.length)}

    def configure(self) -> None:
        for name in ("internal", "external"):
            prefix: IPv6Interface = getattr(self.cfg, name)
            if prefix.network.prefixlen > LONGEST:
                raise ArgError(f"a prefix of more than {LONGEST} bits", argument=name.upper())
            if prefix.is_link_local or prefix.is_multicast:
                raise ArgError("not a prefix of unicast addresses that are good beyond a link", argument=name.upper())
        self.length = max(self.cfg.internal.network.prefixlen, self.cfg.external.network.prefixlen)

    def code(self) -> str:
        internal, external = (self._words(prefix) for prefix in (self.cfg.internal, self.cfg.external))
        mask = words6(((1 << 128) - 1) >> (128 - self.length) << (128 - self.length))
        # In one's complement: what the external prefix takes from the sum, and what it adds.
        out = _folded(sum(_halves(internal)) + sum(0xFFFF - half for half in _halves(external)))
        numbers = {"mask": mask, "internal": internal, "external": external}
        tables = "".join(
            f"static const __u32 SELF({name}_words)[4] = {{ {', '.join(f'htonl(0x{word:08x})' for word in words)} }};\n"
            for name, words in numbers.items()
        )
        return f"{tables}#define NPT_OUT 0x{out:04x}\n#define NPT_IN 0x{0xFFFF - out:04x}\n"

    def _words(self, prefix: IPv6Interface) -> tuple[int, ...]:
        return words6(int(prefix.network.network_address))


def _halves(words: tuple[int, ...]) -> list[int]:
    return [half for word in words for half in (word >> 16, word & 0xFFFF)]


def _folded(total: int) -> int:
    while total > 0xFFFF:
        total = (total >> 16) + (total & 0xFFFF)
    return total
