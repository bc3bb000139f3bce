"""Where each element runs: the kernel takes what it can, from the devices on, and hands over at the first element it can't."""

from __future__ import annotations

from clickbpf.element import Element
from clickbpf.graph.check import CheckedRouter
from clickbpf.plan.values import CONTROL, ELIDED, USER, Options, Placement, connections

#: The farthest that a jump of a BPF program reaches, in instructions; an element can't be cut in two.
LARGEST = 32_000


def place(checked: CheckedRouter, options: Options) -> dict[str, Placement]:
    """Placement of every element.

    Packets enter the kernel's part where an element receives from a device. It grows along push connections through
    elements whose class can run there; a queue is part of it where the transmit ring of the one device after it can
    stand in for it.
    """
    walk = _Walk(checked, options)
    for name, element in checked.instances.items():
        if element.receives_from() is not None:
            walk.placements[name] = Placement(options.hook, f"packets of {element.receives_from()} enter here")
            walk.follow(name)
    return {name: walk.placements.get(name) or _unreached(element) for name, element in checked.instances.items()}


def _unreached(element: Element) -> Placement:
    if not element.runs:
        return Placement(CONTROL, "meets no packets")
    return Placement(USER, "no packet reaches it in the kernel")


class _Walk:
    def __init__(self, checked: CheckedRouter, options: Options):
        self.checked, self.options = checked, options
        self.connections = connections(checked)
        self.placements: dict[str, Placement] = {}

    def follow(self, source: str) -> None:
        """Place everything that follows an element that runs in the kernel."""
        pending = [source]
        while pending:
            name = pending.pop()
            for target in self.after(name):
                if target not in self.placements:
                    self.placements[target] = self.decide(target)
                    if self.placements[target].where == self.options.hook:
                        pending.append(target)

    def after(self, name: str) -> list[str]:
        outputs = range(self.checked.instances[name].noutputs)
        return [target for port in outputs for target, _ in self.connections.get((name, port), ())]

    def decide(self, name: str) -> Placement:
        element = self.checked.instances[name]
        if not self.options.kernel:
            return Placement(USER, "the kernel path is switched off")
        if name in self.options.user:
            return Placement(USER, "asked for")
        if element.elidable:
            return self.decide_queue(name)
        if self.options.hook not in element.runs:
            return Placement(USER, f"{type(element).class_name()} runs in user space only")
        if element.weight > LARGEST:
            return Placement(USER, f"its about {element.weight} instructions are too many for a BPF program")
        return Placement(self.options.hook, "its class runs in the kernel")

    def decide_queue(self, name: str) -> Placement:
        """A queue can go if what pulls from it makes no decision: plain elements in one line to one device."""
        line = []
        here = name
        while True:
            consumers = self.connections.get((here, 0), ())
            element = self.checked.instances[here]
            if element.noutputs > 1:
                return Placement(USER, "packets that find no room leave by another output")
            if len(consumers) != 1:
                return Placement(USER, "no one element pulls from it")
            here = consumers[0][0]
            element = self.checked.instances[here]
            refusal = self.refuse_pull(here, element)
            if refusal:
                return Placement(USER, refusal)
            line.append(here)
            if element.sends_to() is not None:
                break
        for passed in line:
            self.placements[passed] = Placement(self.options.hook, f"after {name}, whose place {element.sends_to()} takes")
        return Placement(ELIDED, f"the transmit ring of {element.sends_to()} is the queue")

    def refuse_pull(self, name: str, element: Element) -> str | None:
        if element.sends_to() is not None:
            return None
        if name in self.options.user or self.options.hook not in element.runs or element.elidable:
            return f"{name}, which pulls from it, runs in user space"
        if "pull" in element.entries:
            return f"{name} chooses when it pulls"
        if element.ninputs != 1 or element.noutputs != 1:
            return f"{name}, which pulls from it, has several ports"
        return None
