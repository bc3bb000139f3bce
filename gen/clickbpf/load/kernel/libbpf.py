"""Binds the C library libbpf (1.1 or newer, `libbpf.so.1`) by ctypes: prototypes, option structures and errors.

`objects` (opens and loads ELF objects) and `fds` (maps, programs and links by file descriptor) are built on it.
"""

import ctypes
import errno as errno_names
import os
from collections import deque
from collections.abc import Callable
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from clickbpf.errors import ClickError

#: Attach types of <linux/bpf.h>; those of TCX aren't in Debian 12's headers yet.
BPF_XDP_CPUMAP, BPF_XDP, BPF_TCX_INGRESS, BPF_TCX_EGRESS = 35, 37, 46, 47
BPF_TC_INGRESS, BPF_TC_EGRESS = 1, 2
BPF_TC_F_REPLACE = 1
#: enum bpf_link_type
BPF_LINK_TYPE_RAW_TRACEPOINT = 1
XDP_FLAGS_SKB_MODE, XDP_FLAGS_DRV_MODE = 1 << 1, 1 << 2
BTF_KIND_DATASEC = 15


class BpfError(ClickError):
    """A call of libbpf or the kernel that failed, with `errno`, and in `log` the preceding messages of libbpf."""

    def __init__(self, action: str, error: int, log: str = ""):
        super().__init__(f"{action}: {os.strerror(error)} ({errno_names.errorcode.get(error, error)})")
        self.errno = error
        self.log = log


class Options(ctypes.Structure):
    """The base of libbpf's option structures, whose first member is their own size."""

    __test__ = False  # one of them is called TestRunOpts

    def __init__(self, **members):
        super().__init__(sz=ctypes.sizeof(self), **members)


def _options(**members: Any) -> type[Options]:
    """An option structure up to the last member that is used here: libbpf takes all later ones for zero."""
    return type("Options", (Options,), {"_fields_": [("sz", c_size_t), *members.items()]})


ObjectOpenOpts = _options(
    object_name=c_char_p, relaxed_maps=c_bool, pin_root_path=c_char_p, reserved=c_uint32, kconfig=c_char_p, btf_custom_path=c_char_p,
    kernel_log_buf=c_void_p, kernel_log_size=c_size_t,
)  # fmt: skip
TestRunOpts = _options(
    data_in=c_void_p, data_out=c_void_p, data_size_in=c_uint32, data_size_out=c_uint32, ctx_in=c_void_p, ctx_out=c_void_p,
    ctx_size_in=c_uint32, ctx_size_out=c_uint32, retval=c_uint32, repeat=c_int, duration=c_uint32, flags=c_uint32, cpu=c_uint32,
    batch_size=c_uint32,
)  # fmt: skip
LinkCreateOpts = _options(flags=c_uint32)
TcHook = _options(ifindex=c_int, attach_point=c_int, parent=c_uint32)
TcOpts = _options(prog_fd=c_int, flags=c_uint32, prog_id=c_uint32, handle=c_uint32, priority=c_uint32)
XdpQueryOpts = _options(prog_id=c_uint32, drv_prog_id=c_uint32, hw_prog_id=c_uint32, skb_prog_id=c_uint32)
MapCreateOpts = _options(
    btf_fd=c_uint32, btf_key_type_id=c_uint32, btf_value_type_id=c_uint32, btf_vmlinux_value_type_id=c_uint32, inner_map_fd=c_uint32,
    map_flags=c_uint32,
)  # fmt: skip
ProgLoadOpts = _options(attempts=c_int, expected_attach_type=c_int, prog_btf_fd=c_uint32, prog_flags=c_uint32)


