"""One element under test, wrapped into a small router.

    with ElementRouter("DecIPTTL", noutputs=2, headers="ip") as dec:
        dec.send(IP(dst="10.0.0.1", ttl=9))
        dec.expect(0, IP(dst="10.0.0.1", ttl=8))
        dec.passes(IP(dst="10.0.0.1", ttl=1), output=1, network=0)
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Self

from scapy.layers.l2 import Ether
from scapy.packet import Packet

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.testing.diff import PacketLike, difference, dissect, to_bytes
from clickbpf.testing.record import Carried, split_record
from clickbpf.testing.router import Router
from clickbpf.vocabulary.library import Library

#: The elements between FromDevice and the element under test, by the form in which packets reach it.
HEADERS = {
    "ethernet": "",
    "ip": "-> Strip(14) -> MarkIPHeader",
    "ip-checked": "-> Strip(14) -> CheckIPHeader",
    "ip-in-ethernet": "-> MarkIPHeader(14)",
    "ip6": "-> Strip(14) -> MarkIP6Header",
    "ip6-checked": "-> Strip(14) -> CheckIP6Header",
    "ip6-in-ethernet": "-> MarkIP6Header(14)",
}
#: The header to put in front of packets for an element behind Strip.
ETHERNET, ETHERNET6 = bytes(12) + b"\x08\x00", bytes(12) + b"\x86\xdd"
FRONTS = {"ip": ETHERNET, "ip-checked": ETHERNET, "ip6": ETHERNET6, "ip6-checked": ETHERNET6}
#: Name of the element under test within its configuration.
NAME = "x"


@frozen
class Surroundings:
    """A class with its arguments, `"Paint(3)"`, and the configuration around it, in which it is called `x`.

    Input i gets the packets of device `in<i>` through the elements in HEADERS and `before`, a chain like `"Paint(1) ->
    SetIPAddress(1.2.3.4)"`.
    """

    element: str
    ninputs: int = 1
    noutputs: int = 1
    headers: str = "ethernet"
    before: str = ""
    declarations: str = ""

    @classmethod
    def among(cls, given: Sequence[Any], named: dict[str, Any]) -> tuple[Self, dict[str, Any]]:
        """The surroundings among the arguments of a call, and the other named arguments."""
        own = {field.name: named[field.name] for field in fields(Surroundings) if field.name in named}
        return cls(*given, **own), {name: value for name, value in named.items() if name not in own}

    @property
    def preparation(self) -> str:
        """The elements between a device and the element."""
        return HEADERS[self.headers] + (f" -> {self.before}" if self.before else "")

    def text(self, record: bool = True) -> str:
        """The configuration. With `record` all outputs go to the device `out` through a TestRecorder, which records the output. Without
        `record` output i goes to the device `out<i>`, which the kernel path does by itself. Pull outputs are pulled by an Unqueue."""
        pulled = pull_outputs(self.element)
        outputs = [f"{NAME} [{i}] ->{' Unqueue ->' if i in pulled else ''}" for i in range(self.noutputs)]
        lines = [self.declarations, f"{NAME} :: {self.element};"]
        lines += [f"FromDevice(in{i}) {self.preparation} -> [{i}] {NAME};" for i in range(self.ninputs)]
        if record and self.noutputs:
            lines.append("recorder :: TestRecorder -> Queue -> ToDevice(out);")
            lines += [f"{output} [{i}] recorder;" for i, output in enumerate(outputs)]
        else:
            lines += [f"{output} Queue -> ToDevice(out{i});" for i, output in enumerate(outputs)]
        return "\n".join(filter(None, lines)) + "\n"

    def compound(self, name: str, record: bool = True) -> str:
        """The configuration as a compound element of that name, with devices of its own: `<name>_in0` and so on."""
        own = re.sub(r"\b(FromDevice|ToDevice)\((\w+)\)", rf"\1({name}_\2)", self.text(record))
        return f"{name} :: {{\n{own}}};\n"


@cache
def pull_outputs(element: str) -> frozenset[int]:
    """The pull outputs of an element whose inputs are push, by its class's processing code."""
    library, name = Library.standard(), element.partition("(")[0].strip()
    inputs, _, outputs = library.find(name).processing.partition("/") if library.known(name) else ("", "", "")
    return frozenset(i for i, mode in enumerate(outputs) if mode == "l" and "l" not in inputs)


@frozen
class Seen:
    """A packet that left the element, as bytes, with its annotations; `packet` is the same as scapy layers, `kind` and those in it."""

    kind: type[Packet]
    data: bytes
    carried: Carried

    @property
    def packet(self) -> Packet:
        return dissect(self.kind, self.data)


