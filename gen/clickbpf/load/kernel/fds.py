"""The kernel's maps and programs, held by file descriptors."""

import ctypes
import errno
import mmap
import os
import struct
import sys
from collections.abc import Iterator
from ctypes import byref, c_uint32, c_uint64
from functools import lru_cache
from pathlib import Path
from typing import Self

from clickbpf.closing import Closing
from clickbpf.frozen import frozen
from clickbpf.load.kernel.libbpf import BpfError, ProgLoadOpts, TestRunOpts, check, lib

BPF_MAP_TYPE_ARRAY, BPF_MAP_TYPE_PROG_ARRAY = 2, 3
BPF_F_MMAPABLE = 1 << 10
BPF_PROG_TYPE_SCHED_CLS, BPF_PROG_TYPE_XDP = 3, 6
BPF_F_XDP_HAS_FRAGS = 1 << 5
#: The verdicts that pass a packet on to the next program or to Linux: TC_ACT_UNSPEC and XDP_PASS.
PASSING = {BPF_PROG_TYPE_SCHED_CLS: -1, BPF_PROG_TYPE_XDP: 2}
#: Bytes as the kernel has them in memory, or a number of 32 bits.
Content = bytes | int
#: Per-CPU hash, array and LRU hash, and storage for each cgroup and CPU.
PER_CPU_TYPES = frozenset({5, 6, 10, 21})


class MapInfo(ctypes.Structure):
    """The head of struct bpf_map_info."""

    _fields_ = [
        ("type", c_uint32),
        ("id", c_uint32),
        ("key_size", c_uint32),
        ("value_size", c_uint32),
        ("max_entries", c_uint32),
        ("map_flags", c_uint32),
        ("name", ctypes.c_char * 16),
    ]


class ProgramInfo(ctypes.Structure):
    """The head of struct bpf_prog_info. `load_time` is nanoseconds since boot; the run time is 0 unless somebody has it counted."""

    _fields_ = [
        ("type", c_uint32),
        ("id", c_uint32),
        ("tag", ctypes.c_uint8 * 8),
        ("jited_prog_len", c_uint32),
        ("xlated_prog_len", c_uint32),
        ("jited_prog_insns", c_uint64),
        ("xlated_prog_insns", c_uint64),
        ("load_time", c_uint64),
        ("created_by_uid", c_uint32),
        ("nr_map_ids", c_uint32),
        ("map_ids", c_uint64),
        ("name", ctypes.c_char * 16),
        ("_", c_uint64 * 14),
        ("run_time_ns", c_uint64),
        ("run_cnt", c_uint64),
    ]


class XdpMd(ctypes.Structure):
    """struct xdp_md, the context of an XDP program; in a test run, offsets from the start of the packet's metadata."""

    _fields_ = [(name, c_uint32) for name in ("data", "data_end", "data_meta", "ingress_ifindex", "rx_queue_index", "egress_ifindex")]


def open_pinned(path: Path) -> int:
    """A descriptor of the object that is pinned at `path`."""
    return check(lib.bpf_obj_get(os.fsencode(path)), f"opening {path}")


def kind_of(fd: int) -> str:
    """The kernel's word for a descriptor's kind: "bpf-map", "bpf-prog", "bpf_link"."""
    return os.readlink(f"/proc/self/fd/{fd}").removeprefix("anon_inode:").strip("[]")


class Fd(Closing):
    """A descriptor that this object owns and closes."""

    Info: type[ctypes.Structure]

    def __init__(self, fd: int):
        self.fd = fd

    @classmethod
    def pinned(cls, path: Path):
        """Open the object that is pinned at `path` in a bpffs."""
        return cls(open_pinned(path))

    def pin(self, path: Path) -> None:
        """Pin at `path`, whose folder exists; it stays until the file is removed."""
        check(lib.bpf_obj_pin(self.fd, os.fsencode(path)), f"pinning {path}")

    def info(self, **asked):
        """The kernel's information about the object; `asked` are members with room for more of it."""
        info = self.Info(**asked)
        size = c_uint32(ctypes.sizeof(info))
        check(lib.bpf_obj_get_info_by_fd(self.fd, byref(info), byref(size)), "asking about a BPF object")
        return info

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def bytes_of(number: Content) -> bytes:
    return number.to_bytes(4, sys.byteorder) if isinstance(number, int) else number


