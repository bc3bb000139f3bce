"""Programs for copies that are changed on their way out (bpf/late.h): at the egress of devices, beside those of other routers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import ExitStack

from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.links import attach_tcx
from clickbpf.load.devices.tohost import keep_link
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel.causes import explained
from clickbpf.load.path.kernelpath import KernelPath

HOOK = "late"


def attach_late(path: KernelPath, devices: Sequence[Device], keep: Pins | ExitStack) -> None:
    """Attach the programs by links, which are kept; from then on copies are changed there. Where there are no such links, before Linux
    6.6, the runtime makes the copies."""
    programs = {entry.late: path.programs[entry.name] for entry in path.manifest.programs if entry.late is not None}
    with explained("programs can't be attached to the way out of devices"):
        for device in devices:
            if device.configured in programs:
                link = attach_tcx(programs[device.configured], device.ifindex, "egress")
                if link is None:
                    return
                keep_link(link, device, HOOK, keep)
        if programs:
            path.role("late").update(struct.pack("=I", 0), struct.pack("=I", 1))
