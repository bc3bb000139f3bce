"""Roles of few element classes. A class derives from its roles, and defines what these require:

    class FlowInfo(FlowCodes, InformationElement):
        def flow_overrides(self): ...

The compiler and the runtime test for a role: `isinstance(element, FlowCodes)`.
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
        """The names of these elements, which share one lock with this one."""
        return list(dict.fromkeys(self.refers_to().values()))


@role
class Storage(Element):
    """Stores packets, as Queue does."""

    #: (state, field, field, field): the fields with the number of packets stored so far; of those that have left, None if the first one
    #: is the number of packets that are stored now; and of the packets that may be stored, None for no limit. With a limit its C file
    #: defines SELF(is_full)() for tasks that push, SELF(has_no_room)() for others: if they return true, pushers are woken once there is
    #: room.
    storage: ClassVar[tuple[str, str, str | None, str | None]]

    def gives(self, form: Form | None) -> Form | None:
        return form


@role
class Reconfigurable(Element):
    """Can get other arguments by the handler `config` while it runs, as in Click (runtime/reconfigure.py)."""

    #: Write handlers that replace one argument, also in the value of `config`, as in Click: handler -> argument.
    replaced: ClassVar[Mapping[str, str]] = {}

    def keep(self, before: Self) -> None:
        """Called after configure() on the element that will replace `before`, which runs with other arguments: take over what can't be
        changed while it runs; ArgError if that is impossible."""

    def reconfigure(self, wanted: Self) -> None:
        """Change to the configuration of `wanted`. The code for its compile-time constants is in place already; state that packets have
        changed stays."""
        vars(self).update({**vars(wanted), "_is_fixed": False})
        self.initialise()


@role
class Watcher(Element):
    """Asks for the number of packets in storages: watched_length(), watched_room() in C."""

    def watches(self) -> Iterable[str]:
        """The names of the storages; none means the nearest ones."""
        return ()


@role
class Delayer(Element):
    """Gives packets a departure time, by pkt_leave_at(), when nothing else is done with them (plan/pacing.py)."""

    def longest_wait(self) -> tuple[int, int]:
        """The largest number of packets that can wait, and the longest wait in nanoseconds."""
        raise NotImplementedError


@role
class DeviceMaker(Element):
    """Has the router create a device for Linux when it is loaded (FromHost)."""

    def makes(self) -> MadeDevice:
        """The device."""
        raise NotImplementedError


@role
class HostEnd(Element):
    """May name the device on which Linux receives the packets that arrive here (ToHost)."""

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
    """Has handlers besides those of its class (Script)."""

    def own_handlers(self) -> dict[str, Handler]:
        """The handlers that are listed, by name."""
        return {}

    def find_handler(self, name: str) -> Handler | None:
        """A handler that isn't listed."""
        return None


@role
class CountsDrops(Element):
    """Counts packets that were dropped outside of it, by a device or the kernel."""

    #: Read handlers that count drops of one reason: name -> reason (drops.py).
    drop_handlers: ClassVar[Mapping[str, str]]


@role
class ThreadHomes(Element):
    """Assigns tasks of other elements to threads (StaticThreadSched, BalancedThreadSched)."""

    #: The thread at which tasks begin that no such element assigns; -1 if that is nothing to it.
    first_home = -1

    def home_threads(self) -> Mapping[str, int]:
        """The threads, by the elements' names."""
        return {}


@role
class Parallel(Element):
    """Has several tasks; consecutive ones go to consecutive threads."""

    def task_count(self, threads: int) -> int:
        """The number of its tasks in a router with this many threads."""
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
        """The input and the output; if one doesn't exist, no packet passes."""
        raise NotImplementedError


@role
class Patterns(Element):
    """Has a pattern for each output, and can be joined with another element of its class (passes/classifiers.py)."""

    #: The pattern of packets that match two patterns, neither of which is "-".
    pattern_of_both: ClassVar[Callable[[str, str], str]]


@role
class Successor(Element):
    """Has state that outlives runtimes (state.outliving())."""

    def succeed(self, before: Collection[Element]) -> None:
        """Take over such state from elements of the router that this one replaces. `before` are all running elements that have any, of all
        names and classes; if that router's runtime is dead, they have no other state, and no runtime. Packets aren't processed now."""


@role
class RemotelyCalled(Element):
    """Answers Click's low-level remote procedure calls."""

    def llrpc(self, number: int, data: bytes) -> bytes:
        """The answer to the call with this number (without flags and size); OSError if there is no such call."""
        raise OSError(errno.EINVAL, "no such LLRPC")


def listed_handlers(element: Element) -> dict[str, Handler]:
    """The handlers of an element by name: those of its class, numbered ones, and its own."""
    found = element.handlers() | numbered_of(element)
    return found | element.own_handlers() if isinstance(element, OwnHandlers) else found


def companions(element: Element) -> tuple[str, ...]:
    """The elements on whose state this one's C file works."""
    return tuple(element.works_on()) if isinstance(element, Companion) else ()


__all__ = [name for name, value in vars().items() if isinstance(value, type) and value.__module__ == __name__]
