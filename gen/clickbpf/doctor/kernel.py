"""The kernel's features, probed by using them: programs are loaded, maps are created, and all of them are closed at once."""

import ctypes
import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from clickbpf.doctor.finding import NOTE, PROBLEM, Finding
from clickbpf.frozen import frozen
from clickbpf.load.kernel import capabilities
from clickbpf.load.kernel.fds import BPF_F_MMAPABLE, BPF_MAP_TYPE_ARRAY, BPF_PROG_TYPE_SCHED_CLS, BPF_PROG_TYPE_XDP, Map, Program
from clickbpf.load.kernel.features import AF_XDP, takes_parts, xdp_features
from clickbpf.load.kernel.libbpf import BPF_TCX_INGRESS, BpfError, MapCreateOpts, check, lib

SUBJECT = "kernel"
#: Numbers of <linux/bpf.h> and <linux/socket.h>.
PROG_ARRAY, PERCPU_ARRAY, DEVMAP, XSKMAP = 3, 6, 14, 17
#: Interface indices: one that every network namespace has, and one that none has.
LOOPBACK, NO_DEVICE = 1, 0x7FFFFFFF
JIT = Path("/proc/sys/net/core/bpf_jit_enable")


@frozen
class Feature:
    """A feature that a kernel may lack; `probe` then raises an OSError or a BpfError. `lack` describes the consequences."""

    name: str
    probe: Callable[[], None]
    lack: str
    level: str = PROBLEM


def examine() -> Iterator[Finding]:
    """Findings on the version and the features. Without the rights to probe, there is one finding for all features."""
    yield Finding(SUBJECT, f"Linux {os.uname().release}")
    lacking = capabilities.lacking()
    if lacking:
        yield Finding(SUBJECT, f"features not probed: this process lacks {', '.join(lacking)}", PROBLEM, capabilities.CURE)
        return
    yield from map(_try, FEATURES)
    yield from _just_in_time()


def _try(feature: Feature) -> Finding:
    try:
        feature.probe()
    except (OSError, BpfError) as error:
        reason = errno.errorcode.get(error.errno, str(error.errno))
        return Finding(SUBJECT, f"no {feature.name} ({reason}): {feature.lack}", feature.level)
    return Finding(SUBJECT, feature.name)


def _program(kind: int) -> Callable[[], None]:
    return lambda: Program.passing(kind).close()


def _map(kind: int) -> Callable[[], None]:
    return lambda: Map.create(kind, "probe", 4, 4, 1).close()


def _mapped_array() -> None:
    options = MapCreateOpts(map_flags=BPF_F_MMAPABLE)
    made = check(lib.bpf_map_create(BPF_MAP_TYPE_ARRAY, b"probe", 4, 4, 1, ctypes.byref(options)), "making an array")
    with Map(made) as held:
        held.memory().close()


def _socket() -> None:
    with closing(socket.socket(AF_XDP, socket.SOCK_RAW, 0)):
        pass


def _parts() -> None:
    if not takes_parts():
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def _tcx() -> None:
    """Attach to a device that doesn't exist: a kernel without TCX refuses the attach type, another one the device."""
    with Program.passing(BPF_PROG_TYPE_SCHED_CLS) as program:
        result = lib.bpf_link_create(program.fd, NO_DEVICE, BPF_TCX_INGRESS, None)
    if result != -errno.ENODEV:
        check(min(result, -1), "attaching to TCX")


def _netdev() -> None:
    if xdp_features(LOOPBACK) is None:
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))


def _just_in_time() -> Iterator[Finding]:
    if JIT.exists() and JIT.read_text().strip() == "0":
        yield Finding(SUBJECT, "BPF programs are interpreted, many times slower", NOTE, "sysctl net.core.bpf_jit_enable=1")
    else:
        yield Finding(SUBJECT, "BPF programs compiled to machine code")


FEATURES = (
    Feature("XDP programs", _program(BPF_PROG_TYPE_XDP), "there is no kernel path; 'clickbpf run' works on files"),
    Feature("TC programs", _program(BPF_PROG_TYPE_SCHED_CLS), "ToHost doesn't work"),
    Feature("arrays shared with user space", _mapped_array, "clickbpf needs Linux 6.1"),
    Feature("arrays for each CPU", _map(PERCPU_ARRAY), "clickbpf needs Linux 6.1"),
    Feature("tail calls", _map(PROG_ARRAY), "routers must fit one program"),
    Feature("redirection to devices through a map", _map(DEVMAP), "packets can't be sent"),
    Feature("AF_XDP maps", _map(XSKMAP), "packets can't be handed over to user space: CONFIG_XDP_SOCKETS"),
    Feature("AF_XDP sockets", _socket, "packets can't be handed over to user space: CONFIG_XDP_SOCKETS"),
    Feature(
        "AF_XDP sockets for packets in several frames",
        _parts,
        "packets of more than a page are dropped where they would be handed over to user space (this came with Linux 6.6)",
        NOTE,
    ),
    Feature("TCX links", _tcx, "filters of a clsact qdisc take their place (TCX came with Linux 6.6)", NOTE),
    Feature("drivers' lists of XDP features", _netdev, "modes are found by trying (the lists came with Linux 6.3)", NOTE),
)