class Map(Fd):
    """A map. Keys and values have exactly the map's sizes."""

    Info = MapInfo

    @classmethod
    def create(cls, kind: int, name: str, key_size: int, value_size: int, entries: int) -> Self:
        """A new map of the type `kind` (a number of enum bpf_map_type); the name is cut at 15 characters."""
        c_name = name.encode()[:15]
        return cls(check(lib.bpf_map_create(kind, c_name, key_size, value_size, entries, None), f"creating the map {name}"))

    def lookup(self, key: Content) -> bytes | None:
        """The value of a key, or None if there is no such key. For a per-CPU map: all CPUs' values, each padded to 8 bytes."""
        info = self.info()
        per_cpu = info.type in PER_CPU_TYPES
        size = -(-info.value_size // 8) * 8 * lib.libbpf_num_possible_cpus() if per_cpu else info.value_size
        value = ctypes.create_string_buffer(size)
        found = lib.bpf_map_lookup_elem(self.fd, bytes_of(key), value)
        if found == -errno.ENOENT:
            return None
        check(found, "reading a map")
        return value.raw

    def update(self, key: Content, value: Content, flags: int = 0) -> None:
        check(lib.bpf_map_update_elem(self.fd, bytes_of(key), bytes_of(value), flags), "writing a map")

    def delete(self, key: Content) -> None:
        check(lib.bpf_map_delete_elem(self.fd, bytes_of(key)), "deleting from a map")

    def __iter__(self) -> Iterator[bytes]:
        """All keys; of an array map, every index."""
        key, following = None, ctypes.create_string_buffer(self.info().key_size)
        while (found := lib.bpf_map_get_next_key(self.fd, key, following)) != -errno.ENOENT:
            check(found, "walking a map")
            key = following.raw
            yield key

    def memory(self) -> mmap.mmap:
        """The values of a BPF_F_MMAPABLE array, each padded to 8 bytes, in memory shared with the kernel."""
        info = self.info()
        length = info.max_entries * (-(-info.value_size // 8) * 8)
        pages = -(-length // mmap.PAGESIZE) * mmap.PAGESIZE
        try:
            return mmap.mmap(self.fd, pages)
        except OSError as error:
            raise BpfError(f"mapping the memory of {info.name.decode()}", error.errno) from None


@frozen
class TestRun:
    """The result of a program's test run. `duration` is the average of the repeats in nanoseconds."""

    __test__ = False

    retval: int
    data: bytes
    ctx: bytes
    duration: int


@lru_cache(maxsize=4096)
def _array(size: int) -> type[ctypes.Array]:
    """An array type of `size` bytes, remembered because creating a type takes longer than running a program."""
    return ctypes.c_char * size


class Program(Fd):
    """A loaded program."""

    Info = ProgramInfo

    @classmethod
    def passing(cls, kind: int, attach_type: int = 0, frags: bool = False) -> Self:
        """A new TC or XDP program that lets all packets pass."""
        code = struct.pack("=BBhiBBhi", 0xB7, 0, 0, PASSING.get(kind, 0), 0x95, 0, 0, 0)  # r0 = verdict; exit
        options = ProgLoadOpts(expected_attach_type=attach_type, prog_flags=BPF_F_XDP_HAS_FRAGS if frags else 0)
        return cls(check(lib.bpf_prog_load(kind, b"passing", b"GPL", code, len(code) // 8, byref(options)), "loading a program"))

    def maps(self) -> frozenset[int]:
        """The ids of the maps that it uses."""
        ids = (c_uint32 * self.info().nr_map_ids)()
        self.info(nr_map_ids=len(ids), map_ids=ctypes.addressof(ids))
        return frozenset(ids)

    def test_run(
        self,
        data: bytes | None = None,
        ctx: bytes = b"",
        *,
        repeat: int = 1,
        flags: int = 0,
        room: int = 65536,
        batch_size: int = 0,
    ) -> TestRun:
        """Run it on a packet (BPF_PROG_TEST_RUN); `ctx` is the program type's context structure, or nothing.

        `room` bounds the packet that comes back. With BPF_F_TEST_XDP_LIVE_FRAMES in `flags` nothing comes back.
        Repeats see the packet as the run before left it.
        """
        options = TestRunOpts(repeat=repeat, flags=flags, batch_size=batch_size)
        buffers = []

        def point(name: str, content: bytes | int) -> None:
            buffer = _array(content)() if isinstance(content, int) else _array(len(content)).from_buffer_copy(content)
            buffers.append(buffer)
            setattr(options, name.replace("_size", ""), ctypes.addressof(buffer))
            setattr(options, name, len(buffer))

        live = flags & (1 << 1)
        if data:
            point("data_size_in", data)
            if not live:
                point("data_size_out", room)
        if ctx:
            point("ctx_size_in", ctx)
        if ctx and not live:
            point("ctx_size_out", len(ctx))
        check(lib.bpf_prog_test_run_opts(self.fd, byref(options)), "running a program on a test packet")
        return TestRun(
            options.retval,
            ctypes.string_at(options.data_out, options.data_size_out) if options.data_out else b"",
            ctypes.string_at(options.ctx_out, options.ctx_size_out) if options.ctx_out else b"",
            options.duration,
        )
