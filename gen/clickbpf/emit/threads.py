"""Which elements several threads may enter, and which locks they take.

An element's task and timer run on one thread at a time, its events on one thread that may be another, a device's receive queues on
many. An element that is reached from only one of these entrances needs no lock, whichever threads its task moves to. An element keeps
its lock while it calls others by emit() and pull(). So elements that can call each other in a circle share one lock, and all locks are
taken in one order.
"""

from collections.abc import Iterable, Iterator

from clickbpf.graph.cycles import back_edges
from clickbpf.graph.wiring import Wiring
from clickbpf.vocabulary.element import KERNEL, Element
from clickbpf.vocabulary.roles import Parallel, companions
from clickbpf.vocabulary.state import PerThread, State, Vars
from clickbpf.vocabulary.traits import THREAD_SAFE, TWO_SIDED


def locks(wiring: Wiring, compiled: Iterable[str], threads: int) -> dict[str, str]:
    """For each element that takes a lock, the element whose lock it is."""
    if threads == 1:
        return {}
    reached = _Reached(wiring, list(compiled), threads)
    found = {}
    for group in reached.groups():
        entrances = {entrance for name in group for entrance in reached.entrances[name]}
        if len(entrances) > 1:
            locked = (name for name in group if takes_lock(wiring.instances[name]) and not reached.one_pushes(name))
            found |= dict.fromkeys(locked, group[0])
    return found


def sides(wiring: Wiring, compiled: Iterable[str], threads: int) -> dict[str, tuple[bool, bool]]:
    """For each element with a side for each of two threads: whether only one thread at a time pushes into it, and pulls from it."""
    found = [name for name in compiled if TWO_SIDED in wiring.instances[name].traits]
    if threads == 1:
        return dict.fromkeys(found, (True, True))
    reached = _Reached(wiring, list(compiled), threads) if found else None
    return {name: (reached.one_pushes(name), reached.one_pulls(name)) for name in found}


def takes_lock(element: Element) -> bool:
    """Whether an element that several threads enter needs a lock: the executor takes it (is_locked), or the class does so itself."""
    return THREAD_SAFE in element.traits or is_locked(element)


def is_locked(element: Element) -> bool:
    """Whether the executor takes the lock around the class's actions, because of state that threads can't share, or another element's."""
    safe: tuple[type[State], ...] = (PerThread, Vars) if element.runs == KERNEL else (PerThread,)
    alone = all(isinstance(kind, safe) for kind in element.state_types.values()) and not companions(element)
    return THREAD_SAFE not in element.traits and not alone


def task_count(element: Element, threads: int) -> int:
    """How many tasks the element has in a router with this many threads."""
    return element.task_count(threads) if isinstance(element, Parallel) else 1


class _Reached:
    """The elements that each element calls, directly or through others, and the entrances from which threads reach it."""

    def __init__(self, wiring: Wiring, names: list[str], threads: int):
        self.wiring, self.names, self.threads = wiring, names, threads
        calls: dict[str, set[str]] = {name: {e for e, call in self._neighbours(name) if call} for name in names}
        for name in names:
            for other in companions(wiring.instances[name]):
                calls[name].add(other)
                calls.setdefault(other, set()).add(name)
        nested = any(back_edges(names, lambda name: ((other, other) for other in calls.get(name, ()))))
        self.called = {name: _closure(name, calls) if nested else set() for name in names}
        every = {name: calls[name] | {e for e, _ in self._neighbours(name)} for name in names}
        self.entrances: dict[str, set[tuple[str, int]]] = {name: set() for name in names}
        for name in names:
            entrances = self._entrances(wiring.instances[name])
            for other in _closure(name, every) if entrances else ():
                self.entrances[other] |= entrances

    def _neighbours(self, name: str) -> Iterator[tuple[str, bool]]:
        """Elements that this one pushes packets to, or pulls from; and whether that is a call. Edges that close a cycle aren't calls, nor
        those from a Queue to its puller: there only packets that the kernel path handed over are pushed."""
        wiring = self.wiring
        for output in range(wiring.instances[name].noutputs):
            target = wiring.pushed_to(name, output)
            if target:
                stored = output in wiring.pull_outputs(name) and not wiring.pull_inputs(name)
                yield target.element, not stored and (name, output) not in wiring.closing
        for input in wiring.pull_inputs(name):
            source = wiring.source(name, input)
            if source:
                yield source.element, True

    def _entrances(self, element: Element) -> set[tuple[str, int]]:
        if element.receives_from() is not None:
            return {(element.name, queue) for queue in range(2)}
        found = (
            {(element.name, task) for task in range(task_count(element, self.threads))}
            if {"task", "timer"} & set(element.entries)
            else set()
        )
        return found | ({(element.name, -1)} if "event" in element.entries else set())

    def one_pushes(self, name: str) -> bool:
        """Whether only one thread at a time pushes into an element that keeps the two sides apart."""
        if TWO_SIDED not in self.wiring.instances[name].traits:
            return False
        return len(self._entrances_of(c.source.element for c in self.wiring.router.connections_to(name))) <= 1

    def one_pulls(self, name: str) -> bool:
        """The same of pulling."""
        pulling = self.wiring.pull_outputs(name)
        return len(self._entrances_of(c.target.element for out in pulling for c in self.wiring.router.connections_from(name, out))) <= 1

    def _entrances_of(self, elements: Iterable[str]) -> set[tuple[str, int]]:
        return {entrance for element in elements for entrance in self.entrances.get(element, ())}

    def groups(self) -> Iterator[list[str]]:
        """Groups of elements that can call each other in a circle; every other element is a group by itself."""
        done: set[str] = set()
        for name in self.names:
            if name not in done:
                group = [name, *(e for e in self.names if e != name and e in self.called[name] and name in self.called[e])]
                done.update(group)
                yield group


def _closure(start: str, onward: dict[str, set[str]]) -> set[str]:
    found, left = {start}, [start]
    while left:
        new = onward.get(left.pop(), set()) - found
        found |= new
        left += new
    return found
