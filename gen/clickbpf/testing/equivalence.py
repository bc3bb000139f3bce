"""Comparing two executors: each gets the same packets and has state of its own, and all output and state is compared.

    assert_equivalent("FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1);", packets=2000)
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from fnmatch import fnmatch
from random import Random
from typing import Any, Self

from scapy.layers.l2 import Ether

from clickbpf.errors import ClickError
from clickbpf.testing.compare import compare_outputs, compare_state
from clickbpf.testing.diff import PacketLike, dissect, to_bytes
from clickbpf.testing.executors import EXECUTORS, Configuration, start
from clickbpf.testing.executors.base import Executor
from clickbpf.testing.packets import Mix, generate
from clickbpf.testing.record import Output
from clickbpf.testing.shrink import Arrival, shrink
from clickbpf.testing.single import Surroundings
from clickbpf.testing.stderr import Printed

#: A number of generated packets, or a list of packets, (device, packet), or (device, packet, seconds that pass before).
Packets = int | Iterable[PacketLike | tuple[str, PacketLike] | tuple[str, PacketLike, float]]
#: Handlers with different values in each run: random numbers, and rates, which each CPU averages and rounds for itself.
UNCOMPARED = ("*.random", "*.rate", "*.bit_rate", "*.byte_rate")
#: Pauses before generated packets: (least seconds, most seconds, packets in 1000); other packets have none. Every pause is longer than the
#: few milliseconds after which the kernel path writes values that CPUs share.
PAUSES = ((0.012, 0.1, 100), (0.1, 3, 20), (3, 40, 6), (40, 700, 2))

#: The most packets of a minimal case to show.
SHOWN = 8


class Twins:
    """Two running routers of one configuration, with separate state and the same input.

        with Twins("border.click") as both:
            both.send("inside", packet)

    AssertionError as soon as they send different packets, or if their state differs when the block ends.
    """

    def __init__(
        self,
        configuration: Configuration,
        executors: tuple[str, str] = ("native", "bpf"),
        *,
        handlers: Iterable[str] = (),
        ignore_handlers: Iterable[str] = (),
        printed: bool = False,
        **options: Any,
    ):
        """`handlers` are the read handlers to compare, `element.handler` with wildcards; if empty, all that both have. With `printed`,
        the text that they print is compared too; both executors must then be in this process."""
        # Simulated time keeps timers exact and timestamps equal.
        options = {"simtime": "live" not in executors, **options}
        self.simulated = bool(options["simtime"])
        self.compares_text = printed
        self.wanted, self.unwanted = tuple(handlers) or ("*",), (*UNCOMPARED, *ignore_handlers)
        self.titles = executors
        with ExitStack() as undo:
            self.one, self.other = (undo.enter_context(start(configuration, name, **options)) for name in executors)
            self._printed = Printed()
            undo.callback(self._printed.close)
            self._undo = undo.pop_all()

    @property
    def entries(self) -> tuple[str, ...]:
        """The devices on which packets arrive."""
        return self.one.entries

    def send(self, device: str, packet: PacketLike) -> list[Output]:
        """Have a packet arrive on a device of both."""
        __tracebackhide__ = True
        raw = to_bytes(packet)
        return self._agree(lambda router: router.send(device, raw))

    def arrive(self, arrival: Arrival) -> None:
        """Let time pass, if it is simulated, and have a packet arrive."""
        __tracebackhide__ = True
        if arrival.pause and self.simulated:
            self.advance(arrival.pause)
        self.send(arrival.device, arrival.packet)

    def advance(self, seconds: float) -> list[Output]:
        """Let time pass for both; not possible on `live`."""
        __tracebackhide__ = True
        return self._agree(lambda router: router.advance(seconds))

    def write(self, handler: str, value: str = "") -> list[Output]:
        """Call a write handler of both."""
        __tracebackhide__ = True
        return self._agree(lambda router: router.write(handler, value))

    def _agree(self, act: Callable[[Executor], list[Output]]) -> list[Output]:
        __tracebackhide__ = True
        (ours, said), (theirs, other_said) = self._act(act, self.one), self._act(act, self.other)
        differs = compare_outputs(ours, theirs, self.titles)
        if not differs and said != other_said:
            differs = f"{self.titles[0]} prints {said!r}\n{self.titles[1]} prints {other_said!r}"
        if differs:
            raise AssertionError(differs)
        return ours

    def _act(self, act: Callable[[Executor], list[Output]], router: Executor) -> tuple[list[Output], str]:
        """The router's packets and, if text is compared, what it prints."""
        if not self.compares_text:
            return act(router), ""
        return self._printed.during(lambda: act(router)), self._printed.text

    def check_state(self) -> None:
        """Compare read handlers and drop counters."""
        __tracebackhide__ = True
        shared = set(self.other.read_handlers())
        handlers = [h for h in self.one.read_handlers() if h in shared and self._compared(h)]
        differs = compare_state(self.one, self.other, handlers)
        if differs:
            raise AssertionError(differs)

    def _compared(self, handler: str) -> bool:
        return _matches(handler, self.wanted) and not _matches(handler, self.unwanted)

    def close(self) -> None:
        self._undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: Any) -> None:
        try:
            if kind is None:
                self.check_state()
        finally:
            self.close()


