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
    #: Names of the router's devices.
    devices: tuple[str, ...]
    #: Names of all elements.
    elements: tuple[str, ...]
    #: The devices on which packets arrive.
    entries: tuple[str, ...]

    @classmethod
    @abstractmethod
    def unavailable(cls) -> str | None:
        """The reason why this machine or user can't run it, perhaps as a ClickError; None if it can."""

    @abstractmethod
    def send(self, device: str, packet: bytes) -> list[Output]:
        """Have a packet arrive on a device. Returns the packets that leave until the router is quiet again, in order for each device."""

    def send_all(self, packets: Iterable[tuple[str, bytes]]) -> list[list[Output]]:
        """Have packets (device, bytes) arrive one after another. Returns for each what `send` would."""
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

        An element that this executor leaves out has none, such as a Queue replaced by a device's ring.
        """

    def advance(self, seconds: float) -> list[Output]:
        """Let simulated time pass; returns the packets that leave meanwhile. Only for executors in this process, started with `simtime`."""
        raise ClickError(f"time can't be simulated on the executor {self.name}")

    @abstractmethod
    def drops(self) -> Drops:
        """The drop counts that aren't 0."""

    @abstractmethod
    def close(self) -> None:
        """Stop it and free its resources. Calling it again does nothing."""
