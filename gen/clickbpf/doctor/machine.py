"""The machine apart from kernel features: file systems, limits, compilers, and Linux's own forwarding, which may interfere."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

from clickbpf.build.bpf import find_clang
from clickbpf.doctor.finding import NOTE, PROBLEM, Finding
from clickbpf.errors import ClickError
from clickbpf.load.kernel import bpffs, capabilities, users

SUBJECT = "machine"
#: Descriptors that a router with a hundred elements may need, for maps, programs, sockets and pins.
FILES = 1024
#: Bytes of one queue's AF_XDP frames (FRAMES of userspace/xsk.h), which count as locked memory.
FRAMES = 12 << 20
NET = Path("/proc/sys/net")


def examine() -> Iterator[Finding]:
    yield from _compiler()
    yield from _file_system()
    yield from _limits()
    yield from _forwarding()


def _compiler() -> Iterator[Finding]:
    try:
        yield Finding(SUBJECT, find_clang()[1].splitlines()[0])
    except ClickError as error:
        (found,) = error.diagnostics
        yield Finding(SUBJECT, f"{found.message}; objects that carry their runtime can be loaded", NOTE, found.hint)


def _file_system() -> Iterator[Finding]:
    found = bpffs.mounted()
    if os.geteuid() and not (found and users.has_own()):
        what = f"this user has no folder and BPF file system below {users.home(os.geteuid())}"
        yield Finding(SUBJECT, what, PROBLEM, users.cure())
    elif found:
        yield Finding(SUBJECT, f"BPF file system at {found}")
    else:
        cure = f"mount -t bpf bpf {bpffs.MOUNT_POINT}; 'clickbpf load' does so as well"
        yield Finding(SUBJECT, "no BPF file system is mounted", NOTE, cure)


def _limits() -> Iterator[Finding]:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FILES:
        yield Finding(SUBJECT, f"a process may have {soft} files open; a large router needs more", NOTE, f"ulimit -n {FILES}")
    locked, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if locked != resource.RLIM_INFINITY and locked < FRAMES and not capabilities.has(capabilities.CAP_IPC_LOCK):
        what = f"a process may lock {locked >> 10} KiB of memory, and AF_XDP locks {FRAMES >> 10} KiB for each queue"
        yield Finding(SUBJECT, what, PROBLEM, "ulimit -l unlimited (systemd: LimitMEMLOCK=infinity), or CAP_IPC_LOCK")


def _forwarding() -> Iterator[Finding]:
    for family, name in (("ipv4", "net.ipv4.ip_forward"), ("ipv6", "net.ipv6.conf.all.forwarding")):
        path = NET.joinpath(*name.split(".")[1:])
        if path.exists() and path.read_text().strip() == "1":
            what = f"Linux forwards {'IPv4' if family == 'ipv4' else 'IPv6'} itself: packets given to ToHost may be forwarded again"
            yield Finding(SUBJECT, what, NOTE, f"sysctl {name}=0, where the router is to forward alone")
