"""StoreIP6Address: an address from the annotation into the packet."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address

from clickbpf.args import ArgError, Integer, IP6Address, Optional, Word
from clickbpf.element import Element

#: Where addresses stand in an IPv6 header (RFC 8200, 3).
IN_HEADER = {"src": 8, "dst": 24}


class StoreIP6Address(Element):
    """writes an IPv6 address into packets

    Synopsis: `StoreIP6Address(OFFSET)`, `StoreIP6Address(ADDR, OFFSET)`

    Without ADDR it is the packet's destination address annotation that is written; where that is `::`, the packet passes
    unchanged. ADDR may be `::`.

    With an OFFSET of `src` or `dst` the address goes into the packet's marked IPv6 header. If TCP, UDP or ICMPv6 follows, behind
    at most 8 extension headers and in the first fragment, its checksum is updated (RFC 1624); a destination on the way to
    another one, that of a routing header, has no part in it. With a number no checksum is changed: SetTCPChecksumIP6,
    SetUDPChecksumIP6 and ICMP6Checksum compute them.

    A packet too short for OFFSET, or without a marked IPv6 header for `src` and `dst`, leaves unchanged by output 1, or is
    dropped if that is not there. Click has no such element; it is to IPv6 what StoreIPAddress is to IPv4.

    Arguments:

      - ADDR: the address.
      - OFFSET: bytes from the packet's start, or `src` or `dst`.

    Ports: one input; output 0, and push output 1 (may be missing) for packets that have no such place.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> StoreIP6Address(2001:db8::1, src) -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    args = (Optional("ADDR", Word()), Optional("OFFSET", Word()))
    weight = 250

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.addr is not None and cfg.offset is None:
            cfg.addr, cfg.offset = None, cfg.addr
        if cfg.offset is None:
            raise ArgError("OFFSET is missing", "StoreIP6Address(OFFSET) or StoreIP6Address(ADDR, OFFSET)")
        self.address = None if cfg.addr is None else IP6Address().parse(cfg.addr, self.context)
        self.at = IN_HEADER.get(cfg.offset.lower())
        self.in_header = self.at is not None
        if not self.in_header:
            self.at = self._number(cfg.offset)

    def _number(self, text: str) -> int:
        try:
            return Integer(31).parse(text)
        except ArgError:
            raise ArgError(f"OFFSET '{text}' is no offset", "expected an integer, src or dst") from None

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {
            "noutputs": ("int", str(self.noutputs)),
            "fixed": ("bool", "true" if self.address is not None else "false"),
            "address": ("__u8[16]", IP6Address().c_value(self.address or IPv6Address(0))),
            "in_header": ("bool", "true" if self.in_header else "false"),
            "at": ("__u32", f"{self.at}U"),
        }
