"""Attachments: links to XDP, TCX and tracepoints, and TC classifiers on kernels without TCX."""

import ctypes
import errno
from collections.abc import Iterable
from ctypes import byref, c_uint32, c_uint64
from dataclasses import dataclass
from typing import Self

from clickbpf.load.kernel import rtnetlink
from clickbpf.load.kernel.fds import Fd, Program
from clickbpf.load.kernel.libbpf import (
    BPF_LINK_TYPE_RAW_TRACEPOINT,
    BPF_TC_EGRESS,
    BPF_TC_F_REPLACE,
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
#: Parents of the filters of a clsact qdisc: TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS or _EGRESS).
_CLSACT = {"ingress": 0xFFFFFFF2, "egress": 0xFFFFFFF3}
#: The redirecting filter's handle and priority, which leaves room for filters before and after it.
REDIRECT_HANDLE, REDIRECT_PRIORITY = 1, 0xC11C


class LinkInfo(ctypes.Structure):
    """The head of struct bpf_link_info. `ifindex` is an XDP or TCX link's, 0 once its device is gone; `attach_type` a TCX link's."""

    _fields_ = [
        ("type", c_uint32),
        ("id", c_uint32),
        ("prog_id", c_uint32),
        ("padding", c_uint32),
        ("ifindex", c_uint32),
        ("attach_type", c_uint32),
        ("rest", c_uint64 * 3),
    ]


class Link(Fd):
    """A program attached to a device, or to a tracepoint, for as long as the link has a descriptor or a pin."""

    Info = LinkInfo

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        check(lib.bpf_link_update(self.fd, program.fd, None), "swapping a program")

    def detach(self) -> None:
        """Detach the program at once; from a tracepoint, with the last descriptor and pin."""
        if self.info().type != BPF_LINK_TYPE_RAW_TRACEPOINT:
            check(lib.bpf_link_detach(self.fd), "detaching a program")


def attach_xdp(program: Program, ifindex: int, mode: str) -> Link:
    """Attach to XDP in "native" or "generic" mode. EBUSY: another program is there; EOPNOTSUPP: no such mode."""
    options = LinkCreateOpts(flags=MODES[mode])
    return Link(check(lib.bpf_link_create(program.fd, ifindex, BPF_XDP, byref(options)), f"attaching to XDP in {mode} mode"))


def attach_tracepoint(program: Program) -> Link:
    """Attach to the tracepoint that the program was loaded for."""
    return Link(check(lib.bpf_raw_tracepoint_open(None, program.fd), "attaching to a tracepoint"))


def attached_xdp(ifindex: int) -> int:
    """The id of the program on a device's XDP hook, 0 if there is none."""
    options = XdpQueryOpts()
    check(lib.bpf_xdp_query(ifindex, 0, byref(options)), "asking what is attached to a device")
    return options.prog_id or options.drv_prog_id or options.skb_prog_id


def attached_tcx(ifindex: int, direction: str) -> list[int]:
    """The ids of the programs on a device's TCX hook, "ingress" or "egress"; none on kernels without it."""
    count, ids = c_uint32(64), (c_uint32 * 64)()
    found = lib.bpf_prog_query(ifindex, _TC[direction][0], 0, None, ids, byref(count))
    if found in (-errno.EINVAL, -errno.ENOENT):
        return []
    check(found, "asking what is attached to a device")
    return list(ids[: count.value])


@dataclass
class TcFilter:
    """A classifier on a device's clsact qdisc: `made_qdisc` if the qdisc was created for it; `path` if it is the kernel path's program for
    the device, on kernels without TCX."""

    ifindex: int
    direction: str
    handle: int
    priority: int
    made_qdisc: bool
    path: bool = False

    @property
    def entrance(self) -> tuple[int, str] | None:
        """The device's index and direction (Device.entrance), if packets enter the kernel path here; None for other programs."""
        return (self.ifindex, self.direction) if self.path else None

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        hook, options = self._place()
        options.prog_fd, options.flags = program.fd, BPF_TC_F_REPLACE
        check(lib.bpf_tc_attach(byref(hook), byref(options)), "swapping a program")

    def info(self) -> LinkInfo:
        """Its program and device, as a link reports them."""
        hook, options = self._place()
        check(lib.bpf_tc_query(byref(hook), byref(options)), "asking about a TC classifier")
        return LinkInfo(prog_id=options.prog_id, ifindex=self.ifindex)

    @property
    def is_there(self) -> bool:
        """Whether it is attached: it isn't any more once its qdisc is deleted, or its device has been in another network namespace."""
        try:
            return bool(self.info().prog_id)
        except BpfError:
            return False

    def _place(self) -> tuple[TcHook, TcOpts]:
        hook = TcHook(ifindex=self.ifindex, attach_point=_TC[self.direction][1])
        return hook, TcOpts(handle=self.handle, priority=self.priority)

    def detach(self) -> None:
        """Remove it; and its qdisc, if that was created for it and nobody else uses it."""
        hook, options = self._place()
        check(lib.bpf_tc_detach(byref(hook), byref(options)), "removing a TC classifier")
        if self.made_qdisc and not _filters(self.ifindex, *_CLSACT):
            _remove_clsact(self.ifindex)

    def bequeath(self, others: Iterable[Self]) -> None:
        """Leave the removal of the qdisc, if this classifier is responsible for it, to others on the same device."""
        for other in others:
            if other.ifindex == self.ifindex:
                other.made_qdisc |= self.made_qdisc


def attached_tc(ifindex: int, direction: str) -> int:
    """The number of programs and filters at a device's TC hook, "ingress" or "egress"."""
    programs = c_uint32(0)
    refused = lib.bpf_prog_query(ifindex, _TC[direction][0], 0, None, None, byref(programs))
    return (0 if refused else programs.value) + _filters(ifindex, direction)


def _filters(ifindex: int, *directions: str) -> int:
    """The number of filters of a device's clsact qdisc. Each priority is listed as well, with the handle 0."""
    with rtnetlink.IPRoute() as netlink:
        listed = [each for direction in directions for each in netlink.get_filters(index=ifindex, parent=_CLSACT[direction])]
    return sum(each["handle"] != 0 for each in listed)


def attach_tc(program: Program, ifindex: int, direction: str) -> Link | TcFilter:
    """Attach to TC, "ingress" or "egress": a TCX link, or on kernels without it (before 6.6) a classifier."""
    return attach_tcx(program, ifindex, direction) or attach_classifier(program, ifindex, direction)


def attach_tcx(program: Program, ifindex: int, direction: str) -> Link | None:
    """Attach by a TCX link; None if the kernel has none."""
    made = lib.bpf_link_create(program.fd, ifindex, _TC[direction][0], None)
    return None if made == -errno.EINVAL else Link(check(made, f"attaching to TC {direction}"))


def attach_classifier(program: Program, ifindex: int, direction: str, redirect_to: int | None = None) -> TcFilter:
    """Attach a classifier. Its verdict is the program's own. With `redirect_to`, the program only selects the frames, which the kernel's
    action mirred then gives to that device as received."""
    hook = TcHook(ifindex=ifindex, attach_point=_TC[direction][1])
    made_qdisc = _make_clsact(hook)
    try:
        if redirect_to is None:
            options = TcOpts(prog_fd=program.fd)
            check(lib.bpf_tc_attach(byref(hook), byref(options)), f"attaching to TC {direction}")
            return TcFilter(ifindex, direction, options.handle, options.priority, made_qdisc)
        return _redirect(program, TcFilter(ifindex, direction, REDIRECT_HANDLE, REDIRECT_PRIORITY, made_qdisc), redirect_to)
    except BpfError:
        if made_qdisc:
            _remove_clsact(ifindex)
        raise


def _redirect(program: Program, made: TcFilter, to: int) -> TcFilter:
    action = {"kind": "mirred", "direction": "ingress", "action": "redirect", "ifindex": to}
    place = {"handle": made.handle, "prio": made.priority, "parent": _CLSACT[made.direction]}
    try:
        with rtnetlink.IPRoute() as netlink:
            netlink.tc("add-filter", "bpf", made.ifindex, fd=program.fd, name="tohost", action=action, **place)
    except rtnetlink.NetlinkError as error:
        raise BpfError("adding a TC classifier that redirects", error.code) from None
    return made


def _remove_clsact(ifindex: int) -> None:
    hook = TcHook(ifindex=ifindex, attach_point=BPF_TC_INGRESS | BPF_TC_EGRESS)
    check(lib.bpf_tc_hook_destroy(byref(hook)), "removing a clsact qdisc")


def _make_clsact(hook: TcHook) -> bool:
    """Create the clsact qdisc, which has both hooks; False if it exists."""
    made = lib.bpf_tc_hook_create(byref(hook))
    return made != -errno.EEXIST and not check(made, "making a clsact qdisc")
