"""Folders of the system's that each process that runs tests has for itself: its routers are no neighbours of another's, no command of its
waits for the lock of another's, and what it has pinned goes with it."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CLONE_NEWNS = 0x20000
#: Folders that routers have something in, with the type and the mode of the file system that is mounted over them. (A mount on
#: /run/clickbpf would go when anybody removes that folder.)
OWN = {"/run": ("tmpfs", "0755"), "/sys/fs/bpf": ("bpf", "1700")}

_libc = ctypes.CDLL(None, use_errno=True)
#: The mount namespaces of the machine and of this process, once it has one.
_namespaces: list[int] = []


def move_apart() -> None:
    """Give the calling thread, and what it starts, a mount namespace with empty folders; nothing happens without the right to."""
    machines = os.open("/proc/thread-self/ns/mnt", os.O_RDONLY)
    if os.geteuid() or _libc.unshare(CLONE_NEWNS):
        os.close(machines)
        return
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    for folder, (kind, mode) in OWN.items():
        subprocess.run(["mount", "-t", kind, "-o", f"mode={mode}", kind, folder], check=True)
    _namespaces[:] = machines, os.open("/proc/thread-self/ns/mnt", os.O_RDONLY)


@contextmanager
def in_the_machines() -> Iterator[None]:
    """With the folders of the machine, for what commands mount there for users."""
    folder = Path.cwd()
    for namespace in _namespaces[:1]:
        _enter(namespace, folder)
    yield
    for namespace in _namespaces[1:]:
        _enter(namespace, folder)


def _enter(namespace: int, folder: Path) -> None:
    if _libc.setns(namespace, CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "entering a mount namespace")
    os.chdir(folder)
