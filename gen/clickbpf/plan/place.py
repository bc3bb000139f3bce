"""Where each element runs: the kernel path reaches from the devices to the first elements that can't run in the kernel."""

from collections.abc import Mapping

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.watching import stores, watched
from clickbpf.objects.hooks import XDP
from clickbpf.plan.copies import find_copies
from clickbpf.plan.cut import MOST_TABLES
from clickbpf.plan.devices import device_names
from clickbpf.plan.hops import MOST_DEVICES, Hop, find_hop
from clickbpf.plan.layout import tables
from clickbpf.plan.pacing import leaves_by, queue_and_sender
from clickbpf.plan.values import CONTROL, ELIDED, USER, Copies, Options, Placement, connections, placed
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import Delayer, HostEnd, companions
from clickbpf.vocabulary.traits import ALWAYS_TAKES, ELIDABLE, ONLY_COPIES, ONLY_DECIDES, READS_OTHERS

#: How far a jump of BPF reaches, in instructions. A larger element can't run in the kernel, since an element can't be cut in two.
LARGEST = 32_000
#: The placement of an element that acts on waiting packets, where none wait.
IDLE = Placement(ELIDED, "no packet waits in the queues that it watches: transmit rings take their places")


def place(checked: CheckedRouter, options: Options) -> tuple[dict[str, Placement], dict[str, tuple[Copies, ...]]]:
    """Placement of every element, and the copies that the kernel makes.

    The kernel path begins at the elements that receive from devices. It grows along push connections through elements whose class can
    run there; it includes a queue that the transmit ring of its one device can replace. Some elements are only then found to have no
    place in the kernel, and left to the runtime: those whose copies the kernel can't make, those that read the state of elements in
    user space, and those that watch a queue there. Then everything is placed again.
    """
    devices = len(device_names(checked.instances.values()))
    left: dict[str, str] = {}
    while True:
        placements = _placements(checked, options, left)
        if alone := _alone(checked, options.hook, placements) | _watching(checked, placements):
            left |= alone
            continue
        copies, refused = find_copies(checked, placements, options, devices)
        copying = {name: why for name, why in refused.items() if ONLY_COPIES in checked.instances[name].traits}
        more = {name: f"the kernel can't make its copies: {why}" for name, why in copying.items()}
        used = tables(checked, placed(placements, options.hook), copies)
        more |= {name: f"{len(maps)} tables are too many for a BPF program" for name, maps in used.items() if len(maps) > MOST_TABLES}
        if not more:
            said = {name: f"its class runs in the kernel, except where it copies: {why}" for name, why in refused.items()}
            said |= {name: f"its class runs in the kernel, where {_leave(made)}" for name, made in copies.items()}
            return placements | {name: Placement(options.hook, reason) for name, reason in said.items()}, copies
        left |= more


def _alone(checked: CheckedRouter, hook: str, placements: Mapping[str, Placement]) -> dict[str, str]:
    """Elements in the kernel that read the state of elements in user space, each with the reason why it can't run there."""
    found = {}
    for name, placement in placements.items():
        element = checked.instances[name]
        read = companions(element) if READS_OTHERS in element.traits else ()
        missing = [other for other in read if placements[other].where != hook]
        if placement.where == hook and missing:
            found[name] = f"it reads the state of {min(missing)}, which the kernel path doesn't have"
    return found


def _watching(checked: CheckedRouter, placements: Mapping[str, Placement]) -> dict[str, str]:
    """Elements that were placed as if no packet waited in the queues that they watch, although packets do."""
    found = {}
    for name, placement in placements.items():
        if placement.where == ELIDED and not stores(checked.instances[name]):
            full = [queue for queue in watched(checked, name) if placements[queue].where != ELIDED]
            if full:
                found[name] = f"it watches {min(full)}, in which packets wait"
    return found


def _placements(checked: CheckedRouter, options: Options, left: Mapping[str, str]) -> dict[str, Placement]:
    """Placement of every element; those in `left` run in the runtime, for the reasons that it has."""
    walk = _Walk(checked, options, left)
    for name, element in checked.instances.items():
        if element.receives_from() is not None:
            walk.placements[name] = Placement(options.hook, f"packets of {element.receives_from()} enter here")
            walk.follow(name)
    return {name: walk.placements.get(name) or _unreached(element) for name, element in checked.instances.items()}


def _leave(made: tuple[Copies, ...]) -> str:
    devices = ", ".join(sorted({device for copies in made for leaving in copies.leaving for device in leaving}))
    if any(copies.goes_on is not None for copies in made):
        before = f"have left by {devices}" if devices else "that don't leave have been looked at"
        return f"a packet goes on when copies {before}"
    return f"its copies leave by {devices} together" if devices else "its copies leave one at a time"


def _unreached(element: Element) -> Placement:
    if not element.runs:
        return Placement(CONTROL, "meets no packets")
    if isinstance(element, HostEnd) and not element.ninputs and element.host_device():
        return Placement(USER, f"Linux keeps the packets of {element.host_device()}: copies of them enter here")
    return Placement(USER, "no packet reaches it in the kernel")


