"""Programs on their devices: attached together, in one mode, and taken off again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress

from clickbpf.load.causes import explained
from clickbpf.load.devices import Device
from clickbpf.load.diagnose import NO_SUCH_MODE, explain_attach
from clickbpf.load.fds import Program
from clickbpf.load.kernel import KernelPath
from clickbpf.load.libbpf import BpfError
from clickbpf.load.links import Link, attach_xdp
from clickbpf.load.places import Pins

#: What each choice of the user means, best first.
MODES = {"native": ("native",), "generic": ("generic",), "auto": ("native", "generic")}


def entries(path: KernelPath, devices: Sequence[Device]) -> list[tuple[Device, Program]]:
    """The devices that packets enter by, each with its program."""
    programs = {entry.device: path.programs[entry.name] for entry in path.manifest.programs if entry.device is not None}
    return [(device, programs[device.configured]) for device in devices if device.configured in programs]


def attach_all(
    pairs: Sequence[tuple[Device, Program]],
    mode: str,
    undo: ExitStack,
    pins: Pins | None,
    say: Callable[[str], None],
    links: dict[str, Link] | None = None,
) -> str:
    """Attach every program to its device, all in the same mode, because redirects between modes lose packets.

    The links are pinned, or without `pins` held open until `undo` is closed, and put into `links` by their devices' names.
    The mode that was taken is the result.
    """
    first, *others = MODES[mode]
    for taken in (first, *others):
        try:
            with ExitStack() as attempt:
                made = [(device, attempt.enter_context(_attach(device, program, taken))) for device, program in pairs]
                if links is not None:
                    links.update({device.name: link for device, link in made})
                if pins is None:
                    undo.enter_context(attempt.pop_all())
                else:
                    pin_all(made, pins)
                return taken
        except NoSuchMode as error:
            if taken == MODES[mode][-1]:
                raise explain_attach(error.cause, error.device, taken) from None
            say(f"the driver of {error.device} has no native XDP: generic mode on all devices, which is slower")
    raise AssertionError("the last mode either attaches or fails")


class NoSuchMode(Exception):
    """A device whose driver lacks the mode that was tried."""

    def __init__(self, device: Device, cause: BpfError):
        super().__init__(device)
        self.device, self.cause = device, cause


def _attach(device: Device, program: Program, mode: str) -> Link:
    try:
        return attach_xdp(program, device.ifindex, mode)
    except BpfError as error:
        if error.errno in NO_SUCH_MODE:
            raise NoSuchMode(device, error) from None
        raise explain_attach(error, device, mode) from None


def pin_all(links: Sequence[tuple[Device, Link]], pins: Pins) -> None:
    """Pin links, so that they stay when their descriptors are closed."""
    with explained("an attachment can't be pinned"):
        for device, link in links:
            path = pins.link(device.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            link.pin(path)


def detach_all(pins: Pins) -> None:
    """Take the programs off their devices now: removing the last pin alone would do it some time later."""
    for path in pins.links():
        with suppress(BpfError), Link.pinned(path) as link:
            link.detach()


def links_of(pins: Pins, devices: Sequence[Device], opened: ExitStack) -> dict[str, Link]:
    """The attachments of these devices that are pinned, by the devices' names. A pin may be of another device of that name, gone."""
    links = {}
    for device in devices:
        if pins.link(device.name).exists():
            with explained(f"the attachment of {device} can't be read"):
                link = opened.enter_context(Link.pinned(pins.link(device.name)))
                if link.info().ifindex == device.ifindex:
                    links[device.name] = link
    return links
