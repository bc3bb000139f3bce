"""Packets that wait for their time in the kernel, in the qdisc of the device by which they leave.

A program gives a packet the time at which to leave, and the qdisc fq keeps it until then. Whatever the program does after that, it does at
once. So an element that gives packets their times is the last one in the kernel, but for a Queue without room of its own and the device.
"""

from collections.abc import Mapping

from clickbpf.graph.check import CheckedRouter
from clickbpf.vocabulary.roles import Delayer
from clickbpf.vocabulary.traits import ELIDABLE

#: Output (element, port) -> the inputs it is connected to.
Connections = Mapping[tuple[str, int], tuple[tuple[str, int], ...]]


def way_out(checked: CheckedRouter, connections: Connections, name: str) -> tuple[str, ...] | None:
    """The Queue and the sender that an element's packets come to, if they come to nothing else."""
    way: tuple[str, ...] = ()
    for _ in range(2):
        consumers = connections.get((way[-1] if way else name, 0), ())
        if len(consumers) != 1:
            return None
        way += (consumers[0][0],)
    queue, sender = (checked.instances[each] for each in way)
    alone = ELIDABLE in queue.traits and queue.noutputs == 1 and sender.sends_to() is not None and not sender.noutputs
    return way if alone else None


def leaves_by(checked: CheckedRouter, connections: Connections, name: str) -> str | None:
    """The device by which packets leave whose times an element gives, or None."""
    way = way_out(checked, connections, name) if isinstance(checked.instances[name], Delayer) else None
    return way and checked.instances[way[1]].sends_to()
