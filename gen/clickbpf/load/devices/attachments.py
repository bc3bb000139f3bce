"""Opens attachments by their pins."""

import errno
from contextlib import ExitStack
from pathlib import Path

from clickbpf.load.devices.links import Link
from clickbpf.load.devices.member import Member
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel import libxdp
from clickbpf.load.kernel.fds import Map, kind_of, open_pinned
from clickbpf.load.kernel.libbpf import BpfError


def pinned(path: Path) -> Link | Member | Spread:
    """The attachment that is pinned there; BpfError if it can't be opened, or isn't an attachment."""
    queues = Pins.spread_of(path)
    if queues.is_dir():
        return Spread.pinned(queues, path)
    fd = open_pinned(path)
    if kind_of(fd) != "bpf-map":
        return Link(fd)
    with ExitStack() as undo:
        ifindex = libxdp.device_of(jump := undo.enter_context(Map(fd)))
        if ifindex is None:
            raise BpfError(f"opening {path} as an attachment", errno.EINVAL)
        undo.pop_all()
    return Member(jump, ifindex)
