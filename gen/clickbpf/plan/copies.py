"""Copies: packets that the kernel path sends by several devices at once, with one redirect.

A redirect sends the same bytes by all of its devices. So the kernel can make copies where each, until it leaves by a device or is
dropped, only meets classes that don't change it (traits PASSES and CHOOSES). All of these run on the packet one after another, and so
choose the devices; then the redirect is made. Where a class chooses among its outputs, several sets of devices are possible.

If all copies but one are dropped, that one may meet any class: once the others' elements have run, the packet itself goes on.
On TC the others may leave by devices as well, because the packet can be cloned, and the clone sent, before the packet is changed.
"""

from collections.abc import Mapping
from itertools import product

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.watching import stores
from clickbpf.objects.hooks import TC
from clickbpf.plan.values import ELIDED, Copies, Options, Placement, connections
from clickbpf.vocabulary.traits import CHOOSES, LOOKS

#: The most sets of devices of a router: on XDP each has a map, and a program can use few.
MOST_SETS = 24
#: The most devices of a router that makes copies: a set is a 64-bit word, whose bit 63 is COPIES_GIVEN_UP.
MOST_DEVICES = 62

Input = tuple[str, int]


class Refused(Exception):
    """Why the kernel can't make an element's copies."""


def find_copies(
    checked: CheckedRouter, placements: Mapping[str, Placement], options: Options, devices: int
) -> tuple[dict[str, tuple[Copies, ...]], dict[str, str]]:
    """The elements whose copies the kernel can make, with the copies; and the others that make copies, with the reason why it can't."""
    walk, found, refused = _Branches(checked, placements, options), {}, {}
    sets: set[tuple[str, ...]] = set()
    for name, element in checked.instances.items():
        if not element.copies() or placements[name].where != options.hook:
            continue
        try:
            made = tuple(walk.copies(name, tuple(outputs)) for outputs in element.copies())
            more = sets | {leaving for copies in made for leaving in copies.leaving if len(leaving) > 1}
            if len(more) > MOST_SETS or (more and devices > MOST_DEVICES):
                raise Refused("there are too many sets of devices by which copies leave")
        except Refused as refusal:
            refused[name] = str(refusal)
        else:
            found[name], sets = made, more
    return found, refused


class _Branches:
    def __init__(self, checked: CheckedRouter, placements: Mapping[str, Placement], options: Options):
        self.checked, self.placements, self.hook = checked, placements, options.hook
        self.connections = connections(checked)

    def copies(self, name: str, outputs: tuple[int, ...]) -> Copies:
        """The copies for these outputs. A packet for one output isn't copied: it goes on like any other."""
        members: dict[Input, None] = {}
        if len(outputs) < 2:
            return Copies(outputs)
        ends, refused = {}, {}
        for port in outputs:
            met: dict[Input, None] = {}
            try:
                ends[port] = self.follow(name, port, met, ())
                members |= met
            except Refused as refusal:
                refused[port] = refusal
        goes_on = self.going_on(name, outputs, ends, refused) if refused else None
        leaving = set()
        for chosen in product(*ends.values()):
            together = [device for device in chosen if device is not None]
            if twice := {device for device in together if together.count(device) > 1}:
                raise Refused(f"two of its copies leave by {min(twice)}")
            leaving.add(tuple(sorted(together)))
            if len(leaving) > MOST_SETS:
                raise Refused("there are too many sets of devices by which copies leave")
        return Copies(outputs, tuple(members), tuple(sorted(leaving)), goes_on)

    def going_on(
        self, name: str, outputs: tuple[int, ...], ends: Mapping[int, frozenset[str | None]], refused: Mapping[int, Refused]
    ) -> int:
        """The one output whose copy can't be made, where the packet itself goes on after the copies for the others. Refused if more than
        one can't, or if the others would then see packets in another order."""
        goes_on, why = next(iter(refused.items()))
        sent = frozenset().union(*ends.values()) - {None}
        if len(refused) > 1 or (sent and self.hook != TC):
            raise why
        after = outputs[outputs.index(goes_on) + 1 :]
        early, later = self.looker(name, goes_on), [self.looker(name, port) for port in after]
        if early and any(later):
            raise Refused(f"{early} looks at its copy before {next(filter(None, later))}")
        if overtaken := self.devices(name, goes_on) & frozenset().union(*(ends[port] for port in after)):
            raise Refused(f"its copies may leave by {min(overtaken)} one after another")
        return goes_on

    def devices(self, name: str, port: int) -> frozenset[str]:
        """The devices by which packets from an output may leave."""
        return frozenset(filter(None, (self.checked.instances[here].sends_to() for here in self.reached(name, port, queues=True))))

    def looker(self, name: str, port: int) -> str | None:
        """An element after an output, before any queue, whose packets the runtime looks at, if there is one: it reports them in the order
        of the copies."""
        return next((here for here in self.reached(name, port, queues=False) if self.checked.instances[here].shown() is not None), None)

    def reached(self, name: str, port: int, queues: bool) -> list[str]:
        """The elements that packets from an output may meet: with `queues` all, otherwise up to the first queues."""
        seen: dict[str, None] = {}
        pending = [target for target, _ in self.connections.get((name, port), ())]
        while pending:
            here = pending.pop()
            if here in seen:
                continue
            seen[here] = None
            if queues or not stores(self.checked.instances[here]):
                outputs = range(self.checked.instances[here].noutputs)
                pending += [target for output in outputs for target, _ in self.connections.get((here, output), ())]
        return list(seen)

    def follow(self, name: str, port: int, members: dict[Input, None], path: tuple[str, ...]) -> frozenset[str | None]:
        """The devices by which copies from an output may leave the router; None among them if one may be dropped. Adds to `members`."""
        found: frozenset[str | None] = frozenset()
        for target, number in self.connections.get((name, port), ()):
            found |= self.meet(target, number, members, path)
        return found or frozenset({None})

    def meet(self, name: str, number: int, members: dict[Input, None], path: tuple[str, ...]) -> frozenset[str | None]:
        element, where = self.checked.instances[name], self.placements[name].where
        if where not in (self.hook, ELIDED):
            raise Refused(f"{name} runs in user space")
        if name in path:
            raise Refused(f"{name} is part of a loop")
        if where != ELIDED and not element.traits & LOOKS:
            raise Refused(f"{name} does more than look at its copy")
        members[name, number] = None
        device = element.sends_to()
        if device is not None:
            return frozenset({device})
        chooses = where != ELIDED and CHOOSES in element.traits
        ports = range(element.noutputs if chooses else min(1, element.noutputs))
        ends = [self.follow(name, port, members, (*path, name)) for port in ports]
        return frozenset().union(*ends, {None} if chooses or not ends else ())
