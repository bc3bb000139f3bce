"""Explains why a router can't be attached: privileges, drivers, devices in use."""

import errno
from collections.abc import Iterator
from contextlib import suppress

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.devices.attachments import pinned
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.frags import WHOLE_MTU, cure
from clickbpf.load.devices.links import attached_tcx, attached_xdp
from clickbpf.load.devices.member import Member, check_can_join
from clickbpf.load.devices.need import Asked, Need, entered
from clickbpf.load.devices.record import loaded_here
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import Process
from clickbpf.load.kernel import capabilities
from clickbpf.load.kernel.causes import explain
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.kernel.libxdp import shared
from clickbpf.objects.hooks import TC

#: An errno that exists only within the kernel.
ENOTSUPP = 524
#: Error numbers of drivers for a mode that they don't have.
NO_SUCH_MODE = frozenset({errno.EOPNOTSUPP, ENOTSUPP})
#: The file that libxdp makes dispatchers from.
DISPATCHER = "xdp-dispatcher.o"


def check_privileges(what: str = "loading") -> None:
    """ClickError with the privileges that this process lacks for `what`, before anything is tried."""
    lacking = capabilities.lacking()
    if lacking:
        raise ClickError(f"{what} needs privileges that this process lacks: {', '.join(lacking)}", hint=capabilities.CURE)


def owner(program: int) -> str | None:
    """The loaded router that has attached the program with this id, or None."""
    for name in places.loaded():
        for path in places.Pins.of(name).entrances():
            with suppress(BpfError), pinned(path) as link:
                if program in (link.info().prog_id, isinstance(link, Spread) and link.at_device()):
                    return name
    return None


def on_xdp(ifindex: int) -> tuple[int, str | None]:
    """The id of the program on a device's XDP hook, 0 if there is none; and the loaded router whose program it is, or that is a member of
    this dispatcher."""
    program = attached_xdp(ifindex)
    return program, (owner(program) or _member(ifindex)) if program else None


def _member(ifindex: int) -> str | None:
    """The loaded router that is a member of the dispatcher on a device of this namespace."""
    for name, _ in loaded_here():
        for path in places.Pins.of(name).links():
            with suppress(BpfError), pinned(path) as link:
                if isinstance(link, Member) and link.ifindex == ifindex:
                    return name
    return None


class FreeHooks(Need):
    """The hooks for the programs are free, except those on devices that the replaced router has `taken`."""

    def check(self, request: Asked) -> None:
        """ClickError for devices whose XDP hook is in use, or with --multi can't be shared, and for those with another router on TC."""
        if beside := request.priority is not None:
            check_can_join()
        busy = _busy_tc if request.manifest.hook == TC else _not_shared if beside else _busy
        found = [error for device in entered(request) if device.name not in request.taken for error in busy(device)]
        if found:
            raise ClickError(found)

    def lacking(self, request: Asked) -> Iterator[str]:
        """Routers on the other hook, of which the one on XDP comes first."""
        for device in entered(request):
            if request.manifest.hook == TC:
                holders = {on_xdp(device.ifindex)[1]}
                text = "{0}: the router {1}, on XDP, comes first, and leaves to this one only what it leaves to Linux"
            else:
                holders = _on_tc(device)
                text = "{0}: the router {1}, on TC, gets only what this one leaves to Linux"
            yield from (text.format(device, holder) for holder in sorted(holders - {None, request.name}))


