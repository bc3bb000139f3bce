"""Attachments: XDP and TCX links, and the classifier of older kernels where there is no TCX."""

from __future__ import annotations

import ctypes
import errno
from contextlib import suppress
from ctypes import byref, c_uint32, c_uint64
from dataclasses import dataclass

from clickbpf.load.fds import Fd, Program
from clickbpf.load.libbpf import (
    BPF_TC_EGRESS,
    BPF_TC_INGRESS,
    BPF_TCX_EGRESS,
    BPF_TCX_INGRESS,
    BPF_XDP,
    XDP_FLAGS_DRV_MODE,
    XDP_FLAGS_SKB_MODE,
    BpfError,
    LinkCreateOpts,
    TcHook,
    TcOpts,
    XdpQueryOpts,
    check,
    lib,
)

MODES = {"native": XDP_FLAGS_DRV_MODE, "generic": XDP_FLAGS_SKB_MODE}
_TC = {"ingress": (BPF_TCX_INGRESS, BPF_TC_INGRESS), "egress": (BPF_TCX_EGRESS, BPF_TC_EGRESS)}


class LinkInfo(ctypes.Structure):
    """The head of struct bpf_link_info; `ifindex` of an XDP or TCX link, 0 once its device is gone."""

    _fields_ = [("type", c_uint32), ("id", c_uint32), ("prog_id", c_uint32), ("ifindex", c_uint64), ("rest", c_uint64 * 3)]


class Link(Fd):
    """A program attached to a device, for as long as a descriptor or a pin of the link is there."""

    Info = LinkInfo

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        check(lib.bpf_link_update(self.fd, program.fd, None), "swapping a program")

    def detach(self) -> None:
        check(lib.bpf_link_detach(self.fd), "detaching a program")


def attach_xdp(program: Program, ifindex: int, mode: str) -> Link:
    """Attach to XDP in "native" or "generic" mode. EBUSY: another program is there; EOPNOTSUPP: no such mode."""
    options = LinkCreateOpts(flags=MODES[mode])
    return Link(check(lib.bpf_link_create(program.fd, ifindex, BPF_XDP, byref(options)), f"attaching to XDP in {mode} mode"))


def attached_xdp(ifindex: int) -> int:
    """The id of the program on a device's XDP hook, 0 if there is none."""
    options = XdpQueryOpts()
    check(lib.bpf_xdp_query(ifindex, 0, byref(options)), "asking what is attached to a device")
    return options.prog_id or options.drv_prog_id or options.skb_prog_id


@dataclass
class TcFilter:
    """A classifier on a device's clsact qdisc: what kernels before 6.6 have instead of a TCX link."""

    ifindex: int
    direction: str
    handle: int
    priority: int

    def detach(self) -> None:
        hook = TcHook(ifindex=self.ifindex, attach_point=_TC[self.direction][1])
        options = TcOpts(handle=self.handle, priority=self.priority)
        check(lib.bpf_tc_detach(byref(hook), byref(options)), "removing a TC classifier")

    def close(self) -> None:
        """Nothing is held open: a classifier stays until it is detached."""


def attach_tc(program: Program, ifindex: int, direction: str) -> Link | TcFilter:
    """Attach to TC, "ingress" or "egress": a TCX link, or on kernels without it (before 6.6) a classifier."""
    tcx, _ = _TC[direction]
    try:
        return Link(check(lib.bpf_link_create(program.fd, ifindex, tcx, None), f"attaching to TC {direction}"))
    except BpfError as error:
        if error.errno != errno.EINVAL:
            raise
    return _attach_classifier(program, ifindex, direction)


def _attach_classifier(program: Program, ifindex: int, direction: str) -> TcFilter:
    hook = TcHook(ifindex=ifindex, attach_point=_TC[direction][1])
    with suppress(FileExistsError):
        _make_clsact(hook)
    options = TcOpts(prog_fd=program.fd)
    check(lib.bpf_tc_attach(byref(hook), byref(options)), f"attaching to TC {direction}")
    return TcFilter(ifindex, direction, options.handle, options.priority)


def _make_clsact(hook: TcHook) -> None:
    """Both hooks of the clsact qdisc, which others may share: it is never removed."""
    try:
        check(lib.bpf_tc_hook_create(byref(hook)), "making a clsact qdisc")
    except BpfError as error:
        if error.errno == errno.EEXIST:
            raise FileExistsError from None
        raise
