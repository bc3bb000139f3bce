"""Security associations: the state shared by elements (struct sa, sa.h), and keys in configurations.

Sequence numbers must not start again under the same keys (RFC 4303, 3.3.3 and 3.4.3). So their state outlives the runtime, and
passes to a replacing router while the association stays the same, i.e. its keys and its SPI, the identifier of an association (RFC
4301, 4.1). No numbers need to be skipped after a crash: the sender takes a number from the kernel's memory before making the
packet, so that killing the runtime in between leaves a gap, harmless to receivers, but never leads to a number used twice.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any, Self

from clickbpf.declare import KEPT, NOWHERE, ArgError, Bytes, Context, Element, Form, Held, Successor, Vars, frozen, outliving, u8, u32, u64

#: Longest keys, in bytes: AES-256, and a block of SHA1.
LONGEST_CIPHER_KEY, LONGEST_DIGEST_KEY = 32, 64
DES_KEYS, AES_KEYS = (8, 24), (16, 24, 32)
DIGEST_KEYS = (16, 20, 32, 64)
#: The replay window's sequence numbers: bits of `seen`.
WIDEST = 64
MASK = (1 << WIDEST) - 1
#: The length of all keys in Click.
CLICK_KEY = 16
#: Shown in place of a key.
ELIDED = "<key>"
#: The linker's name for libcrypto.
LIBRARIES = ("crypto",)

#: `next`: the next sequence number to send; `last`: the highest number received; bit n of `seen`: `last` - n has been received.
#: `identity` distinguishes associations (identity_of()). An association with SPI 0 is unused; if it has an identity, its numbers
#: may be needed again.
SA_FIELDS: Mapping[str, Any] = {
    "spi": u32, "cipher_length": u8, "digest_length": u8, "window": u8,
    "start": u32, "last": u32, "next": u64, "seen": u64, "identity": u64,
    "cipher_key": u8 * LONGEST_CIPHER_KEY, "digest_key": u8 * LONGEST_DIGEST_KEY,
}  # fmt: skip


@frozen
class Association:
    """Keys in bytes; `start` is the first sequence number, `window` the number of tracked ones before the highest."""

    spi: int
    cipher_key: bytes = b""
    digest_key: bytes = b""
    start: int = 1
    window: int = WIDEST

    @property
    def identity(self) -> int:
        return identity_of(self.spi, (self.cipher_key, self.digest_key))

    def store(self, entry: Any, identity: int | None = None) -> None:
        """Store into a struct sa. If it already has the same association, its numbers continue; unchanged fields aren't written, as
        threads may be using them. `identity` overrides that of the keys here, for associations with keys in other elements."""
        new = type(entry)(spi=self.spi, window=min(self.window, WIDEST), start=self.start, last=self.start, next=self.start)
        new.identity = identity or self.identity
        for name, key in (("cipher", self.cipher_key), ("digest", self.digest_key)):
            getattr(new, f"{name}_key")[: len(key)] = key
            setattr(new, f"{name}_length", len(key))
        if entry.identity == new.identity:
            go_on(new, entry)
        else:
            entry.spi = 0
        for name in (*(name for name in SA_FIELDS if name != "spi"), "spi"):  # packets find it once it has its SPI
            value = getattr(new, name)
            if bytes(value) != bytes(getattr(entry, name)) if hasattr(value, "_length_") else value != getattr(entry, name):
                setattr(entry, name, value)

    @classmethod
    def load(cls, entry: Any) -> Self:
        keys = (bytes(entry.cipher_key)[: entry.cipher_length], bytes(entry.digest_key)[: entry.digest_length])
        return cls(entry.spi, *keys, entry.start, entry.window)


def identity_of(spi: int, keys: Collection[bytes]) -> int:
    """A number that is equal for associations with the same SPI and keys. It doesn't reveal the keys."""
    parts = (spi.to_bytes(4, "big"), *(len(key).to_bytes(1, "big") + key for key in sorted(filter(None, keys))))
    return int.from_bytes(sha256(b"".join(parts)).digest()[:8], "big") | 1