#: function -> (result, parameters). `int` results are 0 or a descriptor, or -errno.
PROTOTYPES: dict[str, tuple] = {
    "bpf_object__open_mem": (c_void_p, c_char_p, c_size_t, POINTER(ObjectOpenOpts)),
    "bpf_object__load": (c_int, c_void_p),
    "bpf_object__close": (None, c_void_p),
    "bpf_object__btf": (c_void_p, c_void_p),
    "bpf_object__next_program": (c_void_p, c_void_p, c_void_p),
    "bpf_object__next_map": (c_void_p, c_void_p, c_void_p),
    "bpf_object__find_map_by_name": (c_void_p, c_void_p, c_char_p),
    "bpf_program__name": (c_char_p, c_void_p),
    "bpf_program__section_name": (c_char_p, c_void_p),
    "bpf_program__fd": (c_int, c_void_p),
    "bpf_program__set_autoload": (c_int, c_void_p, c_bool),
    "bpf_program__set_expected_attach_type": (c_int, c_void_p, c_int),
    "bpf_map__name": (c_char_p, c_void_p),
    "bpf_map__fd": (c_int, c_void_p),
    "bpf_map__max_entries": (c_uint32, c_void_p),
    "bpf_map__type": (c_int, c_void_p),
    "bpf_map__btf_value_type_id": (c_uint32, c_void_p),
    "libbpf_bpf_map_type_str": (c_char_p, c_int),
    "bpf_map__set_max_entries": (c_int, c_void_p, c_uint32),
    "bpf_map__set_value_size": (c_int, c_void_p, c_uint32),
    "bpf_map__reuse_fd": (c_int, c_void_p, c_int),
    "bpf_map__initial_value": (c_void_p, c_void_p, POINTER(c_size_t)),
    "btf__find_by_name_kind": (c_int, c_void_p, c_char_p, c_uint32),
    "btf__type_by_id": (c_void_p, c_void_p, c_uint32),
    "btf__name_by_offset": (c_char_p, c_void_p, c_uint32),
    "btf_dump__new": (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "btf_dump__dump_type": (c_int, c_void_p, c_uint32),
    "btf_dump__free": (None, c_void_p),
    "bpf_map_create": (c_int, c_int, c_char_p, c_uint32, c_uint32, c_uint32, POINTER(MapCreateOpts)),
    "bpf_map_lookup_elem": (c_int, c_int, c_void_p, c_void_p),
    "bpf_map_update_elem": (c_int, c_int, c_void_p, c_void_p, c_uint64),
    "bpf_map_delete_elem": (c_int, c_int, c_void_p),
    "bpf_map_get_next_key": (c_int, c_int, c_void_p, c_void_p),
    "libbpf_num_possible_cpus": (c_int,),
    "bpf_prog_load": (c_int, c_int, c_char_p, c_char_p, c_char_p, c_size_t, POINTER(ProgLoadOpts)),
    "bpf_prog_query": (c_int, c_int, c_int, c_uint32, c_void_p, c_void_p, POINTER(c_uint32)),
    "bpf_obj_pin": (c_int, c_int, c_char_p),
    "bpf_obj_get": (c_int, c_char_p),
    "bpf_obj_get_info_by_fd": (c_int, c_int, c_void_p, POINTER(c_uint32)),
    "bpf_map_get_fd_by_id": (c_int, c_uint32),
    "bpf_prog_test_run_opts": (c_int, c_int, POINTER(TestRunOpts)),
    "bpf_enable_stats": (c_int, c_int),
    "bpf_link_create": (c_int, c_int, c_int, c_int, POINTER(LinkCreateOpts)),
    "bpf_raw_tracepoint_open": (c_int, c_char_p, c_int),
    "bpf_link_update": (c_int, c_int, c_int, c_void_p),
    "bpf_link_detach": (c_int, c_int),
    "bpf_xdp_attach": (c_int, c_int, c_int, c_uint32, c_void_p),
    "bpf_xdp_query": (c_int, c_int, c_int, POINTER(XdpQueryOpts)),
    "bpf_tc_hook_create": (c_int, POINTER(TcHook)),
    "bpf_tc_hook_destroy": (c_int, POINTER(TcHook)),
    "bpf_tc_query": (c_int, POINTER(TcHook), POINTER(TcOpts)),
    "bpf_tc_attach": (c_int, POINTER(TcHook), POINTER(TcOpts)),
    "bpf_tc_detach": (c_int, POINTER(TcHook), POINTER(TcOpts)),
}


class Library:
    """A C library with typed functions as attributes. It is loaded on first use, so that compiling alone works without it."""

    def __init__(self, name: str, cure: str, prototypes: dict[str, tuple], prepare: Callable[[ctypes.CDLL], object]):
        self._name, self._cure, self._prototypes, self._prepare = name, cure, prototypes, prepare

    def __getattr__(self, name: str):
        library = self._open()
        for function, (result, *parameters) in self._prototypes.items():
            symbol = getattr(library, function)
            symbol.restype, symbol.argtypes = result, parameters
            setattr(self, function, symbol)
        return self.__dict__[name]

    def _open(self) -> ctypes.CDLL:
        try:
            library = ctypes.CDLL(f"{self._name}.so.1", use_errno=True)
        except OSError as error:
            raise ClickError(f"{self._name} can't be loaded: {error}", hint=self._cure) from None
        self._prepare(library)
        return library


#: The libraries' latest messages, newest last: those before a failure explain it.
_messages: deque[str] = deque(maxlen=60)
_libc = ctypes.CDLL(None)
_libc.vsnprintf.argtypes = (c_char_p, c_size_t, c_char_p, c_void_p)


def formatted(template: bytes, arguments: int) -> str:
    """The text that a callback of libbpf is given to print. (A va_list is passed as a pointer on x86-64 and arm64.)"""
    text = ctypes.create_string_buffer(4096)
    _libc.vsnprintf(text, len(text), template, arguments)
    return text.value.decode(errors="replace")


@ctypes.CFUNCTYPE(c_int, c_int, c_char_p, c_void_p)
def report(level: int, template: bytes, arguments: int) -> int:
    """The libraries' print callback. Level 2 is debugging."""
    if level < 2:
        _messages.append(formatted(template, arguments).rstrip("\n"))
    return 0


lib = Library("libbpf", "install libbpf 1.1 or newer (Debian: libbpf1)", PROTOTYPES, lambda library: library.libbpf_set_print(report))


def forget_messages() -> None:
    """Forget libbpf's messages so far, so that a failure is reported with its own messages only."""
    _messages.clear()


def messages() -> str:
    """The messages since then, one a line."""
    return "\n".join(_messages)


def check(result: int | None, action: str) -> int:
    """The result of a call, or a BpfError that names the action if it is negative or a null pointer."""
    if result is not None and result >= 0:
        return result
    error = ctypes.get_errno() if result is None else -result
    log = messages()
    _messages.clear()
    raise BpfError(action, error, log)
