from ipaddress import IPv6Interface
from itertools import chain

from clickbpf.declare import BEARS_OFFLOADS, SELDOM, Element, Ether, IP6Prefix, Raw, Rest, frozen, read_each

from ..ethernet._arpentries import parse_words


@frozen
class Entry:
    """The Ethernet address of a prefix."""

    prefix: IPv6Interface
    ether: Ether


class IP6NDAdvertiser(Element, traits=BEARS_OFFLOADS | SELDOM):
    """answers neighbour solicitations

    Synopsis: `IP6NDAdvertiser(IP6/LENGTH ... ETH, ...)`

    A neighbour solicitation (RFC 4861), which includes its Ethernet header, for an address in one of the prefixes becomes the
    advertisement with the Ethernet address of the longest such prefix. If a host asks whether an address is free (from `::`), the
    answer goes to all nodes. The advertisement says that its sender is a router. It overrides what neighbours know if the entry
    is a single address; for a prefix, as a proxy, it doesn't (7.2.4). All other packets are dropped, as are solicitations with
    wrong checksums, a hop limit other than 255 or anything else that is not valid (7.1.1), and those for addresses of no entry.

    The kernel path answers solicitations from a host's address with the host's Ethernet address as the only option, and hands over
    all others.

    Click's element answers solicitations from `::` to `::` itself, where nobody receives it, and never overrides.

    Arguments:

      - IP6/LENGTH ... ETH: addresses or prefixes, and the Ethernet address to advertise for them.

    Example: replies for the router's own address, and by proxy for 2001:db8:7::/64:

        c :: Classifier(12/86dd 20/3aff 54/87, -);
        FromDevice(eth0) -> c;
        c[0] -> IP6NDAdvertiser(2001:db8::1 02:00:00:00:00:01, 2001:db8:7::/64 02:00:00:00:00:01)
            -> Queue -> ToDevice(eth0);
        c[1] -> Discard;
    """

    args = (Rest("ENTRY", Raw()),)

    def configure(self) -> None:
        entries = read_each("ENTRY", self.cfg.entry, lambda text, _: self._parse(text))
        # Of equal prefixes the first counts, as in Click.
        self.answers = sorted(chain.from_iterable(entries), key=lambda entry: -entry.prefix.network.prefixlen)

    def _parse(self, text: str) -> list[Entry]:
        """The entries of `IP6/LENGTH [IP6/LENGTH...] ETH`."""
        prefixes, ether = parse_words(text, self.context, IP6Prefix(), "IP6/LENGTH")
        return [Entry(prefix, ether) for prefix in prefixes]

    @property
    def weight(self) -> int:
        return 400 + 40 * len(self.answers)

    def code(self) -> str:
        tests = "".join(map(_test, self.answers))
        return (
            "static __always_inline bool SELF(lookup)(const __u8 *address, __u8 ether[6], bool *override)\n{\n"
            f"\t(void)address, (void)ether, (void)override;\n{tests}\treturn false;\n}}\n"
        )


def _test(entry: Entry) -> str:
    """C that finds the entry's Ethernet address where its prefix fits."""
    network = entry.prefix.network
    address, mask = network.network_address.packed, network.netmask.packed
    conditions = [f"(address[{i}] & 0x{mask[i]:02x}) == 0x{address[i]:02x}" for i in range(16) if mask[i]] or ["true"]
    override = "\t\t*override = true;\n" if network.prefixlen == 128 else ""
    stores = "".join(f"\t\tether[{i}] = 0x{byte:02x};\n" for i, byte in enumerate(bytes(entry.ether)))
    return f"\tif ({' && '.join(conditions)}) {{\n{stores}{override}\t\treturn true;\n\t}}\n"
