"""Queues that lead from one CPU to another in the kernel: `Queue -> Unqueue`, where StaticThreadSched gives the Unqueue a thread, or
BalancedThreadSched chooses one while packets flow.

With --spread each thread of the configuration is a CPU. The kernel keeps the Queue's packets in a queue of that CPU (cpumap), whose own
thread runs a program that begins behind the Unqueue.
"""

from collections.abc import Mapping

from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.vocabulary.lane import MOST_WAITING
from clickbpf.vocabulary.roles import ThreadHomes
from clickbpf.vocabulary.traits import ALWAYS_TAKES, SELDOM

#: The most devices of a router with such a Queue, since a packet's record has the low bits of its device.
MOST_DEVICES = 256
#: The state of classes that can be at either end of a hop.
STATE = "lane"


@frozen
class Hop:
    """Packets in the queue are processed from the element that pulls on, by the thread."""

    queue: str
    puller: str
    thread: int


def homes(checked: CheckedRouter) -> dict[str, int]:
    """The threads that the configuration gives to elements."""
    found: dict[str, int] = {}
    for element in checked.instances.values():
        found |= element.home_threads() if isinstance(element, ThreadHomes) else {}
    return found


def _first_home(checked: CheckedRouter) -> int:
    return max((e.first_home for e in checked.instances.values() if isinstance(e, ThreadHomes)), default=-1)


def find_hop(checked: CheckedRouter, connections: Mapping[tuple[str, int], tuple[tuple[str, int], ...]], queue: str) -> Hop | str:
    """The hop that begins with a queue, or the reason why there is none."""
    consumers = connections.get((queue, 0), ())
    puller = consumers[0][0] if len(consumers) == 1 else queue
    element, taker = checked.instances[queue], checked.instances[puller]
    if STATE not in element.state_types or STATE not in taker.state_types or ALWAYS_TAKES not in taker.traits:
        return "no Unqueue pulls from it"
    thread = homes(checked).get(puller, _first_home(checked))
    if thread < 0:
        return f"no StaticThreadSched or BalancedThreadSched gives {puller} a thread"
    if element.cfg.capacity > MOST_WAITING:
        return f"a queue between CPUs holds at most {MOST_WAITING} packets"
    if _returns(checked, connections, puller, queue):
        return f"packets come back to it from {puller}"
    return Hop(queue, puller, thread)


def _returns(checked: CheckedRouter, connections: Mapping[tuple[str, int], tuple[tuple[str, int], ...]], start: str, end: str) -> bool:
    """Whether packets come from one element to the other, without those that few packets meet: these jump, and a queue whose program
    refers to the queue itself would never be freed."""
    pending, seen = [start], {start}
    while pending:
        here = pending.pop()
        ports = range(0 if SELDOM in checked.instances[here].traits else checked.instances[here].noutputs)
        following = {target for port in ports for target, _ in connections.get((here, port), ())}
        if end in following:
            return True
        pending += following - seen
        seen |= following
    return False
