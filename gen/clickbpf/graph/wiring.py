"""What each port is connected to, and the searches along push and pull connections that the runtime's C needs."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.codes import PULL, PUSH
from clickbpf.graph.cycles import back_edges
from clickbpf.graph.ports import End
from clickbpf.graph.router import Connection, Port
from clickbpf.vocabulary.traits import NOTIFIES_FULL


class Wiring:
    """The connections of a checked router, by port and by mode."""

    def __init__(self, checked: CheckedRouter):
        self.checked = checked
        self.router, self.instances, self.processing = checked.router, checked.instances, checked.processing

    def push_inputs(self, element: str) -> list[int]:
        return _ports(self.processing[element].inputs, PUSH)

    def push_outputs(self, element: str) -> list[int]:
        return _ports(self.processing[element].outputs, PUSH)

    def pull_inputs(self, element: str) -> list[int]:
        return _ports(self.processing[element].inputs, PULL)

    def pull_outputs(self, element: str) -> list[int]:
        return _ports(self.processing[element].outputs, PULL)

    def target(self, element: str, output: int) -> Port | None:
        """The port that an output is connected to; the first of several that pull from it."""
        found = self.router.connections_from(element, output)
        return found[0].target if found else None

    def pushed_to(self, element: str, output: int) -> Port | None:
        """The port that packets from an output are pushed to. From a pull output this only happens where an elided Queue's packets pass."""
        target = self.target(element, output)
        pulled = output in self.pull_outputs(element)
        return None if target is None or (pulled and not self.passes(target.element)) else target

    def source(self, element: str, input: int) -> Port | None:
        """The port that a pull input is connected to."""
        found = self.router.connections_to(element, input)
        return found[0].source if found else None

    def is_push(self, connection: Connection) -> bool:
        return self.processing[connection.source.element].outputs[connection.source.port] == PUSH

    def passes(self, element: str) -> bool:
        """Whether packets can be pushed on from a pull input of the element, through plain elements to a ToDevice.

        The kernel path elides the Queue before it, and may give a packet up between Queue and device.
        """
        if not self.pull_inputs(element):
            return False
        if self.instances[element].sends_to() is not None:
            return True
        outputs = self.pull_outputs(element)
        target = self.target(element, outputs[0]) if len(outputs) == 1 else None
        decides = "pull" in self.instances[element].entries
        return not decides and target is not None and self.passes(target.element)

    # Cycles: a push connection that closes one must not be a plain call, or the stack grows with every turn.

    @cached_property
    def closing(self) -> frozenset[tuple[str, int]]:
        """The push outputs (element, port) whose connection closes a cycle of push connections."""

        def onward(element: str) -> Iterator[tuple[str, Connection]]:
            return ((c.target.element, c) for c in filter(self.is_push, self.router.connections_from(element)))

        closing = back_edges((e.name for e in self.router.elements), onward)
        return frozenset((c.source.element, c.source.port) for c in closing)

    @cached_property
    def circling(self) -> frozenset[str]:
        """The elements on cycles of push connections, and some between two cycles."""
        pushes = [c for c in self.router.connections if self.is_push(c)]
        closing = [c for c in pushes if (c.source.element, c.source.port) in self.closing]
        onward = _reachable({c.target.element for c in closing}, ((c.source.element, c.target.element) for c in pushes))
        return onward & _reachable({c.source.element for c in closing}, ((c.target.element, c.source.element) for c in pushes))

    # Notification: the tasks that wait for an element's packets, or for room in it.

    def sleepers_downstream(self, element: str) -> list[str]:
        """Elements with a task that pull, directly or through others, from `element`."""
        return self._with_task(self._reached(element, True, lambda end: self._mode(end) == PULL))

    def sleepers_upstream(self, element: str) -> list[str]:
        """Elements with a task that push, directly or through others, at `element`."""
        return self._with_task(self._reached(element, False, lambda end: self._mode(end) == PUSH))

    def storages_downstream(self, element: str) -> list[str]:
        """Storages that report when they are full, if pushes from `element` end nowhere else; otherwise none, since other elements, such as
        Discard, may always have room."""
        found: set[str] = set()
        ends_elsewhere = False

        def visit(end: End, source: End, distance: int) -> bool:
            nonlocal ends_elsewhere
            if NOTIFIES_FULL in self.instances[end.port.element].traits:
                found.add(end.port.element)
                return False
            goes_on = self._mode(end) == PUSH and self.checked.flow.goes_on(end)
            ends_elsewhere |= not goes_on
            return goes_on

        self.checked.flow.visit(element, True, visit)
        return [] if ends_elsewhere else sorted(found, key=self.router.position.__getitem__)

    def _mode(self, end: End) -> str:
        processing = self.processing[end.port.element]
        return (processing.outputs if end.is_output else processing.inputs)[end.port.port]

    def _reached(self, element: str, downstream: bool, goes_on: Callable[[End], bool]) -> list[str]:
        """Elements that packets reach, or come from, through ports that `goes_on` accepts, in the router's order."""
        found: set[str] = set()

        def visit(end: End, source: End, distance: int) -> bool:
            if not goes_on(end):
                return False
            found.add(end.port.element)
            return True

        self.checked.flow.visit(element, downstream, visit)
        return sorted(found, key=self.router.position.__getitem__)

    def _with_task(self, elements: list[str]) -> list[str]:
        return [e for e in elements if "task" in self.instances[e].entries]


def _ports(modes: tuple[str, ...], wanted: str) -> list[int]:
    return [port for port, mode in enumerate(modes) if mode == wanted]


def _reachable(start: set[str], edges: Iterable[tuple[str, str]]) -> frozenset[str]:
    onward: dict[str, list[str]] = {}
    for source, target in edges:
        onward.setdefault(source, []).append(target)
    found, left = set(start), list(start)
    while left:
        new = set(onward.get(left.pop(), ())) - found
        found |= new
        left += new
    return frozenset(found)
