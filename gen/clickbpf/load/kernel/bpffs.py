"""The BPF file system: where it is mounted, also for a process that sees another /sys than the machine.

`ip netns exec` hides what is mounted below /sys from the command it runs. Pins made in a file system of that command's
own would be gone with it, so the file system of an ancestor process is used, which sees the machine's.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError

MOUNT_POINT = Path("/sys/fs/bpf")
#: BPF_FS_MAGIC of <linux/magic.h>
MAGIC = 0xCAFE4A11

_libc = ctypes.CDLL(None, use_errno=True)


def root() -> Path:
    """The mounted bpffs; mounts one if there is none. ClickError if that is refused."""
    found = mounted()
    if found is None:
        found = _mount()
    return found


def mounted() -> Path | None:
    """The bpffs that is mounted where this process or an ancestor sees it, or None."""
    return next((path for view in _views() if _is_bpffs(path := view / MOUNT_POINT.relative_to("/"))), None)


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
    """struct statfs: only its first member matters, the rest is room."""

    _fields_ = [("type", ctypes.c_long), ("rest", ctypes.c_long * 31)]


def _is_bpffs(path: Path) -> bool:
    status = _Statfs()
    return _libc.statfs(os.fsencode(path), ctypes.byref(status)) == 0 and status.type == MAGIC


def unmount() -> None:
    """Take away what `root` has mounted; nothing happens if it is in use."""
    found = mounted()
    if found is not None:
        view = Path("/", *found.parts[: -len(MOUNT_POINT.parts) + 1])
        subprocess.run(_in_view(view, "umount", str(MOUNT_POINT)), capture_output=True)


def _in_view(view: Path, *command: str) -> list[str]:
    """The command line that runs a command where the file system is seen so."""
    return list(command) if view == Path("/") else ["nsenter", f"--mount={view.parent / 'ns/mnt'}", *command]


def _mount() -> Path:
    """Mount it where the most distant ancestor in reach sees it: there it outlives this process."""
    *_, view = (view for view in _views() if os.access(view / "sys/fs/bpf", os.W_OK))
    command = _in_view(view, "mount", "-t", "bpf", "-o", "mode=0700", "bpf", str(MOUNT_POINT))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise ClickError(
            f"the BPF file system can't be mounted at {MOUNT_POINT}: {done.stderr.strip()}",
            hint=f"mount -t bpf bpf {MOUNT_POINT}, as root",
        )
    found = mounted()
    if found is None:
        raise ClickError(f"the BPF file system is mounted at {MOUNT_POINT}, but can't be seen from here")
    return found