def arrivals(packets: Packets, entries: Sequence[str], executors: Iterable[str], seed: int, mix: Mix) -> list[Arrival]:
    """The packets with their devices. Only packets that all executors accept are generated; they are spread over all devices and over
    time."""
    if not entries:
        raise ClickError("the configuration has no FromDevice that packets could arrive at")
    if not isinstance(packets, int):
        given = (p if isinstance(p, tuple) else (entries[0], p) for p in packets)
        return [Arrival(device, to_bytes(packet), *pause) for device, packet, *pause in given]
    kinds = [EXECUTORS[name] for name in executors]
    shortest, longest = max(kind.lengths[0] for kind in kinds), min(kind.lengths[1] for kind in kinds)
    made = (packet for packet in generate(packets, seed, mix) if shortest <= len(packet) <= longest)
    random = Random(seed)
    return [Arrival(entries[number % len(entries)], packet, _pause(random)) for number, packet in enumerate(made)]


def _pause(random: Random) -> float:
    """A pause in seconds: mostly 0, and now and then longer than every timeout."""
    drawn = random.randrange(1000)
    for shortest, longest, frequency in PAUSES:
        if drawn < frequency:
            return random.uniform(shortest, longest)
        drawn -= frequency
    return 0


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
    """AssertionError if the executors differ in a packet, its annotations, or the state at the end.

    If `packets` is a number, that many packets are generated, spread over all input devices and, if time is simulated, over time. The
    error shows the shortest and simplest list of packets found in `patience` seconds that causes a difference.
    """
    __tracebackhide__ = True
    handlers, ignore_handlers, writes = tuple(handlers), tuple(ignore_handlers), tuple(writes)

    def fresh() -> Twins:
        return Twins(configuration, executors, handlers=handlers, ignore_handlers=ignore_handlers, **options)

    def check(candidates: Sequence[Arrival]) -> str | None:
        return run(fresh(), candidates, writes)

    twins = fresh()
    try:
        sent = arrivals(packets, twins.entries, executors, seed, mix)
    except ClickError:
        twins.close()
        raise
    found = run(twins, sent, writes)
    if found is None:
        return
    fewest = shrink(sent, lambda candidates: check(candidates) is not None, patience)
    shown = [f"  into {_show(arrival)}" for arrival in fewest[:SHOWN]]
    shown += [f"  and {len(fewest) - SHOWN} more"] if len(fewest) > SHOWN else []
    least = found if fewest == sent else check(fewest)
    raise AssertionError(
        f"{executors[0]} and {executors[1]} differ: {found}\n"
        f"the least that shows it, {len(fewest)} of {len(sent)} packets:\n" + "\n".join(shown) + "\n"
        + (f"and with that: {least}" if least != found else "")
    )


def run(twins: Twins, packets: Sequence[Arrival], writes: Iterable[tuple[str, str]]) -> str | None:
    """Call the write handlers, then send the packets; returns the first difference as text, or None."""
    try:
        with twins:
            for handler, value in writes:
                twins.write(handler, value)
            for number, arrival in enumerate(packets):
                try:
                    twins.arrive(arrival)
                except AssertionError as differs:
                    where = f"packet {number} of {len(packets)} into {_show(arrival)}"
                    raise AssertionError(f"{where}\n{differs}") from None
    except AssertionError as differs:
        return str(differs)
    return None


def assert_element_equivalent(*surroundings: Any, **options: Any) -> None:
    """`assert_equivalent` for one element, twice; the arguments of its Surroundings come first.

    The first time TestRecorders are behind the element, to compare annotations and header offsets of packets that are handed over. Then
    its outputs lead to devices, to compare the packets that the kernel path sends by itself.
    """
    __tracebackhide__ = True
    around, options = Surroundings.among(surroundings, options)
    for record in (True, False):
        assert_equivalent(around.text(record), **options)


def _matches(handler: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(handler, pattern) for pattern in patterns)


def _show(arrival: Arrival) -> str:
    device, packet, pause = arrival
    after = f", after {pause:g} s" if pause else ""
    return f"{device}{after}: {len(packet)} bytes, {dissect(Ether, packet).summary()}\n    {packet.hex(' ')}"
