"""The cases of an element: configurations in which both executors must treat every packet alike.

    CASES = [Case("DecIPTTL", noutputs=2, headers="ip"), Case("DecIPTTL(MULTICAST false)", headers="ip")]

Cases share a router, each in a compound with devices of its own: compiling many elements at once takes a third of the time of compiling
each alone. A case that fails is run again in a router of its own, where its packets are shrunk.
"""

from collections.abc import Sequence
from typing import Any

from clickbpf.frozen import frozen
from clickbpf.testing.equivalence import Packets, Twins, arrivals, assert_element_equivalent, run
from clickbpf.testing.reach import Reach
from clickbpf.testing.shrink import Arrival

#: Cases in one router; with more, compilation takes longer than they save.
AT_ONCE = 8


@frozen
class Case(Reach):
    """An element in its Surroundings, with the packets and handlers for `assert_equivalent`. It runs on all `hooks`."""

    packets: Packets = 1000
    handlers: Sequence[str] = ("*",)
    ignore_handlers: Sequence[str] = ()
    hooks: Sequence[str] = ("bpf",)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of assert_element_equivalent()."""
        return {name: value for name, value in super().arguments.items() if name != "hooks"}


@frozen
class Compound:
    """A case within a router of several; `name` is the prefix of its elements and devices."""

    case: Case
    number: int
    record: bool

    @property
    def name(self) -> str:
        return f"case{self.number}{'r' if self.record else ''}"

    @property
    def text(self) -> str:
        return self.case.compound(self.name, self.record)

    def within(self, handlers: Sequence[str]) -> list[str]:
        return [f"{self.name}/{handler}" for handler in handlers]

    def arrivals(self, executors: tuple[str, str]) -> list[Arrival]:
        entries = [f"in{number}" for number in range(self.case.ninputs)]
        given = arrivals(self.case.packets, entries, executors, 0, self.case.mix)
        return [Arrival(f"{self.name}_{device}", packet, pause) for device, packet, pause in given]


def assert_cases_agree(cases: Sequence[Case], hook: str) -> None:
    """AssertionError for the first case in which the router behaves differently with a kernel path on this hook and without one."""
    __tracebackhide__ = True
    there = [case for case in cases if hook in case.hooks]
    for first in range(0, len(there), AT_ONCE):
        _assert_agree(there[first : first + AT_ONCE], ("native", hook))


def _assert_agree(cases: Sequence[Case], executors: tuple[str, str]) -> None:
    __tracebackhide__ = True
    beside = [Compound(case, number, record) for number, case in enumerate(cases) for record in (True, False)]
    twins = Twins(
        "".join(each.text for each in beside),
        executors,
        handlers=[handler for each in beside for handler in each.within(each.case.handlers)],
        ignore_handlers=[handler for each in beside for handler in each.within(each.case.ignore_handlers)],
    )
    writes = [(name, value) for each in beside for handler, value in each.case.writes for name in each.within([handler])]
    found = run(twins, [arrival for each in beside for arrival in each.arrivals(executors)], writes)
    if found is None:
        return
    for case in cases:
        assert_element_equivalent(**case.arguments, executors=executors)
    raise AssertionError(f"beside each other, though not alone, {executors[0]} and {executors[1]} differ: {found}")