class ElementRouter(Closing):
    """An element in its Surroundings, whose arguments come first, with a TestRecorder on an executor: `send` packets to its inputs,
    `expect` them at its outputs."""

    def __init__(self, *surroundings: Any, executor: str = "native", **options: Any):
        around, options = Surroundings.among(surroundings, options)
        self.configuration = around.text()
        self._begin(Router(self.configuration, executor, **options), "", around.headers)

    @classmethod
    def within(cls, router: Router, compound: str, headers: str) -> Self:
        """An element's configuration that is a compound of a router, where its devices are called `compound_in0` and so on."""
        made = cls.__new__(cls)
        made._begin(router, compound, headers)
        return made

    def _begin(self, router: Router, compound: str, headers: str) -> None:
        self.router, self._compound = router, compound
        self._front = FRONTS.get(headers, b"")
        self._dissect = Ether
        self._waiting: list[tuple[Carried, bytes]] = []

    def send(self, packet: PacketLike, input: int = 0) -> None:
        """Have a packet arrive at an input. With "ip" or "ip6" headers it has to begin with IP, and gets an Ethernet header."""
        if isinstance(packet, Packet):
            self._dissect = type(packet)
        device = f"{self._compound}_in{input}" if self._compound else f"in{input}"
        for output in self.router.send(device, self._front + to_bytes(packet)):
            carried, data = split_record(output.data)
            if carried is None:
                raise AssertionError(f"a packet without a record left by {output.device}: {output.data.hex(' ')}")
            self._waiting.append((carried, data))

    def expect(self, output: int, packet: PacketLike | None = None, ignore: Iterable[str] = (), **carried: Any) -> Seen:
        """Expect this packet as the next one, on this output, with annotations (`PAINT=3`), with other facts of Carried (`network=14`),
        and with bytes of annotations (`annotations={20: b"\\1\\2"}`)."""
        __tracebackhide__ = True
        if not self._waiting:
            raise AssertionError(f"expected a packet on output {output}, but none left; {self.router._whereabouts()}")
        left, data = self._waiting.pop(0)
        if left.input != output:
            raise AssertionError(f"expected a packet on output {output}, but it left by output {left.input}")
        differs = packet is not None and difference(packet, data, ignore)
        if differs:
            raise AssertionError(f"on output {output} ({self.router.executor.name}): {differs}")
        found = {name: _fact(left, name, value) for name, value in carried.items()}
        if found != carried:
            raise AssertionError(f"on output {output}: annotations {found}, expected {carried}")
        kind = type(packet) if isinstance(packet, Packet) else self._dissect
        return Seen(kind, data, left)

    def expect_nothing(self) -> None:
        """AssertionError if a packet waits."""
        __tracebackhide__ = True
        if self._waiting:
            outputs = ", ".join(str(carried.input) for carried, _ in self._waiting)
            raise AssertionError(f"expected no packet, but there is one on output {outputs}")

    def gives(self, packet: PacketLike, expected: PacketLike | None = None, output: int = 0, input: int = 0, **carried: Any) -> Seen:
        """Send a packet, and expect that it leaves by an output, alone, as another one, or as any."""
        __tracebackhide__ = True
        self.send(packet, input)
        seen = self.expect(output, expected, **carried)
        self.expect_nothing()
        return seen

    def each(self, steps: Iterable[Sequence[Any]], **carried: Any) -> None:
        """gives() for each of these arguments: packet, expected packet, output."""
        __tracebackhide__ = True
        for arguments in steps:
            self.gives(*arguments, **carried)

    def passes(self, *packets: PacketLike, output: int = 0, input: int = 0, **carried: Any) -> None:
        """Send packets, and expect that they leave as they are."""
        __tracebackhide__ = True
        self.each(((packet, packet, output, input) for packet in packets), **carried)

    def drops(self, *packets: PacketLike, reason: str | None = None, input: int = 0) -> None:
        """Send packets, and expect that they don't leave, and are counted, if there is a `reason`."""
        __tracebackhide__ = True
        before = self.dropped(reason)
        for packet in packets:
            self.send(packet, input)
            self.expect_nothing()
        if reason and self.dropped(reason) - before != len(packets):
            raise AssertionError(f"{self.dropped(reason) - before} were dropped for {reason}, expected {len(packets)}")

    def advance(self, seconds: float) -> None:
        """Let time pass in a router started with `simtime=True`."""
        self.router.advance(seconds)

    def read(self, handler: str) -> str:
        """A read handler of the element, by its bare name; or of any element, as `element.handler`."""
        return self.router.read(self._full(handler))

    def reads(self, **values: str) -> None:
        """Expect these values of read handlers."""
        __tracebackhide__ = True
        found = {name: self.read(name) for name in values}
        if found != values:
            raise AssertionError(f"{found}, expected {values}")

    def write(self, handler: str, value: object = "") -> None:
        self.router.write(self._full(handler), value)

    def refuses(self, handler: str, value: object, said: str = "") -> None:
        """Expect that a write handler refuses a value, with a message that matches."""
        __tracebackhide__ = True
        try:
            self.write(handler, value)
        except ClickError as error:
            if not re.search(said, str(error)):
                raise AssertionError(f"{handler} {value!r}: {error}, expected {said}") from error
        else:
            raise AssertionError(f"{handler} took {value!r}")

    def dropped(self, reason: str | None = None) -> int:
        """The number of packets that the element dropped."""
        return self.router.dropped(self._full(NAME), reason)

    def close(self) -> None:
        self.router.close()

    def _full(self, name: str) -> str:
        """The name in the router of an element, or of a handler, which is this element's if it doesn't say whose it is."""
        own = name if "." in name or name == NAME else f"{NAME}.{name}"
        return f"{self._compound}/{own}" if self._compound else own


def _fact(left: Carried, name: str, expected: Any) -> Any:
    """What a packet carries under the name that expect() has for it."""
    if name == "annotations":
        return {start: left.annotations[start : start + len(content)] for start, content in expected.items()}
    return left[name] if name.isupper() else getattr(left, name)