def explain_attach(error: BpfError, device: Device, mode: str, beside: bool = False) -> ClickError:
    """The error that explains why a program can't be attached to a device, alone or `beside` others."""
    if beside and error.errno == errno.EBUSY and shared(device.ifindex):  # libxdp tries several times
        other = "generic" if mode == "native" else "native"
        hint = f"--mode {other}, if 'xdp-loader status' shows that mode; otherwise try again"
        return ClickError(f"the other XDP programs on {device} aren't in {mode} mode, or are being changed", hint=hint)
    if beside and error.errno == errno.ENOENT and DISPATCHER in error.log:
        hint = "reinstall libxdp (Debian: libxdp1), or have LIBXDP_OBJECT_PATH name the file's folder; or load without --multi"
        return ClickError(f"libxdp can't find its dispatcher, {DISPATCHER}", hint=hint)
    if error.errno in (errno.EBUSY, errno.EEXIST) and (holders := list(_busy(device))):
        return ClickError(holders)
    if error.errno in NO_SUCH_MODE:
        return ClickError(f"the driver of {device} has no {mode} XDP", hint="--mode generic works with every driver, and so does --hook tc")
    if error.errno in (errno.ERANGE, errno.EMSGSIZE, errno.EINVAL, errno.E2BIG) and device.mtu > WHOLE_MTU:
        return _mtu(device)
    if error.errno == errno.ERANGE:
        return ClickError(f"{device}: the other end's MTU is too big for programs without --frags", hint=cure(device.name))
    if error.errno == errno.ENOSPC:
        return ClickError(
            f"{device} has fewer receive queues than its other end has transmit queues",
            hint=f"ethtool -L {device.name} rx N",
        )
    if error.errno in (errno.ENODEV, errno.ENXIO):
        return ClickError(f"{device} is gone")
    return explain(error, f"the program can't be attached to {device}")


class Used(ClickError):
    """Another router has what this one needs."""


def explain_socket(error: ClickError, device: Device) -> ClickError:
    """Why an AF_XDP socket can't be opened on a device, whose queues take one each, whatever hook their packets come from. `Used` if
    another router has them."""
    cause = error.__cause__
    holder = _served_by(device) if isinstance(cause, OSError) and cause.errno == errno.EBUSY else None
    return Used([_used_by(device, holder)]) if holder else error


def _served_by(device: Device) -> str | None:
    """The loaded router, other than this process's own, whose runtime uses a device of this namespace."""
    for name, record in loaded_here():
        process = Process.in_file(RunFolder.of(name).pid) if device.name in record.devices.values() else None
        if process and process.runs() and process != Process.here():
            return name
    return None


def _not_shared(device: Device) -> Iterator[Diagnostic]:
    """The error for a device on which another router runs, or a program that libxdp's dispatcher doesn't call."""
    program, holder = on_xdp(device.ifindex)
    if holder:
        yield _used_by(device, holder)
    elif program and not shared(device.ifindex):
        hint = "to share the hook, the other program has to be attached by libxdp, for example by xdp-loader load"
        yield Diagnostic(None, f"{device} runs another XDP program already (id {program}), which isn't called by libxdp's dispatcher", hint)


def _busy(device: Device) -> Iterator[Diagnostic]:
    """The error for a device whose XDP hook is in use."""
    program, holder = on_xdp(device.ifindex)
    if holder:
        yield _used_by(device, holder)
    elif program and shared(device.ifindex):
        hint = "--multi loads the router beside them; 'xdp-loader status' shows them"
        yield Diagnostic(None, f"{device} runs other XDP programs already (id {program})", hint)
    elif program:
        yield Diagnostic(
            None,
            f"{device} runs another XDP program already (id {program})",
            f"'bpftool net' shows which; 'ip link set dev {device.name} xdp off' detaches it unless it is attached by a link",
        )


def _busy_tc(device: Device) -> Iterator[Diagnostic]:
    """Errors for routers on the device's TC hook. Other programs don't matter."""
    yield from (_used_by(device, holder) for holder in _on_tc(device) - {None})


def _on_tc(device: Device) -> set[str | None]:
    """The routers on the device's TC hook, and None for other programs."""
    return {owner(program) for program in attached_tcx(device.ifindex, device.direction)} | _with_filters(device)


def _used_by(device: Device, holder: str) -> Diagnostic:
    hint = f"clickbpf unload {holder}, or load with --replace under its name"
    return Diagnostic(None, f"{device} is used by the router {holder}", hint)


def _with_filters(device: Device) -> set[str]:
    """Loaded routers with a classifier on the device."""
    return {name for name, record in loaded_here() if any(each.entrance == device.entrance for each in record.filters)}


def _mtu(device: Device) -> ClickError:
    return ClickError(
        f"the MTU of {device}, {device.mtu}, is too big for native XDP by programs without --frags, which take a frame in one page",
        hint=cure(device.name),
    )