def go_on(entry: Any, past: Any) -> None:
    """Continue in `entry` from `past`, an earlier entry of the same association: never send or accept a number again. Numbers
    before the past window count as received."""
    last = max(entry.last, past.last)
    unknown = MASK << min(past.window, WIDEST)
    entry.seen = entry.seen << min(last - entry.last, WIDEST) & MASK | (past.seen | unknown) << min(last - past.last, WIDEST) & MASK
    entry.last = last
    entry.next = max(entry.next, past.next)


def go_on_from(entries: Iterable[Any], before: Iterable[Element]) -> list[Any]:
    """Continue in `entries` from those of the same associations in an earlier router. Returns that router's other entries."""
    now = {entry.identity: entry for entry in entries}
    others = []
    for past in (past for element in before for past in getattr(element, "numbered", tuple)()):
        if past.identity in now:
            go_on(now[past.identity], past)
        else:
            others.append(past)
    return others


class Key(Bytes):
    """A key of one of the given lengths in bytes, as data or hexadecimal digits; value bytes."""

    def __init__(self, *lengths: int):
        self.lengths = lengths

    def parse(self, text: str, context: Context = NOWHERE) -> bytes:
        key = super().parse(text, context)
        digits = re.fullmatch(rb"([0-9A-Fa-f]{2})+", key) and len(key) // 2 in self.lengths
        # Click's keys are 16 bytes of data, even if they look like digits.
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


#: Headers for all classes with associations.
HEADERS = {"ipsecstructures.h": structure}


class SecurityElement(Element, runs=frozenset({"user"})):
    """Base of elements that process ESP packets by an association: their own, if any, or else the packet's."""

    libraries = LIBRARIES
    headers = HEADERS
    state_types = {"own": Vars(**SA_FIELDS)}
    holds = ()

    def own_association(self) -> Association | None:
        return None

    @property
    def takes(self) -> tuple[Form, ...]:
        return () if self.own_association() else (Form(needs="IPSEC_SA_DATA_REFERENCE"),)

    @property
    def seals(self) -> bool | None:
        """True for elements that protect packets by a key, False for those that check or decrypt them, None for others."""
        return None

    def initialise(self) -> None:
        own = self.own_association()
        if own:
            own.store(self.state.own[0])

    def code(self) -> str:
        association = "(struct sa *)var(own)" if self.own_association() else "sa_of(p)"
        return (
            '#include "ipsec/sa.h"\n'
            f"static inline struct sa *SELF(association)(struct pkt *p __attribute__((unused)))\n{{\n\treturn {association};\n}}\n"
        )


class NumberingElement(Successor, SecurityElement):
    """Base of elements that assign or check sequence numbers."""

    state_types = {"own": outliving(Vars(**SA_FIELDS))}
    holds = (Held("sequence numbers and the replay window", KEPT, KEPT),)
    #: Whether the keys of the element's own association are in the elements after it (True), or before it.
    sends: bool

    def initialise(self) -> None:
        own = self.own_association()
        if own:
            own.store(self.state.own[0], identity_of(own.spi, self._keys()))

    def numbered(self) -> list[Any]:
        """The element's own association, if any."""
        return [self.state.own[0]] if self.state.own.identity else []

    def succeed(self, before: Collection[Element]) -> None:
        go_on_from(self.numbered(), before)

    def _keys(self) -> set[bytes]:
        """The keys of this element's packets, from the next or previous IPsec elements on their paths."""
        keys, met, pending = set(), set(), [self.name]
        while pending and self.runtime:
            for element in self.runtime.flow.nearest(pending.pop(), self.sends, lambda each: isinstance(each, SecurityElement)):
                if element.seals == self.sends and element.name not in met:
                    met.add(element.name)
                    pending.append(element.name)
                    keys.add(getattr(element.cfg, "key", None) or b"")
        return keys
