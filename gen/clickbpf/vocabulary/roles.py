"""Roles that few element classes have. A class derives from its roles, and declares what only they ask of it:

    class FlowInfo(FlowCodes, InformationElement):
        def flow_overrides(self): ...

The compiler and the runtime ask whether an element is one of a role: `isinstance(element, FlowCodes)`.
"""

import errno
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import ClassVar, Self

from clickbpf.args.names import Names
from clickbpf.objects.made import MadeDevice
from clickbpf.vocabulary.element import Element, role
from clickbpf.vocabulary.forms import Form
from clickbpf.vocabulary.handlers import Handler, numbered_of


@role
class Companion(Element):
    """Its C file works on the state of other elements."""

    def works_on(self) -> Iterable[str]:
        """Names of the elements: all of them have one lock."""
        return ()


@role
class Storage(Element):
    """Stores packets, as Queue does."""

    #: The fields of its state with the number of packets stored in it, and with the most that may be, or None for no limit:
    #: (state, field, field).
    storage: ClassVar[tuple[str, str, str | None]]

    def gives(self, form: Form | None) -> Form | None:
        return form


@role
class Reconfigurable(Element):
    """The handler `config` can give it other arguments while it runs, as in Click (runtime/reconfigure.py)."""

    #: Write handlers that give it another value of one argument, which `config` has from then on, as in Click: handler -> argument.
    replaced: ClassVar[Mapping[str, str]] = {}

    def keep(self, before: Self) -> None:
        """Called after configure() if it is to replace `before`, which runs and differs only in its arguments: keep what can't change
        then; ArgError if that is impossible."""

    def reconfigure(self, wanted: Self) -> None:
        """Run with the configuration of `wanted` from now on. Code for the new compile-time constants is in place already; what
        packets have left in the state stays."""
        vars(self).update({**vars(wanted), "_is_fixed": False})
        self.initialise()


@role
class Watcher(Element):
    """Asks how many packets wait in storages: watched_length(), watched_room() in C."""

    def watches(self) -> Iterable[str]:
        """Names of the storages; none for the nearest ones."""
        return ()


@role
class Delayer(Element):
    """Gives packets a time at which to leave, by pkt_leave_at(), when nothing else is done with them (plan/pacing.py)."""

    def longest_wait(self) -> tuple[int, int]:
        """The most packets that may wait for their times, and for how many ns."""
        raise NotImplementedError


@role
class DeviceMaker(Element):
    """The router makes a device for Linux when it is loaded, because of this element (FromHost)."""

    def makes(self) -> MadeDevice:
        """The device."""
        raise NotImplementedError


@role
class HostEnd(Element):
    """May determine the device on which Linux receives the packets that arrive here (ToHost)."""

    def host_device(self) -> str | None:
        """The device, by its name in the configuration."""
        return None


@role
class Driver(Element):
    """Decides when the driver stops, if it has the trait MANAGES_DRIVER (Script)."""

    def driver_stops(self) -> bool:
        """Whether a request to stop may end the router."""
        return True


@role
class OwnHandlers(Element):
    """Has handlers that its class doesn't know (Script)."""

    def own_handlers(self) -> dict[str, Handler]:
        """Those that are listed, by name."""
        return {}

    def find_handler(self, name: str) -> Handler | None:
        """One that isn't listed."""
        return None


@role
class CountsDrops(Element):
    """Has packets dropped outside of it, by a device or the kernel."""

    #: Read handlers that count those of one reason: name -> reason (drops.py).
    drop_handlers: ClassVar[Mapping[str, str]]


@role
class ThreadHomes(Element):
    """Gives tasks of other elements their threads (StaticThreadSched)."""

    def home_threads(self) -> Mapping[str, int]:
        """The threads, by the elements' names."""
        return {}


@role
class Parallel(Element):
    """Has several tasks; consecutive ones go to consecutive threads."""

    def task_count(self, threads: int) -> int:
        """How many tasks it has in a router with this many threads."""
        return threads


@role
class FlowCodes(Element):
    """Gives other elements flow codes (FlowInfo)."""

    def flow_overrides(self) -> Mapping[str, str]:
        """The codes, by the elements' names."""
        return {}


@role
class NameGiver(Element):
    """Defines names for addresses, ports and the like (AddressInfo). Such elements are configured before all others."""

    def define_names(self, names: Names) -> None:
        """Define them."""


@role
class FixedPath(Element):
    """Passes packets from one input to one output only, which never change (StaticSwitch)."""

    def only_way(self) -> tuple[int, int]:
        """The input and the output; if there is no such port, no packet passes."""
        raise NotImplementedError


@role
class Patterns(Element):
    """Has a pattern for each output, and can have those of a second element of its class as well (passes/classifiers.py)."""

    #: The pattern of packets that match two patterns, neither of which is "-".
    pattern_of_both: ClassVar[Callable[[str, str], str]]


@role
class Successor(Element):
    """Has state that outlives runtimes (state.outliving())."""

    def succeed(self, before: Collection[Element]) -> None:
        """Go on from what elements of the router that this one replaces have left in such states. `before` are the running elements that
        have some, of all names and classes; if that router's runtime is dead, they have no other states, and no runtime. Packets
        stand still."""


@role
class RemotelyCalled(Element):
    """Answers Click's low-level remote procedure calls."""

    def llrpc(self, number: int, data: bytes) -> bytes:
        """The answer to the call of a number (without its flags and size); OSError if it can't be called."""
        raise OSError(errno.EINVAL, "no such LLRPC")


def listed_handlers(element: Element) -> dict[str, Handler]:
    """The handlers of an element by name: those of its class, numbered ones, and its own."""
    found = element.handlers() | numbered_of(element)
    return found | element.own_handlers() if isinstance(element, OwnHandlers) else found


def companions(element: Element) -> tuple[str, ...]:
    """The elements on whose state this one's C file works."""
    return tuple(element.works_on()) if isinstance(element, Companion) else ()


__all__ = [name for name, value in vars().items() if isinstance(value, type) and value.__module__ == __name__]
