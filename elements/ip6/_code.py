"""C code that several classes of the family generate, and addresses in their state."""

from collections.abc import Iterable
from ipaddress import IPv6Address
from typing import Any

from clickbpf.declare import IP6Address, field_handlers, u8, u32


def membership6(name: str, addresses: Iterable[IPv6Address]) -> str:
    """SELF(name)(address): whether the 16 bytes at `address` are one of these."""
    tests = "".join(f"\tif ({_is(address)})\n\t\treturn true;\n" for address in sorted(set(addresses)))
    return f"static __always_inline bool SELF({name})(const __u8 *address)\n{{\n{tests}\treturn false;\n}}\n"


def words6(address: int) -> tuple[int, int, int, int]:
    """The four words of 32 bits of an address."""
    first, second, third, last = (address >> shift & 0xFFFFFFFF for shift in (96, 64, 32, 0))
    return first, second, third, last


def _is(address: IPv6Address) -> str:
    return " && ".join(f"word32(address + {4 * i}) == htonl(0x{word:08x})" for i, word in enumerate(words6(int(address))))


def address_fields(name: str) -> dict[str, Any]:
    """Fields of a Vars for an address that handlers change. There are two copies, so that a change takes effect by one store."""
    return {name: u8 * 32, f"{name}_half": u32}


def set_address(state: Any, name: str, address: IPv6Address) -> None:
    half = 1 - getattr(state, f"{name}_half")
    getattr(state, name)[16 * half : 16 * half + 16] = address.packed
    setattr(state, f"{name}_half", half)


def get_address(state: Any, name: str) -> IPv6Address:
    half = getattr(state, f"{name}_half")
    return IPv6Address(bytes(getattr(state, name)[16 * half : 16 * half + 16]))


class address6_handlers(field_handlers):
    """Handlers of such an address."""

    def __init__(self, state: str):
        super().__init__(state, IP6Address())

    def get(self, state: Any, field: str) -> IPv6Address:
        return get_address(state, field)

    def set(self, state: Any, field: str, value: IPv6Address) -> None:
        set_address(state, field, value)
