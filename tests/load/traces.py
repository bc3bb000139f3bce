"""What routers leave in the kernel, in the file systems and on devices, asked for without a command that other tests disturb.

`bpftool link` ends with an error when some process is just making a link, be it another bpftool; here such links are left out.
"""

import ctypes
import errno
import json
from collections.abc import Callable, Iterator
from ctypes import byref, c_uint32
from pathlib import Path

from clickbpf.load.devices.links import Link
from clickbpf.load.files import places
from clickbpf.load.kernel import bpffs
from clickbpf.load.kernel.fds import Fd, Map, Program
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.testing.netns import Namespace

#: How libbpf calls each kind of object.
KINDS: dict[str, type[Fd]] = {"prog": Program, "map": Map, "link": Link}
#: The object has just been freed, or isn't made yet.
NOT_THERE = (errno.ENOENT, errno.EAGAIN)


def objects(own: str) -> dict[str, set[int]]:
    """The ids of the programs and maps whose names begin with `own`, and of the links of these programs."""
    named = {kind: {o.id for o in _all(kind) if o.name.decode().startswith(own)} for kind in ("prog", "map")}
    return {**named, "link": {link.id for link in _all("link") if link.prog_id in named["prog"]}}


def _all(kind: str) -> Iterator[ctypes.Structure]:
    """What the kernel says of all objects of a kind."""
    library = ctypes.CDLL("libbpf.so.1")
    following: Callable[..., int] = getattr(library, f"bpf_{kind}_get_next_id")
    opened: Callable[..., int] = getattr(library, f"bpf_{kind}_get_fd_by_id")
    number = c_uint32(0)
    while (error := -following(number, byref(number))) == 0:
        fd = opened(number)
        if fd >= 0:
            with KINDS[kind](fd) as found:
                yield found.info()
        elif -fd not in NOT_THERE:
            raise BpfError(f"opening the {kind} {number.value}", -fd)
    if error != errno.ENOENT:
        raise BpfError(f"looking for a {kind}", error)


def files(own: str) -> dict[str, list[Path]]:
    """Pins and folders of routers with `own` in their names."""
    return {
        "pins": [p for p in _children(bpffs.mounted(), places.FOLDER) if own in p.name],
        "folders": [p for p in _children(places.RUN) if own in p.name],
    }


def settings(namespaces: list[Namespace]) -> dict[str, list]:
    """What the devices of these namespaces have been given."""
    return {
        "qdiscs": [n.run("tc", "qdisc", "show").stdout for n in namespaces],
        "xdp": [n.ip("-d", "link").count("prog/xdp") for n in namespaces],
        "offloads": [n.run("ethtool", "-k", device).stdout for n in namespaces for device in _devices(n)],
    }


def programs(router: str) -> list[int]:
    """The ids of the programs on a loaded router's devices."""
    ids = []
    for path in places.Pins.of(router).links():
        with Link.pinned(path) as link:
            ids.append(link.info().prog_id)
    return ids


def _children(folder: Path | None, *parts: str) -> list[Path]:
    path = folder.joinpath(*parts) if folder else None
    return sorted(path.iterdir()) if path and path.is_dir() else []


def _devices(namespace: Namespace) -> list[str]:
    return [link["ifname"] for link in json.loads(namespace.ip("-j", "link")) if link["ifname"] != "lo"]
