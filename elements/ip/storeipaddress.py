"""StoreIPAddress: an address from an annotation into the packet."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Integer, IPAddress, Optional, Word
from clickbpf.element import Element

#: Where addresses stand in an IP header (RFC 791, 3.1).
IN_HEADER = {"src": 12, "dst": 16}


class StoreIPAddress(Element):
    """writes an IP address into packets

    Synopsis: `StoreIPAddress(OFFSET)`, `StoreIPAddress(ADDR, OFFSET)`

    Without ADDR it is the packet's destination address annotation that is written; where that is 0.0.0.0, the packet
    passes unchanged. ADDR may be 0.0.0.0.

    With an OFFSET of `src` or `dst` the address goes into the packet's marked IP header, whose checksum is updated
    (RFC 1624), and if TCP or UDP follows in the first fragment, so is that one's; a UDP packet without a checksum still has
    none. With a number no checksum is changed: SetIPChecksum, SetTCPChecksum, SetUDPChecksum compute them.

    A packet too short for OFFSET, or without a marked IP header for `src` and `dst`, leaves unchanged by output 1, or is
    dropped if that is not there.

    Arguments:

      - ADDR: the address.
      - OFFSET: bytes from the packet's start, or `src` or `dst`.

    Ports: one input; output 0, and push output 1 (may be missing) for packets that have no such place.

    Example: packets take the next hop as their destination:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> StaticIPLookup(0/0 10.0.0.254 0) -> StoreIPAddress(dst) -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    args = (Optional("ADDR", Word()), Optional("OFFSET", Word()))
    weight = 90

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.addr is not None and cfg.offset is None:
            cfg.addr, cfg.offset = None, cfg.addr
        if cfg.offset is None:
            raise ArgError("OFFSET is missing", "StoreIPAddress(OFFSET) or StoreIPAddress(ADDR, OFFSET)")
        self.address = None if cfg.addr is None else IPAddress().parse(cfg.addr, self.context)
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
            "address": ("__be32", IPAddress().c_value(self.address) if self.address is not None else "0"),
            "in_header": ("bool", "true" if self.in_header else "false"),
            "at": ("__u32", f"{self.at}U"),
        }
