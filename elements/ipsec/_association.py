"""Security associations: the state that elements share (struct sa, sa.h), keys as configurations write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clickbpf.args import NOWHERE, ArgError, Bytes, Context
from clickbpf.frozen import frozen
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.state import Vars, u8, u32, u64

#: Longest keys, in bytes: AES-256, and a block of SHA1.
LONGEST_CIPHER_KEY, LONGEST_DIGEST_KEY = 32, 64
DES_KEYS, AES_KEYS = (8, 24), (16, 24, 32)
DIGEST_KEYS = (16, 20, 32, 64)
#: Sequence numbers that the replay window tracks: bits of `seen`.
WIDEST = 64
#: Bytes of all keys in Click.
CLICK_KEY = 16
#: What is shown in the place of a key.
ELIDED = "<key>"
#: What libcrypto is to the linker.
LIBRARIES = ("crypto",)

#: `next` is the next sequence number to send, `last` the highest that has come; bit n of `seen` says that `last` - n has. An
#: association with SPI 0 is unused.
SA_FIELDS: Mapping[str, Any] = {
    "spi": u32, "cipher_length": u8, "digest_length": u8, "window": u8,
    "start": u32, "last": u32, "next": u64, "seen": u64,
    "cipher_key": u8 * LONGEST_CIPHER_KEY, "digest_key": u8 * LONGEST_DIGEST_KEY,
}  # fmt: skip


@frozen
class Association:
    """Keys in bytes; `start` is the first sequence number, `window` how many before the highest are tracked."""

    spi: int
    cipher_key: bytes = b""
    digest_key: bytes = b""
    start: int = 1
    window: int = WIDEST

    def store(self, entry: Any) -> None:
        """Into the memory of a struct sa; its SPI is written last."""
        entry.spi = 0
        for name, key in (("cipher", self.cipher_key), ("digest", self.digest_key)):
            getattr(entry, f"{name}_key")[: len(key)] = key
            setattr(entry, f"{name}_length", len(key))
        entry.window = min(self.window, WIDEST)
        entry.start = entry.next = entry.last = self.start
        entry.seen = 0
        entry.spi = self.spi

    @classmethod
    def load(cls, entry: Any) -> Association:
        keys = (bytes(entry.cipher_key)[: entry.cipher_length], bytes(entry.digest_key)[: entry.digest_length])
        return cls(entry.spi, *keys, entry.start, entry.window)


class Key(Bytes):
    """A key of one of some lengths, in bytes: as data, or as twice as many hexadecimal digits; value bytes."""

    def __init__(self, *lengths: int):
        self.lengths = lengths

    def parse(self, text: str, context: Context = NOWHERE) -> bytes:
        key = super().parse(text, context)
        digits = re.fullmatch(rb"([0-9A-Fa-f]{2})+", key) and len(key) // 2 in self.lengths
        # Click's keys are 16 bytes of data, which may look like digits.
        if len(key) in self.lengths and (not digits or len(key) == CLICK_KEY):
            return key
        if digits:
            return bytes.fromhex(key.decode())
        raise ArgError("key has bad length", f"expected {self.describe()}")

    def elided(self, text: str) -> str:
        return ELIDED

    def describe(self) -> str:
        *others, last = (str(length) for length in self.lengths)
        return f"a key of {', '.join(others)}{' or ' if others else ''}{last} bytes, as data or in hexadecimal digits"


def structure() -> str:
    """C of struct sa."""
    return Vars(**SA_FIELDS).c_structure("sa")


#: For all classes that have to do with associations.
HEADERS = {"ipsecstructures.h": structure}


class SecurityElement(Element):
    """Base of elements that handle ESP packets by an association: their own, if they have one, or the packet's."""

    runs = frozenset({"user"})
    libraries = LIBRARIES
    headers = HEADERS
    state_types = {"own": Vars(**SA_FIELDS)}

    def own_association(self) -> Association | None:
        return None

    def initialise(self) -> None:
        own = self.own_association()
        if own:
            own.store(self.state.own)

    def code(self) -> str:
        association = "(struct sa *)var(own)" if self.own_association() else "sa_of(p)"
        return (
            '#include "ipsec/sa.h"\n'
            f"static inline struct sa *SELF(association)(struct pkt *p __attribute__((unused)))\n{{\n\treturn {association};\n}}\n"
        )
