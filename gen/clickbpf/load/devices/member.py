"""A router beside other XDP programs on a device, as a member of libxdp's dispatcher.

The dispatcher is the device's XDP program, and calls its members by their priorities until one of them does anything else with a packet
than pass it on (https://github.com/xdp-project/xdp-tools, lib/libxdp/protocol.org). The router's member (bpf/member.bpf.c) jumps to the
router's program by a map of one entry. So the router changes by one store, and without an entry packets pass. The map stands for the
attachment: it is pinned in its place before anything is attached, its name has the device's index, and by it the member is found again.
"""

from __future__ import annotations

import struct
from contextlib import ExitStack, suppress
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.devices.links import Link, LinkInfo
from clickbpf.load.kernel import libxdp
from clickbpf.load.kernel.capabilities import CAP_SYS_ADMIN, has
from clickbpf.load.kernel.fds import BPF_MAP_TYPE_PROG_ARRAY, Map, Program, kind_of, open_pinned
from clickbpf.load.kernel.libbpf import BpfError

#: The name of the map is this and the device's index, in hexadecimal digits.
NAME = "member_"
SLOT = bytes(4)


class Member:
    """The attachment of a router's program beside others, held by the descriptor of its map, as a Link is by its own."""

    def __init__(self, jump: Map):
        self._jump = jump

    @property
    def ifindex(self) -> int:
        return int(self._jump.info().name.decode().removeprefix(NAME), 16)

    def info(self) -> LinkInfo:
        """Its program and device, as a link reports them."""
        program = self._jump.lookup(SLOT)
        return LinkInfo(prog_id=struct.unpack("=I", program)[0] if program else 0, ifindex=self.ifindex)

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        self._jump.update(SLOT, struct.pack("=I", program.fd))

    def detach(self) -> None:
        """From this moment packets pass. Then leave the dispatcher of the device, which is in this thread's network namespace."""
        with suppress(BpfError):  # it has no program
            self._jump.delete(SLOT)
        libxdp.leave(self._jump, self.ifindex)

    def close(self) -> None:
        self._jump.close()

    def __enter__(self) -> Member:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


def check_can_join() -> None:
    """ClickError if this process lacks what libxdp needs."""
    if not has(CAP_SYS_ADMIN):
        raise ClickError("--multi needs CAP_SYS_ADMIN, to find the other programs of a device", hint="run it as root")


def attach_member(program: Program, ifindex: int, mode: str, priority: int, pin: Path) -> Member:
    """Attach beside other programs in "native" or "generic" mode, with the map pinned. ClickError if the kernel has no dispatchers,
    BpfError for all else."""
    from clickbpf.compile import member_object  # `list` needs no compiler

    with ExitStack() as undo:
        made = Member(undo.enter_context(Map.create(BPF_MAP_TYPE_PROG_ARRAY, f"{NAME}{ifindex:x}", 4, 4, 1)))
        pin.parent.mkdir(parents=True, exist_ok=True)
        undo.callback(pin.unlink, missing_ok=True)
        made._jump.pin(pin)
        undo.callback(made.detach)
        libxdp.join(member_object().read_bytes(), made._jump, ifindex, mode, priority)
        if not libxdp.shared(ifindex):
            message = "this kernel can't run several XDP programs on a device: it refuses programs that extend others (freplace)"
            raise ClickError(message, hint="load without --multi; Debian's kernels since 6.1 permit such programs")
        made.update(program)
        undo.pop_all()
    return made


def pinned(path: Path) -> Link | Member:
    """What is attached, by its pin; BpfError if it can't be opened."""
    fd = open_pinned(path)
    return Member(Map(fd)) if kind_of(fd) == "bpf-map" else Link(fd)
