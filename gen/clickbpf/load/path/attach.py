"""Attaches programs to devices, all in the same mode, and detaches them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.attachments import pinned
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.diagnose import NO_SUCH_MODE, explain_attach
from clickbpf.load.devices.links import Link, TcFilter, attach_tc, attach_xdp
from clickbpf.load.devices.member import Member, attach_member
from clickbpf.load.devices.record import Done
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import BPF_PROG_TYPE_SCHED_CLS, BPF_PROG_TYPE_XDP, Program
from clickbpf.load.kernel.features import takes_no_frames
from clickbpf.load.kernel.libbpf import BPF_XDP_CPUMAP, BpfError
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET

#: The modes to try for each choice of the user, best first.
MODES = {"native": ("native",), "generic": ("generic",), "auto": ("native", "generic"), TC: (TC,)}

#: The kinds of attachment. All but TC classifiers can be pinned.
Attachment = Link | Member | Spread | TcFilter


def entries(path: KernelPath, devices: Sequence[Device]) -> list[tuple[Device, Program]]:
    """The devices on which packets enter the kernel path, each with its program."""
    programs = {entry.device: path.programs[entry.name] for entry in path.manifest.programs if entry.device is not None}
    return [(device, programs[device.configured]) for device in devices if device.configured in programs]


def idle(path: KernelPath, program: Program) -> Program:
    """A program that lets all packets pass, as if there were no router: it replaces a router's program while the router isn't complete."""
    if program.info().type != BPF_PROG_TYPE_XDP:
        return Program.passing(BPF_PROG_TYPE_SCHED_CLS)
    frags = path.manifest.frags or path.manifest.hook == TC  # of the inlet
    return Program.passing(BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP if path.spreads else 0, frags)


@contextmanager
def idle_all(path: KernelPath, pairs: Sequence[tuple[Device, Program]]) -> Iterator[list[tuple[Device, Program]]]:
    """The devices with such programs instead of their own."""
    with ExitStack() as opened:
        yield [(device, opened.enter_context(idle(path, program))) for device, program in pairs]


def attach_all(
    pairs: Sequence[tuple[Device, Program]],
    mode: str,
    undo: ExitStack,
    pins: Pins | None,
    say: Callable[[str], None],
    links: dict[str, Attachment] | None = None,
    priority: int | None = None,
    spreads: Mapping[str, Spread] = MappingProxyType({}),
) -> Done:
    """Attach every program to its device, all in the same mode, because redirects between modes lose packets. With a priority, which needs
    `pins`, the programs join others on the devices (member.py). Devices in `spreads` are spread over CPUs.

    Links are pinned, or without `pins` held open until `undo` is closed. `links` gets them by device name.
    """
    *_, last = MODES[mode]
    for taken in MODES[mode]:
        try:
            with ExitStack() as attempt:
                join = None if priority is None else (priority, pins)
                made = [(device, _attach(device, program, taken, attempt, join, spreads)) for device, program in pairs]
                if taken == "native" and (refusing := _refusing([device for device, _ in pairs])):
                    if taken != last:
                        raise NoSuchMode(refusing)
                    say(f"{refusing} takes no frames from native XDP")
                if links is not None:
                    links.update({device.name: link for device, link in made})
                return Done(taken, filters=_keep(made, attempt, undo, pins))
        except NoSuchMode as error:
            if error.cause and taken == last:
                raise explain_attach(error.cause, error.device, taken) from None
            lack = "has no native XDP" if error.cause else "takes no frames from native XDP"
            say(f"the driver of {error.device} {lack}: generic mode on all devices, which is slower; --hook tc may be faster")
    raise AssertionError("the last mode either attaches or fails")


def _keep(made: Sequence[tuple[Device, Attachment]], attempt: ExitStack, undo: ExitStack, pins: Pins | None) -> tuple[TcFilter, ...]:
    """Keep what an attempt has attached: links are pinned, or without `pins` stay open until `undo` is closed. Returns the classifiers."""
    filters = tuple(each for _, each in made if isinstance(each, TcFilter))
    if pins is None:
        undo.enter_context(attempt.pop_all())
        return filters
    pin_all([(device, link) for device, link in made if isinstance(link, Link | Spread)], pins)
    for each in filters:
        undo.callback(each.detach)
    attempt.pop_all()
    for _, link in made:
        if not isinstance(link, TcFilter):
            link.close()
    return filters


class NoSuchMode(Exception):
    """A device's driver lacks the mode that was tried, or, without a cause, doesn't transmit what others redirect to it in that mode."""

    def __init__(self, device: Device, cause: BpfError | None = None):
        super().__init__(device)
        self.device, self.cause = device, cause


def _refusing(devices: Iterable[Device]) -> Device | None:
    """The first device that takes no frames from native XDP although it has a program now."""
    return next((device for device in devices if device.kind != "veth" and takes_no_frames(device.ifindex)), None)


def _attach(
    device: Device, program: Program, mode: str, attempt: ExitStack, join: tuple[int, Pins] | None, spreads: Mapping[str, Spread]
) -> Attachment:
    """Attach one program until `attempt` is closed; with `join`, a priority and pins, beside other programs. The inlet, a device of the
    router's own, is always on XDP."""
    try:
        if mode == TC and device.configured != INLET:
            made = attach_tc(program, device.ifindex, device.direction)
            if isinstance(made, TcFilter):
                made.path = True
                attempt.callback(made.detach)
                return made
            return attempt.enter_context(made)
        if join is not None:
            made = attempt.enter_context(attach_member(program, device.ifindex, mode, join[0], join[1].link(device.name)))
            attempt.callback(_take_away, made, join[1].link(device.name))
            return made
        if device.name in spreads:
            spread = attempt.enter_context(spreads[device.name].again())
            spread.attach(program, device.ifindex)
            return spread
        return attempt.enter_context(attach_xdp(program, device.ifindex, "native" if mode == TC else mode))
    except BpfError as error:
        if error.errno in NO_SUCH_MODE:
            raise NoSuchMode(device, error) from None
        raise explain_attach(error, device, mode, join is not None) from None


