"""A router under test: send packets, expect packets.

    router = Router("FromDevice(eth0) -> Queue -> ToDevice(eth1);")
    router.send("eth0", Ether() / IP(dst="10.0.0.2"))
    router.expect("eth1", Ether() / IP(dst="10.0.0.2"))
    router.expect_nothing()
"""

from collections.abc import Iterable
from typing import Any

from scapy.layers.l2 import Ether
from scapy.packet import Packet

from clickbpf.closing import Closing
from clickbpf.testing.diff import PacketLike, difference, dissect, to_bytes
from clickbpf.testing.executors import Configuration, start
from clickbpf.testing.executors.base import Drops, Executor
from clickbpf.testing.names import check
from clickbpf.testing.record import HOST, SNIFFERS, Output
from clickbpf.vocabulary.drops import REASONS


class Router(Closing):
    """Runs a configuration on an executor and compares its packets with the expected ones.

    Sent packets wait until they are expected, in order for each device.
    """

    def __init__(self, configuration: Configuration, executor: str = "native", **options: Any):
        """`configuration` is a .click file's path or text; for `options` see `clickbpf.testing.executors.start`."""
        self.executor: Executor = start(configuration, executor, **options)
        self._waiting: list[Output] = []
        self._drops: Drops = self.executor.drops()

    # -- packets ----------------------------------------------------------------------------------------------------

    def send(self, device: str, packet: PacketLike | Iterable[PacketLike]) -> list[Output]:
        """Have packets arrive on a device. Returns the packets that left meanwhile; `expect` gets the same packets."""
        packets = [packet] if isinstance(packet, (bytes, Packet)) else list(packet)
        self._drops = self.executor.drops()
        runs = self.executor.send_all([(device, to_bytes(p)) for p in packets])
        return self._take(output for outputs in runs for output in outputs)

    def _take(self, outputs: Iterable[Output]) -> list[Output]:
        taken = list(outputs)
        self._waiting += taken
        return taken

    def expect(self, device: str, packet: PacketLike | None = None, ignore: Iterable[str] = ()) -> Packet:
        """Expect this packet as the next one that left by `device`; AssertionError names every field that differs.

        Without `packet`, expect any. `ignore` lists fields that may differ, such as `"IP.id"`, or layers, such as `"Padding"`. Returns the
        packet as scapy layers. The device of packets for Linux is "host".
        """
        __tracebackhide__ = True
        self._check_device(device)
        found = next((output for output in self._waiting if output.device == device), None)
        if found is None:
            raise AssertionError(f"expected a packet on {device}, but there is none; {self._whereabouts()}")
        self._waiting.remove(found)
        if packet is not None:
            differs = difference(packet, found.data, ignore)
            if differs:
                raise AssertionError(f"on {device} ({self.executor.name}): {differs}")
        return dissect(type(packet) if isinstance(packet, Packet) else Ether, found.data)

    def forwards(
        self, device: str, packet: PacketLike, to: str, expected: PacketLike | None = None, ignore: Iterable[str] = ()
    ) -> Packet:
        """Have a packet arrive on a device, and expect that it leaves by another one, as it is, or as the `expected` one."""
        __tracebackhide__ = True
        self.send(device, packet)
        return self.expect(to, packet if expected is None else expected, ignore)

    def expect_host(self, packet: PacketLike | None = None, ignore: Iterable[str] = ()) -> Packet:
        """Expect this packet as the next one for Linux."""
        return self.expect(HOST, packet, ignore)

    def expect_nothing(self, device: str | None = None) -> None:
        """AssertionError if a packet waits, on this device or on any."""
        __tracebackhide__ = True
        self._check_device(device)
        left = [output for output in self._waiting if device in (None, output.device)]
        if left:
            packets = "\n".join(f"  {describe(output)}" for output in left)
            raise AssertionError(f"expected no packet{f' on {device}' if device else ''}, but there is:\n{packets}")

    def _check_device(self, device: str | None) -> None:
        check("device", device, (*self.executor.devices, HOST, SNIFFERS))

    def _whereabouts(self) -> str:
        """The whereabouts of other packets, for the message of a failed expectation."""
        waiting = "\n".join(f"  {describe(output)}" for output in self._waiting)
        new = {key: n - self._drops.get(key, 0) for key, n in self.executor.drops().items()}
        drops = "\n".join(f"  {element} dropped {n} ({reason})" for (element, reason), n in new.items() if n)
        parts = (f"waiting on other devices:\n{waiting}" if waiting else "nothing waits on other devices", drops)
        return "\n".join(part for part in parts if part)

    # -- handlers ---------------------------------------------------------------------------------------------------

    def read(self, handler: str) -> str:
        """The value of a read handler, `element.handler`."""
        return self.executor.read(handler)

    def write(self, handler: str, value: object = "") -> list[Output]:
        """Call a write handler. Returns the packets that leave because of it, as `send` does."""
        return self._take(self.executor.write(handler, str(value)))

    def advance(self, seconds: float) -> list[Output]:
        """Let time pass in a router started with `simtime=True`. Returns the packets that leave meanwhile."""
        return self._take(self.executor.advance(seconds))

    def dropped(self, element: str | None = None, reason: str | None = None) -> int:
        """The number of packets dropped since the start: by all elements or one, for all reasons or one."""
        check("element", element, self.executor.elements)
        check("drop reason", reason, REASONS)
        drops = self.executor.drops().items()
        return sum(n for (where, why), n in drops if element in (None, where) and reason in (None, why))

    # -- end --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        self.executor.close()


def describe(output: Output) -> str:
    """One line about a packet."""
    return f"{output.device}: {len(output.data)} bytes, {dissect(Ether, output.data).summary()}"
