"""A running element's interface to its runtime: `Element.runtime`."""

import ctypes
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

from clickbpf.args.values import HandlerName
from clickbpf.graph.configure import with_arguments
from clickbpf.graph.flow import Flow
from clickbpf.graph.watching import watched
from clickbpf.runtime.handlers import Handlers
from clickbpf.runtime.signals import Action
from clickbpf.runtime.tasks import Tasks
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.state import View


def initialise_on(copies: Mapping[str, View], element: Element) -> None:
    """Have a running element initialise its state, but copies of state that has to stay as it is in the kernel."""
    state = element.state
    element.state = SimpleNamespace(**{**vars(state), **copies})
    try:
        element.initialise()
    finally:
        element.state = state


class ElementRuntime:
    """The interface of the runtime (runtime/host.py) for the Python side of the element `name`."""

    def __init__(self, host: Any, name: str):
        self._host, self._name = host, name

    # -- the element itself -------------------------------------------------------------------------------------------

    def control(self, op: int | str = 0, argument: int | ctypes.Array | None = None) -> int:
        """Run the element's CONTROL between packets; returns its result, 0 or -errno. An operation is named as in the class's `operations`.
        A ctypes buffer is passed as its address."""
        number = op if isinstance(op, int) else self.element(self._name).operations.index(op)
        return self._host.call(self._name, number, argument)

    def complaint(self) -> str:
        """The message of the element's CONTROL about its failure."""
        return self._host.complaint()

    def watched(self) -> tuple[str, ...]:
        """The storages whose lengths the element's C file sees."""
        return tuple(watched(self._host.checked, self._name))

    def has_arguments(self, config: str) -> None:
        """The element has this configuration from now on: a handler has changed its state accordingly."""
        handlers = self._host.handlers
        handlers.reconfigured(with_arguments(handlers.checked.instances[self._name], config)[0], config)

    def device_index(self, device: str) -> int | None:
        """The interface index of a device of the configuration, or None where devices are memory."""
        return next((each.ifindex for each in self._host.interfaces if each.configured == device), None)

    @property
    def has_devices(self) -> bool:
        """Whether the configuration's devices are Linux's; False where they are memory, or there are none."""
        return bool(self._host.interfaces)

    def is_l3(self, device: str) -> bool:
        """Whether packets of a device of the configuration begin with their IP header."""
        return device in self._host.l3_devices

    @property
    def unattended(self) -> bool:
        """Whether the router runs in the background, by `clickbpf load`."""
        return self._host.unattended

    # -- other elements -----------------------------------------------------------------------------------------------

    @property
    def handlers(self) -> Handlers:
        """The router's handlers."""
        return self._host.handlers

    def read(self, name: HandlerName) -> str:
        """Call a read handler; raises HandlerError."""
        return self.handlers.read(name.element, name.handler, name.value)

    def write(self, call: HandlerName) -> None:
        """Call a write handler; raises HandlerError."""
        self.handlers.write(call.element, call.handler, call.value)

    def element(self, name: str) -> Element:
        """Another running element of the router."""
        return self._host.instances[name]

    def before(self) -> Element | None:
        """The running element of this name in the router that this one is to replace."""
        return self._host.replaces.instances.get(self._name) if self._host.replaces else None

    @property
    def flow(self) -> Flow:
        """Searches for elements along the flow of packets."""
        return self._host.checked.flow

    def adopt_packets(self, before: Element, packets: int) -> None:
        """Record that this element now holds some packets of the element before()."""
        self._host.adopt_packets(before.runtime._host, packets)

    # -- the router ---------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Request the end of the run."""
        self._host.add_runs(-1)

    def locked(self) -> AbstractContextManager[None]:
        """Within this context no packets are processed."""
        return self._host.locked()

    @property
    def tasks(self) -> Tasks:
        """The router's tasks."""
        return self._host.tasks

    @property
    def hops(self) -> Any:
        """The kernel path's queues between CPUs, which can be moved as tasks can, among their own threads (load/devices/hops.py); None if
        there are none, or those of other programs have the packets for a while."""
        return self._host.path.hops if self._host.path and not self._host.reporting else None

    @property
    def threads(self) -> int:
        """The number of the router's threads."""
        return self._host.threads

    @property
    def clock(self) -> int:
        """Nanoseconds on the runtime's clock, as its C files see them."""
        return self._host.clock

    def wall_clock(self) -> int:
        """Nanoseconds since 1970, as in packets' timestamps."""
        return self._host.wall_clock()

    def seed(self, seed: int) -> None:
        """Seed random_u32(), so that its numbers can be repeated."""
        self._host.seed(seed)

    def wait_for_signal(self, number: int, action: Action) -> None:
        """Let `action` run soon after the process gets a signal."""
        self._host.signals.wait_for(number, action)
