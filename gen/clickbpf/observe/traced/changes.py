"""An element's changes to a packet: the difference between the packet at its input and at the next event."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from clickbpf.observe.traced.events import Event
from clickbpf.observe.traced.headers import Field, address, fields, hexadecimal, number, summary
from clickbpf.vocabulary.annotations import ANNOTATIONS

_SHOWN = {"DST_IP": address, "DST_IP6": address, "PAINT": number}


def changes(before: Event, after: Event, written: Collection[str] = ()) -> list[str]:
    """The changes as text; `written` are the names of annotations that the element's class writes."""
    if not after.length and before.length:
        return []
    return [*_data(before, after), *_headers(before, after), *_annotations(before, after, written)]


def _data(before: Event, after: Event) -> Iterator[str]:
    moved = _moved(before, after)
    if moved < 0:
        yield f"{-moved} bytes off the front"
    elif moved > 0:
        yield f"{moved} bytes in front ({summary(replace(after, bytes=after.bytes[:moved]))})"
    tail = after.length - before.length - moved
    if tail:
        yield f"{abs(tail)} bytes {'on' if tail > 0 else 'off'} the end"
    yield from _bytes(before, after, moved)


def _moved(before: Event, after: Event) -> int:
    """The present offset of the packet's former first byte: the one with the fewest changed bytes. A network header that is set both before
    and after isn't proof, since the new one may have been put in front of the old one."""
    offsets = [0, after.length - before.length]
    if before.network is not None and after.network is not None:
        offsets.insert(0, after.network - before.network)
    return min(offsets, key=lambda moved: sum(1 for _ in _differing(before, after, moved)))


def _differing(before: Event, after: Event, moved: int) -> Iterator[int]:
    """The offsets of changed bytes in the present packet."""
    last = min(len(after.bytes), len(before.bytes) + moved)
    return (at for at in range(max(moved, 0), last) if after.bytes[at] != before.bytes[at - moved])


def _bytes(before: Event, after: Event, moved: int) -> Iterator[str]:
    left = set(_differing(before, after, moved))
    for field in fields(after):
        if left & set(range(field.start, field.end)) and field.start - moved >= 0:
            yield _change(field, before.bytes[field.start - moved : field.end - moved], after.bytes[field.start : field.end])
            left -= set(range(field.start, field.end))
    for start, end in _runs(sorted(left)):
        unnamed = Field(start, end, f"byte {start}" if end == start + 1 else f"bytes {start}-{end - 1}", bytes.hex)
        yield _change(unnamed, before.bytes[start - moved : end - moved], after.bytes[start:end])


def _change(field: Field, was: bytes, now: bytes) -> str:
    """A field's old and new value. Long ones are cut; the packet file has them in full."""
    shown = [field.show(each) if len(each) <= 16 else f"{each[:8].hex()}..." for each in (was, now)]
    return f"{field.name} {shown[0]} -> {shown[1]}"


def _runs(places: list[int]) -> Iterator[tuple[int, int]]:
    """Ranges (start, end) of consecutive offsets."""
    start = None
    for number_, place in enumerate(places):
        if start is None:
            start = place
        if number_ + 1 == len(places) or places[number_ + 1] != place + 1:
            yield start, place + 1
            start = None


def _headers(before: Event, after: Event) -> Iterator[str]:
    if after.network is not None and before.network is None:
        yield "IP header found"


def _annotations(before: Event, after: Event, written: Collection[str]) -> Iterator[str]:
    left = {at for at, (was, now) in enumerate(zip(before.annotations, after.annotations)) if was != now}
    known = sorted(ANNOTATIONS.items(), key=lambda each: (each[0] not in written, each[1][1]))
    for name, (offset, length) in known:
        own = set(range(offset, offset + length))
        if left & own and (left <= own or name in written or length <= 4):
            was, now = (each.annotations[offset : offset + length] for each in (before, after))
            show = _SHOWN.get(name, hexadecimal)
            yield f"{name.lower()} {show(was)} -> {show(now)}"
            left -= own
