"""A router that shares a device's XDP hook with other programs, as a member of libxdp's dispatcher.

The dispatcher is the device's XDP program. It calls its members in the order of their priorities, until one doesn't pass the packet on
(https://github.com/xdp-project/xdp-tools, lib/libxdp/protocol.org). The router's member (bpf/member.bpf.c) jumps to the router's program
through a map with one entry. So one store changes the router, and without an entry packets pass. The map represents the attachment: it
is pinned as a link would be, before anything is attached; its name has the device's index; and the member is found by it.
"""

import re
import socket
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.load.devices.links import LinkInfo
from clickbpf.load.kernel import libxdp
from clickbpf.load.kernel.capabilities import CAP_SYS_ADMIN, has
from clickbpf.load.kernel.causes import explain
from clickbpf.load.kernel.fds import Map, Program
from clickbpf.load.kernel.libbpf import BpfError

#: The one entry of the map.
SLOT = 0


class Member(Closing):
    """The attachment of a router's program beside others, held by its map's descriptor as a Link is by its own."""

    def __init__(self, jump: Map, ifindex: int):
        self._jump, self.ifindex = jump, ifindex

    def info(self) -> LinkInfo:
        """Its program and device, as a link reports them. The device is 0 once it is gone from this thread's network namespace, or somebody
        has removed the member from its dispatcher."""
        program = int.from_bytes(self._jump.lookup(SLOT) or b"", sys.byteorder)
        return LinkInfo(prog_id=program, ifindex=self.ifindex if self._is_there() else 0)

    def _is_there(self) -> bool:
        """Whether the device's dispatcher calls it. If that can't be found out, for lack of libxdp or of privileges, whether the device
        exists."""
        try:
            socket.if_indextoname(self.ifindex)
            return libxdp.is_there(self._jump, self.ifindex)
        except OSError:
            return False
        except ClickError:
            return True

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        self._jump.update(SLOT, program.fd)

    def detach(self) -> None:
        """Let packets pass from now on; then leave the dispatcher of the device, which is in this thread's network namespace."""
        with suppress(BpfError):  # there is no program
            self._jump.delete(SLOT)
        try:
            libxdp.leave(self._jump, self.ifindex)
        except BpfError as error:
            device = socket.if_indextoname(self.ifindex)
            explained = explain(error, f"the program on {device} can't be removed from beside the others; it lets all packets pass")
            hint = f"'xdp-loader status {device}' shows the id of clickbpf_member; then xdp-loader unload {device} --id ID"
            raise ClickError(explained.diagnostics[0].message, hint=hint) from None

    def close(self) -> None:
        self._jump.close()


def check_can_join() -> None:
    """ClickError if this process lacks the privileges that libxdp needs."""
    if not has(CAP_SYS_ADMIN):
        raise ClickError("--multi needs CAP_SYS_ADMIN, to find the other programs of a device", hint="run it as root")


def attach_member(program: Program, ifindex: int, mode: str, priority: int, pin: Path) -> Member:
    """Attach beside other programs, in "native" or "generic" mode, and pin the map. ClickError if the kernel can't run dispatchers,
    BpfError for other errors."""
    from clickbpf.compile import helper_object  # `list` needs no compiler

    with ExitStack() as undo:
        made = Member(undo.enter_context(libxdp.member_map(ifindex)), ifindex)
        pin.parent.mkdir(parents=True, exist_ok=True)
        undo.callback(pin.unlink, missing_ok=True)
        made._jump.pin(pin)
        leaving = undo.enter_context(ExitStack())
        leaving.callback(made.detach)
        try:
            said = libxdp.join(helper_object("member").read_bytes(), made._jump, ifindex, mode, priority)
        except BpfError:  # libxdp has undone it; leaving again might fail, and hide this error
            leaving.pop_all()
            raise
        if not libxdp.shared(ifindex):
            raise _alone(said)
        made.update(program)
        leaving.pop_all()
        undo.pop_all()
    return made


def _alone(said: str) -> ClickError:
    """The error for a member that libxdp has attached without a dispatcher, by libxdp's messages."""
    refused = re.search(r"Compatibility check for dispatcher program failed: (.*)", said)
    if refused:
        message = "this kernel can't run several XDP programs on a device: it refuses programs that extend others (freplace)"
        return ClickError(f"{message}: {refused[1]}", hint="load without --multi; Debian's kernels since 6.1 permit such programs")
    quoted = "".join(f"\n    {line}" for line in said.splitlines()[-2:])
    return ClickError(f"libxdp has no dispatcher to run several XDP programs on a device{quoted}", hint="load without --multi")
