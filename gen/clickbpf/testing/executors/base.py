"""The interface of executors, which run a router in a test: packets in, packets out, handlers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.testing.record import Output

#: Drops of a router so far: (element, reason) -> packets.
Drops = Mapping[tuple[str, str], int]


class Executor(Closing, ABC):
    """One running router. Devices go by their names in the configuration."""

    #: The executor's name on the command line.
    name: ClassVar[str]
    #: Shortest and longest frame that may arrive, in bytes.
    lengths: ClassVar[tuple[int, int]] = (0, 65535)
    #: Names of the devices that the router meets.
    devices: tuple[str, ...]
    #: Names of all elements.
    elements: tuple[str, ...]
    #: The devices that packets arrive on.
    entries: tuple[str, ...]

    @classmethod
    @abstractmethod
    def unavailable(cls) -> str | None:
        """None if this machine and user can run it, otherwise why not; it may also raise a ClickError."""

    @abstractmethod
    def send(self, device: str, packet: bytes) -> list[Output]:
        """A packet arrives on a device. Returns all that leaves the router until it is quiet again, in order for each device."""

    def send_all(self, packets: Iterable[tuple[str, bytes]]) -> list[list[Output]]:
        """Packets arrive one after another, (device, bytes) each. Returns what `send` would for each."""
        return [self.send(device, packet) for device, packet in packets]

    @abstractmethod
    def read(self, handler: str) -> str:
        """The value of `element.handler`."""

    @abstractmethod
    def write(self, handler: str, value: str = "") -> list[Output]:
        """Call the write handler `element.handler`. Returns the packets that leave because of it."""

    @abstractmethod
    def read_handlers(self) -> list[str]:
        """Read handlers that need no argument, as `element.handler`, in the order of the configuration.

        An element that this executor does without, such as a Queue in whose place a device's ring is used, has none.
        """

    def advance(self, seconds: float) -> list[Output]:
        """Let simulated time pass. Returns what leaves meanwhile. Only in this process, and for a router started with
        `simtime`."""
        raise ClickError(f"time can't be simulated on the executor {self.name}")

    @abstractmethod
    def drops(self) -> Drops:
        """Drops that are not zero."""

    @abstractmethod
    def close(self) -> None:
        """Stop it and free its resources. Calling it again does nothing."""
