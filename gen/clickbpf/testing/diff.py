"""The differences between two packets, field by field, or byte by byte if no field differs.

    packets differ in 2 fields
      layer  field   expected  got
      Ether  (equal)
      IP     ttl     63        64      <-
      IP     chksum  0x66c8    0x65c8  <-
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw

from clickbpf.frozen import frozen
from clickbpf.testing import offline  # noqa: F401 - which binds IP and its transports to Ethernet, too
from clickbpf.testing.names import check_ignored

#: A packet in a test: scapy layers, or bytes.
PacketLike = Packet | bytes
#: Values longer than this are cut in the table of fields.
WIDEST = 40
#: Bytes in a line of a hexdump.
ROW = 16


@frozen
class Field:
    """One field of a dissected packet: layer and field name, its value as bytes or a number, and as readable text."""

    layer: str
    name: str
    value: object
    text: str

    def ignored(self, ignore: Iterable[str]) -> bool:
        """Whether `Layer.field`, or the whole `Layer`, is in `ignore`."""
        return self.layer in ignore or f"{self.layer}.{self.name}" in ignore


def to_bytes(packet: PacketLike) -> bytes:
    """The packet on the wire, with the lengths and checksums that scapy computes.

    scapy would first copy the packet, layer by layer, in case it stands for several: that takes most of the time.
    """
    layer = packet
    while isinstance(layer, Packet) and layer:
        layer.explicit = 1
        layer = layer.payload
    return bytes(packet)


def dissect(kind: type[Packet], raw: bytes) -> Packet:
    """The bytes as scapy layers; as Raw if they can't be dissected at all, such as a truncated Ethernet header."""
    try:
        return kind(raw)
    except Exception:  # dissectors may raise anything; scapy falls back to Raw in the same way for layers above the first
        return Raw(raw)


def difference(
    expected: PacketLike, got: bytes, ignore: Iterable[str] = (), titles: tuple[str, str] = ("expected", "got")
) -> str | None:
    """None if `got` is the expected packet, otherwise the differences.

    `ignore` names fields that may differ, `"IP.id"`, or layers, `"Padding"`. Without it every byte counts. The bytes are
    dissected as the expected packet's first layer; two byte strings, as Ethernet.
    """
    wanted, ignore = to_bytes(expected), check_ignored(ignore, expected)
    if wanted == got:
        return None
    kind = type(expected) if isinstance(expected, Packet) else Ether
    pairs = list(_aligned(_fields(kind, wanted, ignore), _fields(kind, got, ignore)))
    differing = [pair for pair in pairs if not _same(*pair)]
    if not differing:
        return None if ignore else _dump(wanted, got, titles)
    table = _table(pairs, titles)
    return f"packets differ in {len(differing)} field{'s' * (len(differing) > 1)}\n{table}\n{_dump(wanted, got, titles)}"


def _fields(kind: type[Packet], raw: bytes, ignore: frozenset[str]) -> list[Field]:
    return [field for field in _all_fields(kind, raw) if not field.ignored(ignore)]


def _all_fields(kind: type[Packet], raw: bytes) -> Iterator[Field]:
    layer = dissect(kind, raw) if raw else None
    while layer and layer.name != "NoPayload":
        for description in layer.fields_desc:
            value = layer.getfieldval(description.name)
            text = description.i2repr(layer, value)
            plain = text if isinstance(value, (list, Packet)) else value
            yield Field(type(layer).__name__, description.name, plain, text)
        layer = layer.payload


def _aligned(one: list[Field], other: list[Field]) -> Iterator[tuple[Field | None, Field | None]]:
    """Fields of both packets side by side; None beside a field that only one has."""
    keys = ([(field.layer, field.name) for field in fields] for fields in (one, other))
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        yield from zip_longest(one[start:end], other[other_start:other_end])


def _same(one: Field | None, other: Field | None) -> bool:
    if one is None or other is None:
        return False
    return (one.layer, one.name, one.value) == (other.layer, other.name, other.value)


def _table(pairs: list[tuple[Field | None, Field | None]], titles: tuple[str, str]) -> str:
    """All fields of layers that differ, and one line for each layer that doesn't."""
    different = {field.layer for pair in pairs if not _same(*pair) for field in pair if field}
    rows = [("layer", "field", *titles, "")]
    for one, other in pairs:
        name = one or other
        if name.layer in different:
            rows.append((name.layer, _name(one, other), _cut(one), _cut(other), "" if _same(one, other) else "<-"))
        elif rows[-1][0] != name.layer:
            rows.append((name.layer, "(equal)", "", "", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  " + "  ".join((*map(str.ljust, row, widths), row[4])).rstrip() for row in rows)


def _name(one: Field | None, other: Field | None) -> str:
    names = dict.fromkeys(field.name for field in (one, other) if field)
    return "/".join(names)


def _cut(field: Field | None) -> str:
    text = field.text if field else "-"
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def _dump(wanted: bytes, got: bytes, titles: tuple[str, str]) -> str:
    """Hexdumps of both, line by line where they differ, with the differing bytes underlined."""
    lines = [f"  {len(wanted)} bytes {titles[0]}, {len(got)} bytes {titles[1]}"]
    for start in range(0, max(len(wanted), len(got)), ROW):
        one, other = wanted[start : start + ROW], got[start : start + ROW]
        if one == other:
            lines.append(f"    {start:04x}  {one.hex(' ')}")
            continue
        marks = " ".join("  " if a == b else "^^" for a, b in zip_longest(one, other))
        lines += [f"  - {start:04x}  {one.hex(' ')}", f"  + {start:04x}  {other.hex(' ')}", f"          {marks}".rstrip()]
    return "\n".join(lines)
