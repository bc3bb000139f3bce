"""Binds the C library libxdp (1.2 or newer, `libxdp.so.1`) by ctypes: several XDP programs on one device, called by a dispatcher."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import c_bool, c_char_p, c_int, c_uint32, c_void_p

from clickbpf.errors import ClickError
from clickbpf.load.kernel import bpffs
from clickbpf.load.kernel.fds import BPF_MAP_TYPE_PROG_ARRAY, Map, Program
from clickbpf.load.kernel.libbpf import BpfError, Library, check, forget_messages, messages, report
from clickbpf.load.kernel.objects import Object

#: enum xdp_attach_mode
MODES = {"native": 1, "generic": 2}
#: A member is found by its map, whose name is this and the device's index in hexadecimal digits.
NAME = "member_"
#: Pointers from here on are negative error numbers.
ERRORS = (1 << 64) - 4095

PROTOTYPES: dict[str, tuple] = {
    "xdp_program__from_bpf_obj": (c_void_p, c_void_p, c_char_p),
    "xdp_program__set_run_prio": (c_int, c_void_p, c_uint32),
    "xdp_program__attach": (c_int, c_void_p, c_int, c_int, c_uint32),
    "xdp_program__detach": (c_int, c_void_p, c_int, c_int, c_uint32),
    "xdp_program__fd": (c_int, c_void_p),
    "xdp_program__close": (None, c_void_p),
    "xdp_multiprog__get_from_ifindex": (c_void_p, c_int),
    "xdp_multiprog__is_legacy": (c_bool, c_void_p),
    "xdp_multiprog__attach_mode": (c_int, c_void_p),
    "xdp_multiprog__main_prog": (c_void_p, c_void_p),
    "xdp_multiprog__next_prog": (c_void_p, c_void_p, c_void_p),
    "xdp_multiprog__close": (None, c_void_p),
}

xdp = Library("libxdp", "install libxdp 1.2 or newer (Debian: libxdp1)", PROTOTYPES, lambda library: library.libxdp_set_print(report))


def _pointer(result: int | None, action: str) -> int:
    """A pointer; BpfError if it is one of libxdp's errors."""
    check(-1 if result is None else result - (1 << 64) if result >= ERRORS else 0, action)
    return result


def member_map(ifindex: int) -> Map:
    """A new map for a program that will join others on a device."""
    return Map.create(BPF_MAP_TYPE_PROG_ARRAY, f"{NAME}{ifindex:x}", 4, 4, 1)


def device_of(jump: Map) -> int | None:
    """The index of the device for which member_map() made a map; None for any other map."""
    info = jump.info()
    name = re.fullmatch(rf"{NAME}([0-9a-f]+)", info.name.decode(errors="replace"))
    return int(name[1], 16) if name and info.type == BPF_MAP_TYPE_PROG_ARRAY else None


def join(content: bytes, jump: Map, ifindex: int, mode: str, priority: int) -> str:
    """Attach an object's XDP program beside the device's others, with `jump` as its map of that name; returns libxdp's messages. BpfError
    if that fails. If the kernel can't run dispatchers, libxdp attaches the program alone, and shared() is False."""
    _show_pins()
    forget_messages()
    with Object(content, "member") as member:
        member.reuse("jump", jump)
        program = _pointer(xdp.xdp_program__from_bpf_obj(member.handle, b"xdp"), "preparing a program")
        try:
            check(xdp.xdp_program__set_run_prio(program, priority), "choosing a priority")
            check(xdp.xdp_program__attach(program, ifindex, MODES[mode], 0), f"attaching to XDP in {mode} mode beside other programs")
        finally:
            xdp.xdp_program__close(program)
    return messages()


def leave(jump: Map, ifindex: int) -> None:
    """Detach the program with this map from a device, if it is attached; the others stay."""
    with _programs(ifindex) as found:
        program = _with_map(found, jump)
        if program is not None:
            mode = xdp.xdp_multiprog__attach_mode(found)
            check(xdp.xdp_program__detach(program, ifindex, mode, 0), "detaching a program from beside others")


def is_there(jump: Map, ifindex: int) -> bool:
    """Whether the program with this map is attached to a device; BpfError if that can't be found out."""
    with _programs(ifindex) as found:
        return _with_map(found, jump) is not None


def shared(ifindex: int) -> bool:
    """Whether a device has a dispatcher; also False if libxdp is missing, or this process lacks the right to see it."""
    with suppress(ClickError), _programs(ifindex) as found:
        return found is not None and not xdp.xdp_multiprog__is_legacy(found)
    return False


def _show_pins() -> None:
    """Give libxdp the path by which this process reaches the machine's BPF file system, which differs under `ip netns exec`. Without its
    pins libxdp doesn't recognise dispatchers."""
    place = bpffs.mounted()
    if place is not None:
        os.environ["LIBXDP_BPFFS"] = str(place)


@contextmanager
def _programs(ifindex: int) -> Iterator[int | None]:
    """libxdp's description of the programs on a device's XDP hook; None if there are none, or the device is gone."""
    _show_pins()
    result = xdp.xdp_multiprog__get_from_ifindex(ifindex)
    try:
        found = _pointer(result, "asking what is attached to a device")
    except BpfError as error:
        if error.errno not in (errno.ENOENT, errno.ENODEV):
            raise
        yield None
        return
    try:
        yield found
    finally:
        xdp.xdp_multiprog__close(found)


def _with_map(found: int | None, jump: Map) -> int | None:
    """The program that uses this map, or None."""
    own = jump.info().id
    return next((each for each in _members(found) if own in Program(xdp.xdp_program__fd(each)).maps()), None)


def _members(found: int | None) -> Iterator[int]:
    """The programs that the dispatcher calls, or the device's only program."""
    if found is None:
        return
    if xdp.xdp_multiprog__is_legacy(found):
        yield xdp.xdp_multiprog__main_prog(found)
        return
    program = xdp.xdp_multiprog__next_prog(None, found)
    while program:
        yield program
        program = xdp.xdp_multiprog__next_prog(program, found)
