"""Routers of many elements that have nothing to do with each other, which cost one compilation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from clickbpf.frozen import frozen
from clickbpf.testing.diff import PacketLike, to_bytes
from clickbpf.testing.equivalence import Packets, arrivals
from clickbpf.testing.packets import Mix
from clickbpf.testing.record import split_record
from clickbpf.testing.router import Router
from clickbpf.testing.single import FRONTS, HEADERS

Row = TypeVar("Row")


@frozen
class Tried:
    """An element between a device in<number> and devices out<number>."""

    element: str
    headers: str = "ethernet"
    before: str = ""
    noutputs: int = 1
    packets: Packets = 200
    mix: Mix = Mix()

    def text(self, number: int, record: bool = False) -> str:
        """What `x<number>` is, and what is around it; with `record`, its packets leave with their annotations in front."""
        preparation = HEADERS[self.headers] + (f" -> {self.before}" if self.before else "")
        recorder = f"r{number} :: TestRecorder -> " if record else ""
        ends = "".join(f" x{number}[{i}] -> {f'[{i}]r{number}' if record else f'end{number}'};" for i in range(self.noutputs))
        end = f"{recorder}end{number} :: Queue -> ToDevice(out{number});"
        return f"x{number} :: {self.element}; FromDevice(in{number}) {preparation} -> x{number}; {end}{ends}\n"

    def frame(self, packet: PacketLike) -> bytes:
        """With an Ethernet header where that is stripped before the element."""
        return FRONTS.get(self.headers, b"") + to_bytes(packet)


def beside(tried: Iterable[Tried], record: bool = False) -> str:
    return "".join(each.text(number, record) for number, each in enumerate(tried))


def parts(rows: Sequence[Row], at_once: int) -> Iterator[Sequence[Row]]:
    """So many rows at once, each of which has its elements in one router: a kernel path of all of them would take clang longer."""
    return (rows[first : first + at_once] for first in range(0, len(rows), at_once))


def assert_alike(router: Router, one: int, other: int, tried: Tried) -> None:
    """Packets leave these two, which have recorders, by the same outputs, and with the same bytes, headers and annotations."""
    __tracebackhide__ = True
    for _, packet, _ in arrivals(tried.packets, [""], (router.executor.name,), 0, tried.mix):
        sent = [[split_record(output.data) for output in router.send(f"in{number}", packet)] for number in (one, other)]
        left = [[(replace(carried, device=0, type=0), data) for carried, data in each] for each in sent]
        assert left[0] == left[1], f"{tried.element}, of {packet.hex(' ')}"