class _Walk:
    def __init__(self, checked: CheckedRouter, options: Options, left: Mapping[str, str]):
        self.checked, self.options, self.left = checked, options, left
        self.connections = connections(checked)
        self.placements: dict[str, Placement] = {}

    def follow(self, source: str) -> None:
        """Place all elements that follow one that runs in the kernel."""
        pending, followed = [source], {source}
        while pending:
            for target in self.after(pending.pop()):
                if target not in self.placements:
                    self.placements[target] = self.decide(target)
                if target not in followed and self.placements[target].where in (self.options.hook, ELIDED):
                    followed.add(target)
                    pending.append(target)

    def after(self, name: str) -> list[str]:
        element = self.checked.instances[name]
        outputs = range(min(1, element.noutputs) if self.placements[name].where == ELIDED else element.noutputs)
        return [target for port in outputs for target, _ in self.connections.get((name, port), ())]

    def decide(self, name: str) -> Placement:
        element = self.checked.instances[name]
        if not self.options.kernel:
            return Placement(USER, "the kernel path is switched off")
        if name in self.options.user:
            return Placement(USER, "asked for")
        if name in self.left:
            return Placement(USER, self.left[name])
        if ELIDABLE in element.traits:
            return self.decide_queue(name) if stores(element) else IDLE
        if self.options.hook not in element.runs:
            if element.shown() is None:
                return Placement(USER, f"{type(element).class_name()} runs in user space only")
            return Placement(self.options.hook, "it only looks at packets: the runtime gets copies of them")
        if element.weight > LARGEST:
            return Placement(USER, f"about {element.weight} instructions are too many for a BPF program")
        if isinstance(element, Delayer):
            return self.decide_times(name)
        return Placement(self.options.hook, "its class runs in the kernel")

    def decide_times(self, name: str) -> Placement:
        """Place an element that gives departure times: packets can wait only in the qdisc of the device by which they leave next."""
        after = queue_and_sender(self.checked, self.connections, name)
        if after is None or any(each in self.options.user or each in self.left for each in after):
            return Placement(USER, "packets wait here, and not only for a device: -> Queue -> ToDevice")
        device = leaves_by(self.checked, self.connections, name)
        return Placement(self.options.hook, f"packets wait in the qdisc of {device} if that is fq and has room, else in user space")

    def decide_queue(self, name: str) -> Placement:
        """Place a queue. It can be elided if what pulls from it decides nothing: one line of plain elements, which may push packets out of
        further outputs, leads to one device."""
        line = []
        here = name
        hop = self.decide_hop(name)
        if isinstance(hop, Hop):
            self.placements[hop.puller] = Placement(self.options.hook, f"packets of {name} come here on the CPU of thread {hop.thread}")
            return Placement(self.options.hook, f"packets wait in a queue of the CPU of thread {hop.thread}")
        if self.checked.instances[name].noutputs > 1:
            return Placement(USER, "packets that it has no room for leave by another output")
        while True:
            consumers = self.connections.get((here, 0), ())
            if len(consumers) != 1:
                return Placement(USER, "no single element pulls from it")
            here = consumers[0][0]
            element = self.checked.instances[here]
            refusal = self.refuse_pull(here, element)
            if refusal:
                return Placement(USER, refusal + (f"; to another CPU: {hop}" if hop else ""))
            line.append(here)
            if element.sends_to() is not None:
                break
        after = Placement(self.options.hook, f"after {name}, whose place {element.sends_to()} takes")
        for passed in line:
            self.placements[passed] = IDLE if ELIDABLE in self.checked.instances[passed].traits else after
        return Placement(ELIDED, f"the transmit ring of {element.sends_to()} is the queue")

    def decide_hop(self, name: str) -> Hop | str | None:
        """The hop to another CPU that begins with a queue, or the reason why there is none; None without --spread."""
        if not self.options.spread or self.options.hook != XDP:
            return None
        hop = find_hop(self.checked, self.connections, name)
        if isinstance(hop, Hop) and (hop.puller in self.options.user or hop.puller in self.left):
            return f"{hop.puller} runs in user space"
        return hop if len(device_names(self.checked.instances.values())) <= MOST_DEVICES else "there are too many devices"

    def takes(self, element: Element) -> bool:
        """Whether the element can run at the hook, or only looks at packets, which the hook can copy for it."""
        return self.options.hook in element.runs or element.shown() is not None

    def refuse_pull(self, name: str, element: Element) -> str | None:
        if element.sends_to() is not None:
            return None
        if ONLY_DECIDES in element.traits:
            return f"{name} decides which packet is next (-O 3 avoids that where it can)"
        if ALWAYS_TAKES in element.traits:
            return f"{name} takes packets out of it again (-O 3 avoids that where it can)"
        idle = ELIDABLE in element.traits and not stores(element)
        if name in self.options.user or name in self.left or not (idle or self.takes(element)) or stores(element):
            return f"{name}, which pulls from it, runs in user space"
        if not idle and ("pull" in element.entries or not element.noutputs):
            return f"{name} decides when to pull"
        if element.ninputs > 1 or "pull" in self.checked.processing[name].outputs[1:]:
            return f"{name}, which pulls from it, has several ports"
        return None
