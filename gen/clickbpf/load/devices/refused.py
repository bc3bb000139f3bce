"""Counts packets that devices refuse: those that the router sends, and a driver doesn't take, are drops of the element that sends by the
device.

A program only learns that a redirect was queued. The kernel reports failures by tracepoints, and programs there (bpf/refused.bpf.c) add
them to the router's own counts. If several elements send by a device, they are counted for the first. A packet that doesn't fit into a
CPU's queue (spread.py) is a drop of the element that receives from the device.
"""

import struct
from collections.abc import Iterator, Sequence

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.links import TcFilter, attach_tracepoint
from clickbpf.load.devices.need import Asked, Attaching, Need, keep_link
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.objects import Object
from clickbpf.messages import show
from clickbpf.vocabulary.drops import REASONS

#: The programs' variables for drop reasons.
VARIABLES = {
    name: list(REASONS).index(reason) for name, reason in {"reason": "TRANSMIT", "full_reason": "FULL", "overrun_reason": "OVERRUN"}.items()
}
#: The program that counts packets that don't fit into CPUs' queues.
FULL_QUEUE = "full"


class Refusals(Need):
    """Packets that devices refuse are counted. This is about XDP frames, which native XDP sends, and the runtime's ring, which counts by
    itself: other drops are in the device's own counters."""

    hooks = ("refused", "failed", FULL_QUEUE)

    def attach(self, to: Attaching) -> Sequence[TcFilter]:
        """Attach the programs for as long as the router is loaded. The router works without them, so failures are warnings."""
        senders = dict(_senders(to.request))
        if to.mode == "native" and (senders or to.path.spreads):
            try:
                with explained("packets that devices refuse are not counted"):
                    _attach(to, senders)
            except ClickError as error:
                show([Diagnostic(each.place, each.message, each.hint, severity="warning") for each in error.diagnostics])
        return ()


def _queues(to: Attaching) -> Iterator[tuple[int, bytes]]:
    """The ids of the maps of CPUs' queues, each with the element that receives from the device, and whether the queues have handovers."""
    receivers = to.request.manifest.wired_to(sending=False)
    for device in to.request.devices:
        if device.name in to.path.spreads and device.configured in receivers:
            for handing, number in enumerate(to.path.spreads[device.name].queues()):
                yield number, struct.pack("=II", receivers[device.configured].index, handing)


def _senders(request: Asked) -> Iterator[tuple[Device, int]]:
    """Devices, and the numbers of the elements that send by them."""
    senders = request.manifest.wired_to(sending=True)
    return ((device, senders[device.configured].index) for device in request.devices if device.configured in senders)


def _attach(to: Attaching, senders: dict[Device, int]) -> None:
    from clickbpf.compile import helper_object  # `unload` needs no compiler

    drops = to.path.role("drops")
    queues = dict(_queues(to))
    entries = {
        "senders": {device.ifindex: element for device, element in senders.items()},
        "queues": queues,
        "own": {drops.info().id: b"\1"} | dict.fromkeys(queues, b"\1"),
    }
    with Object(helper_object("refused").read_bytes(), "refused") as helper:
        helper.reuse("drops", drops)
        for name, known in entries.items():
            helper.set_max_entries(name, max(1, len(known)))
        for name, value in {"slots": to.path.slots, **VARIABLES}.items():
            helper.set_variable(name, value)
        helper.load()
        for name, known in entries.items():
            with helper.map(name) as filled:
                for key, value in known.items():
                    filled.update(key, value)
        first = next(iter([*senders, *to.request.devices]))
        for hook in (each for each in Refusals.hooks if queues or each != FULL_QUEUE):
            with helper.program(hook) as program:
                keep_link(attach_tracepoint(program), first, hook, to.keep)
