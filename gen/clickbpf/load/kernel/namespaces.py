"""Other network namespaces: calls functions inside them, and finds one again.

A namespace is identified by its inode number and its cookie. The number can be reused once the namespace is gone; the cookie is never
reused, but only a socket inside the namespace can tell it. So the namespace is found by the number, and checked by the cookie.
"""

import ctypes
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from clickbpf.load.kernel import rtnetlink

CLONE_NEWNET = 0x40000000
#: A constant of <asm-generic/socket.h> that Python doesn't have.
SO_NETNS_COOKIE = 71
#: The namespace of the thread that opens it.
_OWN = Path("/proc/thread-self/ns/net")

#: Where `ip netns` keeps the namespaces that it has given names.
NAMED = Path("/run/netns")

_libc = ctypes.CDLL(None, use_errno=True)
Result = TypeVar("Result")


def call_inside(namespace: Path | None, function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in a thread inside the namespace at this path, or directly if that is None or this thread's own (which can only be
    entered with CAP_SYS_ADMIN, like any other).

    Sockets created inside stay inside. OSError if the namespace can't be entered.
    """
    if namespace is None or _inode(namespace) == _inode(_OWN):
        return function(*arguments)
    outcome: list[Any] = [None, None]

    def body() -> None:
        try:
            _enter(namespace)
            outcome[0] = function(*arguments)
        except BaseException as error:
            outcome[1] = error

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]


def _enter(namespace: Path) -> None:
    fd = os.open(namespace, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if _libc.setns(fd, CLONE_NEWNET):
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error), str(namespace))
    finally:
        os.close(fd)


def find(nsid: int) -> Path | None:
    """A path of the namespace with the number `nsid` in this one (IFLA_LINK_NETNSID), or None if it is out of reach."""
    with rtnetlink.IPRoute() as netlink:
        for path in _candidates():
            with suppress(OSError, rtnetlink.NetlinkError), open(path) as namespace:  # no namespace yet, or none any more
                if netlink.get_netnsid(fd=namespace.fileno())["nsid"] == nsid:
                    return path
    return None


def _candidates() -> Iterator[Path]:
    """A path for every visible namespace, each once: first mounted ones, then those of processes."""
    seen: set[tuple[int, int]] = set()
    for pattern, root in (("*", NAMED), ("thread-self/ns/net", Path("/proc")), ("[0-9]*/ns/net", Path("/proc"))):
        for path in sorted(root.glob(pattern)):
            with suppress(OSError):
                status = path.stat()
                identity = (status.st_dev, status.st_ino)
                if identity not in seen:
                    seen.add(identity)
                    yield path


def here() -> str:
    """The identity of the calling thread's namespace, which is unique until the machine reboots."""
    return f"{_inode(_OWN)}:{cookie()}"


def cookie() -> int:
    """The cookie of the calling thread's namespace."""
    with socket.socket(socket.AF_UNIX) as inside:
        return struct.unpack("=Q", inside.getsockopt(socket.SOL_SOCKET, SO_NETNS_COOKIE, 8))[0]


def identity(namespace: Path) -> str:
    """The identity of the namespace at a path; OSError if it can't be entered."""
    return call_inside(namespace, here)


def locate(wanted: str) -> Path | None:
    """A path of the namespace with this identity, None if it is gone. Processes that can't enter namespaces only compare the number."""
    number = wanted.partition(":")[0]
    path = next((path for path in _candidates() if str(_inode(path)) == number), None)
    try:
        return path if path is not None and identity(path) == wanted else None
    except PermissionError:
        return path
    except OSError:  # it went meanwhile
        return None


def _inode(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_ino
    return None


def describe(namespace: Path) -> str:
    """The words before a shell command that run it inside the namespace."""
    if namespace.parent == NAMED:
        return f"ip netns exec {namespace.name}"
    return f"nsenter --net={namespace}"
