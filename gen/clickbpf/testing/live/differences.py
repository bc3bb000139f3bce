"""The differences between two records of one router."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from itertools import zip_longest

from scapy.layers.l2 import Ether

from clickbpf.frozen import frozen
from clickbpf.testing.diff import difference, dissect
from clickbpf.testing.live.play import Record

#: Handlers that depend on time: rates, and the duration that AverageCounter averages over.
UNCOMPARED = ("*.rate", "*.bit_rate", "*.byte_rate", "*.link_rate", "*.time")
#: The age of a table's entry, or the seconds until it expires.
TIMES = re.compile(r"\b\d+\.\d{6}\b|\bexp\d+\b")
TCP, UDP = b"\6", b"\x11"
Titles = tuple[str, str]


@frozen
class Difference:
    """`key` is the flow or piece of state that differs; a flow's `group` is its device's. `text` describes the difference."""

    key: str
    text: str
    group: str = ""


def differences(ours: Record, theirs: Record, titles: Titles) -> Iterator[Difference]:
    """All differences: at most one for each flow, for the frames of each device, and for each piece of state that both have."""
    yield from _of_flows(ours, theirs, titles)
    yield from _of_shapes(ours, theirs, titles)
    yield from _of_state(ours, theirs, titles)


def undetermined(found: Iterable[Difference]) -> frozenset[str]:
    """The keys that differ between two equal runs, and the groups of flows among them, since other flows may differ the next time."""
    return frozenset(name for each in found for name in (each.key, each.group) if name)


def comparable(found: Iterable[Difference], undetermined: frozenset[str]) -> list[Difference]:
    return [each for each in found if not {each.key, each.group} & undetermined]


# -- flows: frames with the same addresses, compared in order -------------------------------------------------------------


def _of_flows(ours: Record, theirs: Record, titles: Titles) -> Iterator[Difference]:
    one, other = _flows(ours), _flows(theirs)
    for device, flow in dict.fromkeys((*one, *other)):
        pairs = zip_longest(one.get((device, flow), ()), other.get((device, flow), ()), fillvalue=(None, b""))
        for (step, sent), (other_step, other_sent) in pairs:
            if sent == other_sent:
                continue
            if step is None or other_step is None:
                said = f"only {titles[step is None]} sends {_shown(sent or other_sent)}"
            else:
                said = difference(sent, other_sent, (), titles)
            cause = _cause(ours, step) if step is not None else _cause(theirs, other_step)
            yield Difference(f"{device} {flow.hex()}", f"on {device}, {said}\n  because of {cause}", f"flows of {device}")
            break


def _flows(record: Record) -> dict[tuple[str, bytes], list[tuple[int, bytes]]]:
    """The frames of each flow in order, with the steps at which they left."""
    found = defaultdict(list)
    for number, step in enumerate(record.steps):
        for output in step.outputs:
            found[output.device, _flow(output.data)].append((number, output.data))
    return found


def _flow(frame: bytes) -> bytes:
    """The frame's EtherType and, for IPv4 and IPv6, protocol, addresses and ports."""
    kind = frame[12:14]
    protocol, addresses, ports = {
        b"\x08\0": (frame[23:24], frame[26:34], frame[34:38]),
        b"\x86\xdd": (frame[20:21], frame[22:54], frame[54:58]),
    }.get(kind, (b"", b"", b""))
    return kind + protocol + addresses + (ports if protocol in (TCP, UDP) else b"")


# -- shapes: lengths and types, which don't depend on ports and numbers that a router chooses at random -------------------


def _of_shapes(ours: Record, theirs: Record, titles: Titles) -> Iterator[Difference]:
    one, other = _shapes(ours), _shapes(theirs)
    for device in dict.fromkeys((*one, *other)):
        a, b = one[device], other[device]
        if a != b:
            more = ((title, *each) for title, rest in zip(titles, (a - b, b - a)) for each in rest.items())
            said = "".join(f"\n  {title} sends {number} more of {shape}" for title, shape, number in more)
            yield Difference(f"frames of {device}", f"on {device}{said}")


def _shapes(record: Record) -> dict[str, Counter]:
    """The number of frames of each length and type, and for IPv4 of each protocol and addresses."""
    found = defaultdict(Counter)
    for step in record.steps:
        for device, data in ((output.device, output.data) for output in step.outputs):
            network = data[23:24] + data[26:34] if data[12:14] == b"\x08\0" else b""
            found[device][f"{len(data)} bytes, {(data[12:14] + network).hex()}"] += 1
    return found


# -- state ----------------------------------------------------------------------------------------------------------------


def _of_state(ours: Record, theirs: Record, titles: Titles) -> Iterator[Difference]:
    for name in dict.fromkeys((*ours.state, *theirs.state)):
        a, b = _value(ours, name), _value(theirs, name)
        if None not in (a, b) and a != b and not any(fnmatch(name, pattern) for pattern in UNCOMPARED):
            yield Difference(name, f"{name} is {a!r} {titles[0]}, {b!r} {titles[1]}{_since(ours, theirs, name)}")


def _value(record: Record, name: str) -> str | None:
    """A piece of state, without times; None if the router doesn't have it. Drops that aren't in the record are 0."""
    value = record.state.get(name, "0" if " drops " in name else None)
    return value and TIMES.sub("(time)", value)


def _since(ours: Record, theirs: Record, name: str) -> str:
    """Names the packet since which watched state differs; "" if it wasn't watched."""
    steps = enumerate(zip(ours.steps, theirs.steps))
    first = next((number for number, (a, b) in steps if a.watched.get(name) != b.watched.get(name)), None)
    return "" if first is None else f"\n  since {_cause(ours, first)}"


# -- words ----------------------------------------------------------------------------------------------------------------


def _cause(record: Record, number: int) -> str:
    step = record.steps[number]
    return f"packet {number} into {step.device}, {_shown(step.frame)}" if step.frame else "nothing: at the end"


def _shown(frame: bytes) -> str:
    return f"{len(frame)} bytes: {dissect(Ether, frame).summary()}\n    {frame.hex()}"
