"""Finds the BPF file system, also for a process with a mount namespace of its own.

`ip netns exec` hides file systems below /sys from its command. If that command mounted another bpffs, its pins would vanish with it. So the
bpffs that an ancestor process sees is used, which is the machine's. A process that outlives its ancestors is given a descriptor of the
file system.

Only root may use the machine's bpffs. Other users have their own, which root has mounted for them (`clickbpf grant`).
"""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.kernel import users

MOUNT_POINT = Path("/sys/fs/bpf")
#: BPF_FS_MAGIC of <linux/magic.h>
MAGIC = 0xCAFE4A11

_libc = ctypes.CDLL(None, use_errno=True)
#: The path of the file system by this process's own descriptor, if it has one.
_held: Path | None = None


def root() -> Path:
    """The user's bpffs; if there is none, root mounts one. ClickError if that fails."""
    found = mounted()
    if found is None and users.has_own():
        raise ClickError(f"this user has no BPF file system at {users.bpffs()}", hint=users.cure())
    return found or mount(MOUNT_POINT)


def mounted() -> Path | None:
    """The path by which this process can reach the user's bpffs, directly or through an ancestor; None if it isn't mounted."""
    if _held is not None:
        return _held
    point = users.bpffs() if users.has_own() else MOUNT_POINT
    return next((path for view in _views() if is_bpffs(path := view / point.relative_to("/"))), None)


def opened() -> int:
    """A descriptor of root(), for another process to hold()."""
    return os.open(root(), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def hold(descriptor: int) -> Path:
    """Use the file system of this descriptor from now on, independently of ancestors. Returns its path."""
    global _held
    os.set_inheritable(descriptor, False)
    _held = Path(f"/proc/self/fd/{descriptor}")
    return _held


def _views() -> Iterator[Path]:
    """The file systems as this process and then its ancestors see them."""
    yield Path("/")
    pid = os.getppid()
    while pid > 0:
        yield Path(f"/proc/{pid}/root")
        pid = _parent(pid)


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


class _Statfs(ctypes.Structure):
    """struct statfs: only its first member is used."""

    _fields_ = [("type", ctypes.c_long), ("rest", ctypes.c_long * 31)]


def is_bpffs(path: Path) -> bool:
    status = _Statfs()
    return _libc.statfs(os.fsencode(path), ctypes.byref(status)) == 0 and status.type == MAGIC


def unmount() -> None:
    """Unmount the bpffs that root() has mounted, unless it is in use. Users other than root can't unmount theirs."""
    found = None if users.has_own() else mounted()
    if found is not None:
        view = Path("/", *found.parts[: -len(MOUNT_POINT.parts) + 1])
        subprocess.run(_in_view(view, "umount", str(MOUNT_POINT)), capture_output=True)


def _in_view(view: Path, *command: str) -> list[str]:
    """The command line that runs a command in the mount namespace of a view."""
    return list(command) if view == Path("/") else ["nsenter", f"--mount={view.parent / 'ns/mnt'}", *command]


def mount(point: Path) -> Path:
    """Mount a bpffs in the mount namespace of the most distant ancestor within reach, where it outlives this process. Returns its path for
    this process."""
    below = point.relative_to("/")
    *_, view = (view for view in _views() if os.access(view / below, os.W_OK))
    done = subprocess.run(_in_view(view, "mount", "-t", "bpf", "-o", "mode=0700", "bpf", str(point)), capture_output=True, text=True)
    if done.returncode:
        raise ClickError(
            f"the BPF file system can't be mounted at {point}: {done.stderr.strip()}", hint=f"mount -t bpf bpf {point}, as root"
        )
    if not is_bpffs(view / below):
        raise ClickError(f"the BPF file system is mounted at {point}, but can't be seen from here")
    return view / below
