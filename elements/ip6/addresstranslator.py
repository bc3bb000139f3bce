from collections.abc import Iterator
from typing import Any, Self

from clickbpf.declare import (
    KEPT, PUSH, Array, Constants, Element, Held, Keyword, Raw, Rest, Time, Vars, be16, ip6_text, read_handler, u8, u32, u64,
)

from ..tables._index import buckets, index_state
from ._shares import SHARES, SHARES_ARGS, share_constants
from ._translations import Kind, Translations, parse_translations, to_address

#: In ns.
DEFAULT_TIMEOUT = 7440 * 10**9


class AddressTranslator(Element, ports="2/2-3", processing=PUSH, flow="xy/xy"):
    """translates IPv6 addresses, and ports, by a table

    Synopsis: `AddressTranslator(NSTATIC, [STATIC_PORTS, MAPPING...,] DYNAMIC, [DYNAMIC_PORTS, INWARD, POOL...,] [KEYWORDS])`

    IPv6 packets on input 0 go out: their source address is replaced by the address that it is mapped to, and they leave by output
    0. Packets on input 1 come in: their destination is replaced by the inner address, which also becomes the destination address
    annotation, and they leave by output 1. Checksums of TCP, UDP and ICMPv6 are updated; within ICMPv6 errors, the packet that
    they are about is translated as well.

    Mappings are static, or made from a pool when a packet arrives that has none. From a pool of addresses, each host gets one
    address, in order. With DYNAMIC_PORTS, all hosts share one address, and each flow of TCP or UDP, and each identifier of pings,
    gets a port of a range, in order. When nothing else is free, a mapping without a packet for TIMEOUT makes room for another;
    without any reply, after four minutes already.

    Packets that can't be translated leave unchanged by output 2, or are dropped if there is no output 2: packets without a
    mapping if no more can be made; where ports are mapped, all packets except TCP, UDP, pings and errors, and all fragments
    except the first; and packets without a marked IPv6 header (CheckIP6Header, MarkIP6Header). The kernel path hands over packets
    for which it finds no mapping, and errors.

    Together with ProtocolTranslator64 and ProtocolTranslator46, it lets hosts with IPv6 reach hosts with IPv4, if the addresses
    of the pool contain IPv4 addresses. Click's element never forgets a mapping, drops everything except TCP, UDP and ICMPv6,
    ignores extension headers and the packet within an error, makes wrong checksums right, doesn't distinguish flows of TCP from
    flows of UDP, and ignores the identifiers of pings.

    Arguments:

      - NSTATIC: how many static mappings follow.
      - STATIC_PORTS: whether MAPPINGs have ports; given only if NSTATIC is not 0.
      - DYNAMIC: whether mappings are also made from a pool.
      - DYNAMIC_PORTS: whether these have ports; given only with DYNAMIC, as are the arguments after it.
      - INWARD: true if incoming packets cause mappings, and POOL has inner addresses.
      - POOL: addresses, or prefixes of addresses; with DYNAMIC_PORTS one `ADDRESS FIRST LAST`. There are at most 65536 mappings in
        all.

    Example:

        at :: AddressTranslator(0, true, false, false, ::ffff:10.64.0.0/112);
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> [0]at[0] -> ProtocolTranslator64(PREFIX 64:ff9b::/96) -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> ProtocolTranslator46(SRC 64:ff9b::/96) -> [1]at[1] -> Discard;
    """

    #: Adopt a mapping; all have been adopted.
    enums = (Kind,)
    operations = ("ADOPT", "ADOPTED")
    args = (
        Rest("MAPPING", Raw(), "`INNER MAPPED`, or with ports `INNER PORT MAPPED PORT`"),
        Keyword("TIMEOUT", Time(3), DEFAULT_TIMEOUT, "how long a mapping that both sides have used is kept for certain. Default 7440 s, "
            "which RFC 6146 requires for connections"),
        *SHARES_ARGS,
    )
    annotations = ("DST_IP6",)
    weight = 400
    #: A mapping: addresses and ports inside and outside, and of a flow the other end; `generation` is odd while it is one; `shared` if it
    #: is counted for its host (shares.inc.h); `answered` once a packet has come from one who was `asked`, a keyed hash of his address;
    #: `number` is for ADOPT.
    state_types = {
        "mappings": Array(
            lambda element: element.numbers + 1,
            inner=u8 * 16, mapped=u8 * 16, other=u8 * 16, inner_port=be16, mapped_port=be16, other_port=be16, protocol=u8, kind=u8,
            generation=u32, number=u32, seen=u64, shared=u8, answered=u8, asked=u64,
        ),
        "buckets": index_state(lambda element: 2 * element.numbers),
        "vars": Vars(key=u64 * 2, outside=u32, next=u32),
        "shares": SHARES,
    }  # fmt: skip
    holds = (Held("mappings", KEPT, KEPT),)

    def configure(self) -> None:
        self.translations: Translations = parse_translations(self.cfg.mapping, self.context)
        self.statics = len(self.translations.statics)
        self.numbers = self.statics + len(self.translations.pool)

    def constants(self) -> Constants:
        found = self.translations
        return {
            "outputs": ("int", str(self.noutputs)),
            "static_kind": ("__u8", str(int(found.static_kind))),
            "dynamic_kind": ("__u8", str(int(found.dynamic_kind))),
            "asker": ("int", str(int(found.inward))),
            "statics": ("__u32", str(self.statics)),
            "numbers": ("__u32", str(self.numbers)),
            **share_constants(self.cfg, self.numbers),
            "mask": ("__u32", str(buckets(2 * self.numbers) - 1)),
        }

    def initialise(self) -> None:
        # Until take_state() the kernel path hands over packets for which it finds no mapping.
        self.state.vars.outside = self.hotswap_element() is not None
        found = self.translations
        for number, static in enumerate(found.statics, 1):
            entry = self.state.mappings[number]
            self._place(entry, "inner", *static.inner)
            self._place(entry, "mapped", *static.mapped)
            entry.kind, entry.generation, entry.answered = found.static_kind, 1, 1
        for number, place in enumerate(found.pool, self.statics + 1):
            entry = self.state.mappings[number]
            self._place(entry, "inner" if found.inward else "mapped", *place)
            entry.kind = found.dynamic_kind

    def _place(self, entry: Any, side: str, address: int, port: int) -> None:
        getattr(entry, side)[:] = to_address(address).packed
        setattr(entry, f"{side}_port", port)

    def take_state(self, before: Self) -> None:
        """Take mappings whose place in the pool still exists."""
        side = "inner" if self.translations.inward else "mapped"
        places = {self._key(self.state.mappings[n], side): n for n in range(self.statics + 1, self.numbers + 1)}
        for old in before.live():
            number = places.get(self._key(old, side))
            if number is not None and old.kind == self.translations.dynamic_kind and before.translations.inward == self.translations.inward:
                old.number = number
                self.runtime.control("ADOPT", (type(old) * 1)(old))
        self.runtime.control("ADOPTED")

    def _key(self, entry: Any, side: str) -> tuple[bytes, int]:
        return bytes(getattr(entry, side)), getattr(entry, f"{side}_port")

    def live(self) -> Iterator[Any]:
        """Copies of all mappings."""
        copies = (type(entry).from_buffer_copy(entry) for entry in self.state.mappings)
        return (entry for entry in copies if entry.generation & 1)

    @read_handler
    def table(self) -> str:
        """a line for each mapping: inner address, mapped address, with their ports if they have any."""
        return "".join(f"{self._text(entry, 'inner')} {self._text(entry, 'mapped')}\n" for entry in self.live())

    def _text(self, entry: Any, side: str) -> str:
        address = ip6_text(to_address(int.from_bytes(getattr(entry, side), "big")))
        return address if entry.kind == Kind.ADDRESSES else f"{address} {getattr(entry, f'{side}_port')}"

    table_size = read_handler(lambda self: str(sum(1 for _ in self.live())), text="the number of mappings.")
