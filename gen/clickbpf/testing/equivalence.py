"""Whether two executors do the same: the same packets into each, with state of its own, and everything compared.

    assert_equivalent("FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);", packets=2000)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import zip_longest
from typing import Any, Union

from scapy.layers.l2 import Ether

from clickbpf.errors import ClickError
from clickbpf.testing.diff import PacketLike, difference, dissect, to_bytes
from clickbpf.testing.executors import EXECUTORS, Configuration, start
from clickbpf.testing.executors.base import Executor
from clickbpf.testing.packets import Mix, generate
from clickbpf.testing.record import Carried, Output, split_record
from clickbpf.testing.shrink import Arrival, shrink
from clickbpf.testing.single import element_configuration

#: A number of generated packets, or packets, with or without the device they arrive on.
Packets = Union[int, Iterable[Union[PacketLike, tuple[str, PacketLike]]]]
#: Handlers whose value depends on the time at which it is read, or tells where an element runs.
UNCOMPARED = ("*.rate", "*.bit_rate", "*.byte_rate")

#: Packets of a minimal case that are shown.
SHOWN = 8


@dataclass
class Comparison:
    """A configuration, two executors for it, and what of them is compared."""

    configuration: Configuration
    executors: tuple[str, str] = ("native", "bpf")
    #: Read handlers to compare, `element.handler` with wildcards; all that both have if empty.
    handlers: tuple[str, ...] = ()
    #: Read handlers to leave out.
    ignore_handlers: tuple[str, ...] = ()
    #: Writes before the first packet: (handler, value).
    writes: tuple[tuple[str, str], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def check(self, packets: Sequence[Arrival]) -> str | None:
        """Run the packets through fresh routers; None, or the first difference as text."""
        clock = time.monotonic_ns()
        with self._start(0, clock) as one, self._start(1, clock) as other:
            for handler, value in self.writes:
                one.write(handler, value)
                other.write(handler, value)
            runs = zip(packets, one.send_all(packets), other.send_all(packets))
            for number, (arrival, ours, theirs) in enumerate(runs):
                differs = compare_outputs(ours, theirs, self.executors)
                if differs:
                    return f"packet {number} of {len(packets)} into {_show(arrival)}\n{differs}"
            return self.compare_state(one, other)

    def _start(self, which: int, clock: int) -> Executor:
        """A fresh router. Its clock stands still where that can be: nobody's timer is late, and timestamps are equal."""
        options = {"simtime": "live" not in self.executors and clock, **self.options}
        return start(self.configuration, self.executors[which], **options)

    def arrivals(self, packets: Packets, seed: int, mix: Mix) -> list[Arrival]:
        """The packets with their devices; of generated ones those that both executors take, spread over all devices."""
        with self._start(0, 0) as router:
            entries = router.entries
        if not isinstance(packets, int):
            return [(p[0], to_bytes(p[1])) if isinstance(p, tuple) else (entries[0], to_bytes(p)) for p in packets]
        if not entries:
            raise ClickError("the configuration has no FromDevice that packets could arrive at")
        lengths = [EXECUTORS[name].lengths for name in self.executors]
        shortest, longest = max(low for low, _ in lengths), min(high for _, high in lengths)
        made = (packet for packet in generate(packets, seed, mix) if shortest <= len(packet) <= longest)
        return [(entries[number % len(entries)], packet) for number, packet in enumerate(made)]

    def compare_state(self, one: Executor, other: Executor) -> str | None:
        """Handlers and drop counters of both routers at the end."""
        differences = [
            f"  {handler}: {ours!r} {self.executors[0]}, {theirs!r} {self.executors[1]}"
            for handler in self._handlers(one, other)
            if (ours := one.read(handler)) != (theirs := other.read(handler))
        ]
        ours, theirs = one.drops(), other.drops()
        differences += [
            f"  {element} drops ({reason}): {ours.get(key, 0)} {self.executors[0]}, {theirs.get(key, 0)} {self.executors[1]}"
            for key in {**ours, **theirs}
            if ours.get(key, 0) != theirs.get(key, 0)
            for element, reason in [key]
        ]
        return "the state that the packets leave differs\n" + "\n".join(differences) if differences else None

    def _handlers(self, one: Executor, other: Executor) -> Iterator[str]:
        shared = set(other.read_handlers())
        wanted, unwanted = self.handlers or ("*",), (*UNCOMPARED, *self.ignore_handlers)
        for handler in one.read_handlers():
            if handler in shared and _matches(handler, wanted) and not _matches(handler, unwanted):
                yield handler


