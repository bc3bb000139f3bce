"""The base of StoreIPAddress and StoreIP6Address: which address is written, and where."""

from collections.abc import Mapping
from typing import Any, ClassVar

from clickbpf.declare import ArgError, Constants, Element, Integer, Optional, Word


class StoreAddress(Element, ports="1/1-2", processing="a/ah"):
    """Writes an address of `address_type`, or the one in the annotation; `places` has the offsets of `src` and `dst` in a
    header."""

    same_form = True
    address_type: ClassVar[Any]
    #: The unspecified address of that type.
    unset: ClassVar[str]
    places: ClassVar[Mapping[str, int]]

    args = (
        Optional("ADDR", Word(), text="the address"),
        Optional("OFFSET", Word(), text="bytes from the packet's start, or `src` or `dst`"),
    )

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.addr is not None and cfg.offset is None:
            cfg.addr, cfg.offset = None, cfg.addr
        if cfg.offset is None:
            name = self.class_name()
            raise ArgError("OFFSET is missing", f"{name}(OFFSET) or {name}(ADDR, OFFSET)")
        self.address = None if cfg.addr is None else self.address_type.parse(cfg.addr, self.context)
        self.at = self.places.get(cfg.offset.lower())
        self.in_header = self.at is not None
        if not self.in_header:
            self.at = self._number(cfg.offset)

    def _number(self, text: str) -> int:
        try:
            return Integer(31).parse(text)
        except ArgError:
            raise ArgError(f"OFFSET '{text}' is no offset", "expected an integer, src or dst") from None

    def constants(self) -> Constants:
        address = self.address if self.address is not None else self.address_type.parse(self.unset, self.context)
        return {
            "fixed": ("bool", "true" if self.address is not None else "false"),
            "address": (self.address_type.c_type, self.address_type.c_value(address)),
            "in_header": ("bool", "true" if self.in_header else "false"),
            "at": ("__u32", f"{self.at}U"),
        }