def _take_away(member: Member, pin: Path) -> None:
    member.detach()
    pin.unlink()


def pin_all(links: Sequence[tuple[Device, Link | Spread]], pins: Pins) -> None:
    """Pin links so that they outlive their descriptors."""
    with explained("an attachment can't be pinned"):
        for device, link in links:
            path = pins.link(device.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            link.pin(path)


def detach_all(pins: Pins) -> None:
    """Detach the programs at once: removing the last pin does so only after a while. ClickError with all that can't be detached."""
    failures: list[Diagnostic] = []
    for path in pins.links():
        try:
            with explained(f"the program on {places.decode(path.name)} can't be detached"), pinned(path) as held:
                held.detach()
        except ClickError as error:
            failures += error.diagnostics
    if failures:
        raise ClickError(failures)


def links_of(pins: Pins, filters: Iterable[TcFilter], devices: Sequence[Device], opened: ExitStack) -> dict[str, Attachment]:
    """The attachments of these devices, by device name: pinned ones, and those among `filters`. Pins of an earlier device of the same name
    don't count."""
    own = {each.entrance: each for each in filters}
    links: dict[str, Attachment] = {device.name: own[device.entrance] for device in devices if device.entrance in own}
    for device in devices:
        if pins.link(device.name).exists():
            with explained(f"the attachment of {device} can't be read"):
                link = opened.enter_context(pinned(pins.link(device.name)))
                if link.info().ifindex == device.ifindex:
                    links[device.name] = link
    return links


def all_links_of(
    path: KernelPath, pins: Pins, filters: Iterable[TcFilter], devices: Sequence[Device], opened: ExitStack
) -> dict[str, Attachment]:
    """The attachments of all devices of an attached router. ClickError if one has none: it would keep the old programs, whose handovers
    nobody would receive any more. (A device that is gone still has its pin.)"""
    links = links_of(pins, filters, devices, opened)
    for device, _ in entries(path, devices):
        if device.name not in links and not pins.link(device.name).exists():
            raise ClickError(f"the router's attachment to {device} isn't there", hint="try again once it is loaded, or load it anew")
    return links
