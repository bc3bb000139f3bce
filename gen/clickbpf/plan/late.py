"""Copies that are changed after they have been made: on their way out of TC, by a program at the egress of the device.

A clone that is sent by a device meets that program before anything else, while the router's own program waits for it. The elements from
the output on run there. They don't jump to other programs, nor give packets to Linux. Elements that look at packets for the runtime are
none of them, since what they see would be reported late.

XDP can run a program for each entry of a map of devices, too (BPF_XDP_DEVMAP). But where such a program drops the last frames of a
driver's poll, those before them that were sent in groups of 16 wait in the device until it sends something else: bq_xmit_all() of
kernel/bpf/devmap.c then returns without XDP_XMIT_FLUSH (seen with veth on Linux 6.18).
"""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.graph.check import CheckedRouter
from clickbpf.objects.hooks import TC
from clickbpf.plan.values import ELIDED, Options, Placement, connections


class Refused(Exception):
    """Why the kernel can't make an element's copies."""


class LateBranches:
    """The elements that packets meet from an output on, as parts of a program on a device's way out."""

    def __init__(self, checked: CheckedRouter, placements: Mapping[str, Placement], options: Options):
        self.checked, self.placements, self.options = checked, placements, options
        self.connections = connections(checked)
        self.possible = options.hook == TC and not options.chain

    def device(self, name: str, port: int) -> str | None:
        """The device by which packets from this output may leave, if there is exactly one, and if its program can do all that
        they meet."""
        found: set[str] = set()
        try:
            size = self._follow(name, port, found, ())
        except Refused:
            return None
        return found.pop() if self.possible and len(found) == 1 and size <= self.options.program_limit else None

    def _follow(self, name: str, port: int, found: set[str], path: tuple[str, ...]) -> int:
        """The estimated instructions from an output on, everything inlined; the devices are added to `found`."""
        return sum(self._meet(target, found, path) for target, _ in self.connections.get((name, port), ()))

    def _meet(self, name: str, found: set[str], path: tuple[str, ...]) -> int:
        element = self.checked.instances[name]
        if name in path or not self._runs(name):
            raise Refused(f"{name} can't run on the way out")
        if (device := element.sends_to()) is not None:
            found.add(device)
        inside = (*path, name)
        size = element.weight + sum(self._follow(name, output, found, inside) for output in range(element.noutputs))
        if size > self.options.program_limit:
            raise Refused("its program would be too large")
        return size

    def _runs(self, name: str) -> bool:
        element, where = self.checked.instances[name], self.placements[name].where
        if where == ELIDED:
            return True
        to_host = element.gives_to_host or element.gives_to_sniffers or element.host_device() is not None
        runs = where == self.options.hook and self.options.hook in element.runs and not element.delays
        return runs and not element.copies() and not to_host