def assert_equivalent(
    configuration: Configuration,
    packets: Packets = 2000,
    *,
    seed: int = 0,
    mix: Mix = Mix(),
    executors: tuple[str, str] = ("native", "bpf"),
    handlers: Iterable[str] = (),
    ignore_handlers: Iterable[str] = (),
    writes: Iterable[tuple[str, str]] = (),
    patience: float = 3.0,
    **options: Any,
) -> None:
    """AssertionError if the executors differ in a packet, what it carries, or the state at the end.

    A number of `packets` means so many generated ones, over all devices that packets arrive on. The error shows a short
    list of simple packets that is enough for the difference, the best that is found in `patience` seconds.
    """
    __tracebackhide__ = True
    comparison = Comparison(configuration, executors, tuple(handlers), tuple(ignore_handlers), tuple(writes), options)
    arrivals = comparison.arrivals(packets, seed, mix)
    found = comparison.check(arrivals)
    if found is None:
        return
    fewest = shrink(arrivals, lambda candidate: comparison.check(candidate) is not None, patience)
    shown = [f"  into {_show(arrival)}" for arrival in fewest[:SHOWN]]
    shown += [f"  and {len(fewest) - SHOWN} more"] if len(fewest) > SHOWN else []
    least = found if fewest == arrivals else comparison.check(fewest)
    raise AssertionError(
        f"{executors[0]} and {executors[1]} differ: {found}\n"
        f"the least that shows it, {len(fewest)} of {len(arrivals)} packets:\n" + "\n".join(shown) + "\n"
        + (f"and with that: {least}" if least != found else "")
    )


def assert_element_equivalent(
    element: str,
    ninputs: int = 1,
    noutputs: int = 1,
    headers: str = "ethernet",
    before: str = "",
    declarations: str = "",
    packets: Packets = 2000,
    **options: Any,
) -> None:
    """`assert_equivalent` for one element, in two surroundings.

    With TestRecorders behind it, whose packets are handed over, annotations and header offsets are compared; with
    devices behind it, the packets that the kernel path sends by itself.
    """
    __tracebackhide__ = True
    for record in (True, False):
        text = element_configuration(element, ninputs, noutputs, headers, before, declarations, record)
        assert_equivalent(text, packets, **options)


def compare_outputs(ours: Sequence[Output], theirs: Sequence[Output], titles: tuple[str, str]) -> str | None:
    """None if both are the same packets, in the same order for each device; otherwise the first difference."""
    for device in dict.fromkeys(output.device for output in (*ours, *theirs)):
        pairs = zip_longest(*([o for o in side if o.device == device] for side in (ours, theirs)))
        for one, other in pairs:
            differs = _compare(one, other, titles)
            if differs:
                return f"on {device}: {differs}"
    return None


def _compare(one: Output | None, other: Output | None, titles: tuple[str, str]) -> str | None:
    if one is None or other is None:
        sender, sent = (titles[1], other) if one is None else (titles[0], one)
        return f"only {sender} sends {split_record(sent.data)[1].hex(' ')}"
    if one == other:
        return None
    carried, data = split_record(one.data)
    other_carried, other_data = split_record(other.data)
    return _compare_carried(carried, other_carried, titles) or difference(data, other_data, (), titles)


def _compare_carried(one: Carried | None, other: Carried | None, titles: tuple[str, str]) -> str | None:
    if one == other:
        return None
    if one is None or other is None:
        return "only one of them recorded what the packet carries"
    rows = [
        f"  {name}: {_plain(ours)} {titles[0]}, {_plain(theirs)} {titles[1]}"
        for name, ours in vars(one).items()
        if ours != (theirs := getattr(other, name))
    ]
    return "what the packet carries differs\n" + "\n".join(rows)


def _plain(value: Any) -> str:
    return value.hex(" ", 4) if isinstance(value, bytes) else str(value)


def _matches(handler: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(handler, pattern) for pattern in patterns)


def _show(arrival: Arrival) -> str:
    device, packet = arrival
    return f"{device}: {len(packet)} bytes, {dissect(Ether, packet).summary()}\n    {packet.hex(' ')}"
