"""Packets that wait in the kernel until their departure time, in the qdisc of the device by which they leave.

A program gives a packet its departure time, and the qdisc fq holds it until then. Elements after that would still see the packet at once.
So only an elided Queue and the sender may follow an element that gives departure times.
"""

from collections.abc import Mapping

from clickbpf.graph.check import CheckedRouter
from clickbpf.vocabulary.roles import Delayer
from clickbpf.vocabulary.traits import ELIDABLE

#: Output (element, port) -> the inputs it is connected to.
Connections = Mapping[tuple[str, int], tuple[tuple[str, int], ...]]


def queue_and_sender(checked: CheckedRouter, connections: Connections, name: str) -> tuple[str, str] | None:
    """The Queue and the sender after an element, if its packets come to nothing else."""
    line = [name]
    for _ in range(2):
        consumers = connections.get((line[-1], 0), ())
        if len(consumers) != 1:
            return None
        line.append(consumers[0][0])
    queue, sender = (checked.instances[each] for each in line[1:])
    alone = ELIDABLE in queue.traits and queue.noutputs == 1 and sender.sends_to() is not None and not sender.noutputs
    return (line[1], line[2]) if alone else None


def leaves_by(checked: CheckedRouter, connections: Connections, name: str) -> str | None:
    """The device by which packets leave to which the element gives departure times; None for other elements."""
    found = queue_and_sender(checked, connections, name) if isinstance(checked.instances[name], Delayer) else None
    return found and checked.instances[found[1]].sends_to()
