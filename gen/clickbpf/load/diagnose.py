"""Failures of the kernel in a user's words: what was wrong and what to do."""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load import places
from clickbpf.load.devices import Device
from clickbpf.load.libbpf import BpfError
from clickbpf.load.links import Link, attached_xdp

#: errno of the kernel's own that userland has no name for.
ENOTSUPP = 524
#: What a driver says to a mode it does not have.
NO_SUCH_MODE = frozenset({errno.EOPNOTSUPP, ENOTSUPP})
#: Above this, native XDP needs frames in several buffers, which programs here do not take (4096 bytes a page, less
#: headroom, Ethernet header and the kernel's own data).
NATIVE_MTU = 3498

#: Capabilities by number, and what they are for.
NEEDED = {12: "CAP_NET_ADMIN", 13: "CAP_NET_RAW", 38: "CAP_PERFMON", 39: "CAP_BPF"}
CAP_SYS_ADMIN = 21


def check_privileges() -> None:
    """ClickError naming what this process lacks, before anything is tried."""
    effective = int(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff")).split()[1], 16)
    all_bpf = effective >> CAP_SYS_ADMIN & 1
    lacking = [name for bit, name in NEEDED.items() if not effective >> bit & 1 and not (all_bpf and bit > CAP_SYS_ADMIN)]
    if lacking:
        raise ClickError(f"loading needs privileges that this process lacks: {', '.join(lacking)}", hint="run it as root")


def owner(ifindex: int) -> str | None:
    """The loaded router whose program is on a device, if it is one of ours."""
    for name in places.loaded():
        for path in places.Pins.of(name).links():
            with suppress(BpfError), Link.pinned(path) as link:
                if link.info().ifindex == ifindex:
                    return name
    return None


def explain_attach(error: BpfError, device: Device, mode: str) -> ClickError:
    """Why a program can't be attached to a device."""
    if error.errno in (errno.EBUSY, errno.EEXIST):
        return _busy(device)
    if error.errno in NO_SUCH_MODE:
        return ClickError(f"the driver of {device} has no {mode} XDP", hint="--mode generic works with every driver")
    if error.errno in (errno.ERANGE, errno.EMSGSIZE, errno.EINVAL, errno.E2BIG) and device.mtu > NATIVE_MTU:
        return _mtu(device)
    if error.errno == errno.ERANGE:
        return ClickError(f"{device}: the other end's MTU is too big for {mode} XDP", hint=f"at most {NATIVE_MTU}, on both ends")
    if error.errno == errno.ENOSPC:
        return ClickError(
            f"{device} has fewer receive queues than its other end has transmit queues",
            hint=f"ethtool -L {device.name} rx N",
        )
    if error.errno in (errno.ENODEV, errno.ENXIO):
        return ClickError(f"{device} is gone")
    return explain(error, f"the program can't be attached to {device}")


def _busy(device: Device) -> ClickError:
    holder = owner(device.ifindex)
    if holder:
        return ClickError(f"{device} is used by the router {holder}", hint=f"clickbpf unload {holder}, or load with --replace under its name")
    program = attached_xdp(device.ifindex)
    return ClickError(
        f"{device} runs another XDP program already (id {program})",
        hint=f"'bpftool net' shows who; 'ip link set dev {device.name} xdp off' detaches what is no link",
    )


def _mtu(device: Device) -> ClickError:
    return ClickError(
        f"the MTU of {device}, {device.mtu}, is too big for native XDP, which keeps a frame in one page",
        hint=f"ip link set {device.name} mtu {NATIVE_MTU}, or --mode generic",
    )


#: errno -> cause, advice; for calls that have no better explanation.
CAUSES = {
    errno.EPERM: ("the kernel allows it only to privileged processes", "run as root, or with CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON and CAP_NET_RAW"),
    errno.EACCES: ("permission denied", "run as root"),
    errno.ENOMEM: ("the kernel has no memory for it", "free some, or make the configuration's tables smaller; a memory limit of the control group counts, too"),
    errno.ENOSPC: ("no space is left", "remove what is not needed from /sys/fs/bpf and /run"),
    errno.E2BIG: ("it is too large for this kernel", "make the configuration's tables smaller"),
    errno.EMFILE: ("too many files are open", "ulimit -n"),
    errno.ENFILE: ("too many files are open", None),
    errno.EROFS: ("the file system is read-only", None),
}


def explain(error: OSError | BpfError, what: str) -> ClickError:
    """`what` failed; why, by the kernel's error number."""
    cause, hint = CAUSES.get(error.errno, (None, None))
    detail = f"{what}: {cause} ({error})" if cause else f"{what}: {error}"
    told = [line.removeprefix("libbpf: ") for line in getattr(error, "log", "").splitlines()[-2:]]
    return ClickError("".join([detail.replace("error: ", ""), *(f"\n    {line}" for line in told)]), hint=hint)
