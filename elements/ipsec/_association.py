"""Security associations: the state that elements share (struct sa, sa.h), keys as configurations write them.

Sequence numbers mustn't begin again under the same keys (RFC 4303, 3.3.3 and 3.4.3). So they are in state that outlives the runtime
and are taken over by a router that replaces this one, as long as the association is the same: its SPI, which alone identifies an
association of two hosts (RFC 4301, 4.1), and its keys. Nothing has to be skipped after a crash. The sender takes a number out of the
kernel's memory before it makes the packet, so a runtime that is killed in between leaves a gap, which receivers don't mind, and
never a number that is used twice.
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
#: Sequence numbers that the replay window tracks: bits of `seen`.
WIDEST = 64
MASK = (1 << WIDEST) - 1
#: Bytes of all keys in Click.
CLICK_KEY = 16
#: What is shown in the place of a key.
ELIDED = "<key>"
#: What libcrypto is to the linker.
LIBRARIES = ("crypto",)

#: `next` is the next sequence number to send, `last` the highest that has come; bit n of `seen` says that `last` - n has. `identity`
#: distinguishes associations (identity_of()). One with SPI 0 is unused; if it has an identity, its numbers may be needed again.
SA_FIELDS: Mapping[str, Any] = {
    "spi": u32, "cipher_length": u8, "digest_length": u8, "window": u8,
    "start": u32, "last": u32, "next": u64, "seen": u64, "identity": u64,
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

    @property
    def identity(self) -> int:
        return identity_of(self.spi, (self.cipher_key, self.digest_key))

    def store(self, entry: Any, identity: int | None = None) -> None:
        """Into the memory of a struct sa. If that has the same association already, its numbers go on: threads may be using them, so what
        stays the same isn't written. `identity`: another one, of an association whose keys other elements have."""
        new = type(entry)(spi=self.spi, window=min(self.window, WIDEST), start=self.start, last=self.start, next=self.start)
        new.identity = identity or self.identity
        for name, key in (("cipher", self.cipher_key), ("digest", self.digest_key)):
            getattr(new, f"{name}_key")[: len(key)] = key
            setattr(new, f"{name}_length", len(key))
        if entry.identity == new.identity:
            go_on(new, entry)
        else:
            entry.spi = 0
        for name in (*(name for name in SA_FIELDS if name != "spi"), "spi"):  # with its SPI packets find it
            value = getattr(new, name)
            if bytes(value) != bytes(getattr(entry, name)) if hasattr(value, "_length_") else value != getattr(entry, name):
                setattr(entry, name, value)

    @classmethod
    def load(cls, entry: Any) -> Self:
        keys = (bytes(entry.cipher_key)[: entry.cipher_length], bytes(entry.digest_key)[: entry.digest_length])
        return cls(entry.spi, *keys, entry.start, entry.window)


def identity_of(spi: int, keys: Collection[bytes]) -> int:
    """A number that associations have in common if SPI and keys are the same. It says nothing about the keys."""
    parts = (spi.to_bytes(4, "big"), *(len(key).to_bytes(1, "big") + key for key in sorted(filter(None, keys))))
    return int.from_bytes(sha256(b"".join(parts)).digest()[:8], "big") | 1


def go_on(entry: Any, past: Any) -> None:
    """No number that `past`, an earlier entry of the same association, has used or has let pass is used or let pass by `entry`. Of numbers
    before the past window it isn't known whether they have come."""
    last = max(entry.last, past.last)
    unknown = MASK << min(past.window, WIDEST)
    entry.seen = entry.seen << min(last - entry.last, WIDEST) & MASK | (past.seen | unknown) << min(last - past.last, WIDEST) & MASK
    entry.last = last
    entry.next = max(entry.next, past.next)


def go_on_from(entries: Iterable[Any], before: Iterable[Element]) -> list[Any]:
    """Entries go on from those of the same associations in a router before. Returns the others of that router."""
    now = {entry.identity: entry for entry in entries}
    others = []
    for past in (past for element in before for past in getattr(element, "numbered", tuple)()):
        if past.identity in now:
            go_on(now[past.identity], past)
        else:
            others.append(past)
    return others


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


class SecurityElement(Element, runs=frozenset({"user"})):
    """Base of elements that handle ESP packets by an association: their own, if they have one, or the packet's."""

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
        """Whether it protects packets, or checks or decrypts them, by a key; None if it does neither."""
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
    """Base of elements that give sequence numbers or check them."""

    state_types = {"own": outliving(Vars(**SA_FIELDS))}
    holds = (Held("sequence numbers and the replay window", KEPT, KEPT),)
    #: Whether the keys of its own association are those of elements after it, or before it.
    sends: bool

    def initialise(self) -> None:
        own = self.own_association()
        if own:
            own.store(self.state.own[0], identity_of(own.spi, self._keys()))

    def numbered(self) -> list[Any]:
        """Its own association, if it has one."""
        return [self.state.own[0]] if self.state.own.identity else []

    def succeed(self, before: Collection[Element]) -> None:
        go_on_from(self.numbered(), before)

    def _keys(self) -> set[bytes]:
        """The keys by which its packets are protected: of elements that they meet with no other IPsec elements in between."""
        keys, met, pending = set(), set(), [self.name]
        while pending and self.runtime:
            for element in self.runtime.flow.nearest(pending.pop(), self.sends, lambda each: isinstance(each, SecurityElement)):
                if element.seals == self.sends and element.name not in met:
                    met.add(element.name)
                    pending.append(element.name)
                    keys.add(getattr(element.cfg, "key", None) or b"")
        return keys
