"""Gives frames of the runtime to Linux's stack: a program at a device's egress sends marked frames back in.

The runtime sends a frame by the device through an AF_PACKET socket with the SO_MARK MARK, not bypassing the qdisc; Linux then receives
the frame on that device. With SNIFFERS_MARK only packet sockets, such as tcpdump's, receive it: another program at ingress, which runs
after them, drops it.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace

from clickbpf.load.devices.devices import Device, by_index
from clickbpf.load.devices.links import TcFilter, attach_classifier, attach_tc
from clickbpf.load.devices.need import Asked, Attaching, Need, keep_link
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.objects import Object

#: SO_MARK of frames for Linux, and of frames for packet sockets only.
MARK, SNIFFERS_MARK = 0xC11C, 0xC11D
#: XDP mode, or "tc" -> the program for it.
PROGRAMS = {"native": "tohost", "generic": "tohost_match", "tc": "tohost_marked"}
#: The names under which links are pinned, by the direction of their TC hook.
HOOKS = {"egress": "tohost", "ingress": "sniffers"}


class ToLinux(Need):
    """Linux receives the packets of ToHost, and on devices that the router creates, those of ToHostSniffers (for its packet sockets)."""

    hooks = (HOOKS["egress"],)

    def attach(self, to: Attaching) -> list[TcFilter]:
        used = to.request.manifest.tohost_devices
        devices = [device for device in to.request.devices if device.configured in used]
        devices += [linux for made, linux in _sniffed(to.request) if made]
        return attach_tohost(_without(devices, to.given), to.mode, to.undo, to.keep)


class ToSniffers(Need):
    """Only packet sockets receive the packets of ToHostSniffers."""

    hooks = (HOOKS["ingress"],)

    def attach(self, to: Attaching) -> list[TcFilter]:
        """Have frames with SNIFFERS_MARK dropped after the packet sockets have seen them."""
        devices = _without((linux for _, linux in _sniffed(to.request)), to.given)
        with explained("packets can't be given to packet sockets"):
            return _attach(devices, "sniffers", "ingress", to.undo, to.keep)


def _sniffed(request: Asked) -> list[tuple[bool, Device]]:
    """The devices on which Linux receives packets of ToHostSniffers, and whether the router creates them."""
    made = {each.device for each in request.manifest.made}
    sniffed = request.manifest.sniffed_devices
    return [(device.configured in made, linux_end(device, made)) for device in request.devices if device.configured in sniffed]


def _without(devices: Iterable[Device], given: frozenset[int]) -> list[Device]:
    """Each device once, without those that have the program already. (An outbound device has the index of its device.)"""
    return [device for device in {device.ifindex: device for device in devices}.values() if device.ifindex not in given]


def attach_tohost(devices: Sequence[Device], mode: str, undo: ExitStack, keep: Pins | ExitStack) -> list[TcFilter]:
    """Attach the program for this mode to the devices. Returns the classifiers, which have to be removed one by one."""
    with explained("packets can't be given to Linux"):
        return _attach(devices, PROGRAMS[mode], "egress", undo, keep)


def _attach(devices: Sequence[Device], name: str, direction: str, undo: ExitStack, keep: Pins | ExitStack) -> list[TcFilter]:
    """Attach the program `name` to each device. Links go to `keep`; returns the classifiers."""
    filters: list[TcFilter] = []
    with _program(name) if devices else nullcontext() as program:
        for device in devices:
            if name == PROGRAMS["generic"]:
                made = attach_classifier(program, device.ifindex, direction, redirect_to=device.ifindex)
            else:
                made = attach_tc(program, device.ifindex, direction)
            if isinstance(made, TcFilter):
                undo.callback(made.detach)
                filters.append(made)
            else:
                keep_link(made, device, HOOKS[direction], keep)
    return filters


def linux_end(device: Device, made: Collection[str]) -> Device:
    """The device on which Linux receives: for a device that the router created, the other end."""
    if device.configured not in made or device.link is None:
        return device
    return replace(device, name=by_index(device.link), ifindex=device.link, link=None)


def _program(name: str) -> Program:
    from clickbpf.compile import helper_object  # `unload` needs no compiler

    with Object(helper_object("tohost").read_bytes(), "tohost") as opened:
        for each in opened.programs:
            opened.set_autoload(each, each == name)
        opened.set_variable("tohost_mark", MARK)
        opened.set_variable("sniffers_mark", SNIFFERS_MARK)
        opened.load()
        return opened.program(name)
