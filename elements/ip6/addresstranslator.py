"""AddressTranslator: IPv6 hosts by other addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from clickbpf.args import Keyword, Raw, Rest, Time, ip6_text
from clickbpf.vocabulary.element import PUSH, Element, read_handler
from clickbpf.vocabulary.state import Array, Vars, be16, u8, u32, u64

from ..tables._index import buckets, index_state
from ._translations import Kind, Translations, parse_translations, to_address

#: In ns.
DEFAULT_TIMEOUT = 7440 * 10**9


class Operation(IntEnum):
    """The operation of CONTROL."""

    ADOPT = 0


class AddressTranslator(Element):
    """translates IPv6 addresses, and ports, by a table

    Synopsis: `AddressTranslator(NSTATIC, [STATIC_PORTS, MAPPING...,] DYNAMIC, [DYNAMIC_PORTS, INWARD, POOL...,] [TIMEOUT ...])`

    IPv6 packets on input 0 go out: their source address becomes the mapped one, and they leave by output 0. Packets on input 1 come
    in: their destination becomes the inner address and the destination address annotation, and they leave by output 1. Checksums of TCP,
    UDP and ICMPv6 are updated, and of ICMPv6 errors the packet within is translated as well.

    Mappings are static, or made of a pool when a packet comes for which there is none. A pool of addresses gives each host one of
    them, in their order. With DYNAMIC_PORTS all share one address, and each flow of TCP or UDP, or identifier of pings, has one of the
    ports of a range, in their order. A mapping that has had no packet for TIMEOUT makes room for another when nothing else is free.

    Packets that can't be translated leave unchanged by output 2, or are dropped if that is not there: those without a mapping when there
    is no other to be had; where ports are mapped, all but TCP, UDP, pings and errors, and fragments but the first; those without a
    marked IPv6 header (CheckIP6Header, MarkIP6Header). The kernel path hands over packets that it finds no mapping for, and errors.

    With ProtocolTranslator64 and 46 it lets hosts with IPv6 reach those with IPv4, as the addresses of the pool have IPv4 addresses in
    them. Click's element forgets no mapping, drops all but TCP, UDP and ICMPv6 and looks at neither extension headers nor the
    packet within an error, makes wrong checksums right, takes flows of TCP and UDP for the same, and has no idea of pings' identifiers.

    Arguments:

      - NSTATIC: how many static mappings follow.
      - STATIC_PORTS: only if NSTATIC is not 0: whether MAPPINGs have ports.
      - MAPPING: `INNER MAPPED`, or with ports `INNER PORT MAPPED PORT`.
      - DYNAMIC: whether other mappings are made.
      - DYNAMIC_PORTS: only if DYNAMIC, like all that follows: whether they have ports.
      - INWARD: true if packets that come in make them, and POOL has inner addresses.
      - POOL: addresses, or prefixes of addresses; with DYNAMIC_PORTS one `ADDRESS FIRST LAST`. 65536 mappings at most, all together.
      - TIMEOUT: how long a mapping is kept in any case. Default 7440 s, as RFC 6146 has it for connections.

    Ports: push inputs 0 and 1; push outputs 0 and 1, and output 2, which may be missing, for what can't be translated.

    Handlers:

      - `table` (read): a line for each mapping: inner address, mapped address, with their ports if they have any.
      - `table_size` (read): how many there are.

    Example:

        at :: AddressTranslator(0, true, false, false, ::ffff:10.64.0.0/112);
        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> [0]at[0] -> ProtocolTranslator64(PREFIX 64:ff9b::/96) -> Discard;
        FromDevice(eth1) -> Strip(14) -> CheckIPHeader -> ProtocolTranslator46(SRC 64:ff9b::/96) -> [1]at[1] -> Discard;
    """

    ports = "2/2-3"
    processing = PUSH
    flow = "xy/xy"
    enums = (Kind, Operation)
    entries = ("init", "cleanup", "control")
    args = (Rest("MAPPING", Raw()), Keyword("TIMEOUT", Time(3), DEFAULT_TIMEOUT))
    annotations = ("DST_IP6",)
    weight = 400
    #: A mapping: addresses and ports inside and outside, and of a flow the other end; `generation` is odd while it is one.
    state_types = {
        "mappings": Array(
            lambda element: element.numbers + 1,
            inner=u8 * 16, mapped=u8 * 16, other=u8 * 16, inner_port=be16, mapped_port=be16, other_port=be16, protocol=u8, kind=u8,
            generation=u32, reserved=u32, seen=u64,
        ),
        "buckets": index_state(lambda element: 2 * element.numbers),
        "vars": Vars(key=u64 * 2, outside=u32, next=u32),
    }  # fmt: skip

    def configure(self) -> None:
        self.translations: Translations = parse_translations(self.cfg.mapping, self.context)
        self.statics = len(self.translations.statics)
        self.numbers = self.statics + len(self.translations.pool)

    def constants(self) -> Mapping[str, tuple[str, str]]:
        found = self.translations
        return {
            "outputs": ("int", str(self.noutputs)),
            "static_kind": ("__u8", str(int(found.static_kind))),
            "dynamic_kind": ("__u8", str(int(found.dynamic_kind))),
            "asker": ("int", str(int(found.inward))),
            "statics": ("__u32", str(self.statics)),
            "numbers": ("__u32", str(self.numbers)),
            "mask": ("__u32", str(buckets(2 * self.numbers) - 1)),
        }

    def initialise(self) -> None:
        found = self.translations
        for number, static in enumerate(found.statics, 1):
            entry = self.state.mappings[number]
            self._place(entry, "inner", *static.inner)
            self._place(entry, "mapped", *static.mapped)
            entry.kind, entry.generation = found.static_kind, 1
        for number, place in enumerate(found.pool, self.statics + 1):
            entry = self.state.mappings[number]
            self._place(entry, "inner" if found.inward else "mapped", *place)
            entry.kind = found.dynamic_kind

    def _place(self, entry: Any, side: str, address: int, port: int) -> None:
        getattr(entry, side)[:] = to_address(address).packed
        setattr(entry, f"{side}_port", port)

    def take_state(self, before: AddressTranslator) -> None:
        """Mappings whose place in the pool there still is."""
        side = "inner" if self.translations.inward else "mapped"
        places = {self._key(self.state.mappings[n], side): n for n in range(self.statics + 1, self.numbers + 1)}
        for old in before.live():
            number = places.get(self._key(old, side))
            if number is not None and old.kind == self.translations.dynamic_kind and before.translations.inward == self.translations.inward:
                old.reserved = number
                self.runtime.control(Operation.ADOPT, (type(old) * 1)(old))

    def _key(self, entry: Any, side: str) -> tuple[bytes, int]:
        return bytes(getattr(entry, side)), getattr(entry, f"{side}_port")

    def live(self) -> Iterator[Any]:
        """Copies of the mappings that there are."""
        copies = (type(entry).from_buffer_copy(entry) for entry in self.state.mappings)
        return (entry for entry in copies if entry.generation & 1)

    @read_handler
    def table(self) -> str:
        return "".join(f"{self._text(entry, 'inner')} {self._text(entry, 'mapped')}\n" for entry in self.live())

    def _text(self, entry: Any, side: str) -> str:
        address = ip6_text(to_address(int.from_bytes(getattr(entry, side), "big")))
        return address if entry.kind == Kind.ADDRESSES else f"{address} {getattr(entry, f'{side}_port')}"

    @read_handler
    def table_size(self) -> str:
        return str(sum(1 for _ in self.live()))
