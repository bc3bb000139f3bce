"""Routers of many elements that have nothing to do with each other, which cost one compilation."""

from collections.abc import Iterable

from clickbpf.frozen import frozen
from clickbpf.testing.diff import PacketLike, to_bytes
from clickbpf.testing.equivalence import Packets
from clickbpf.testing.packets import Mix
from clickbpf.testing.single import FRONTS, HEADERS


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
        ends = "".join(
            f"x{number}[{i}]{' -> TestRecorder' if record else ''} -> Queue -> ToDevice(out{number});" for i in range(self.noutputs)
        )
        return f"x{number} :: {self.element}; FromDevice(in{number}) {preparation} -> x{number}; {ends}\n"

    def frame(self, packet: PacketLike) -> bytes:
        """With an Ethernet header where that is stripped before the element."""
        return FRONTS.get(self.headers, b"") + to_bytes(packet)


def beside(tried: Iterable[Tried], record: bool = False) -> str:
    return "".join(each.text(number, record) for number, each in enumerate(tried))
