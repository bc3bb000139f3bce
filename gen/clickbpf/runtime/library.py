"""The runtime's C library and a compiled router, by ctypes."""

import _ctypes
import ctypes
import os
import shutil
import tempfile
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_long, c_uint8, c_uint32, c_uint64, c_void_p
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.runtime import tracing
from clickbpf.runtime.memory import MemoryEntry

#: The sides of a device by which packets leave: enum device_side of userspace/device.h.
WIRE, HOST, SNIFFERS = "wire", "host", "sniffers"
SIDES = {WIRE: 0, HOST: 1, SNIFFERS: 2}

_RUNTIME, _DEVICE, _SIDE = c_void_p, c_uint32, c_int


class AnnotationRange(ctypes.Structure):
    """struct anno_range of userspace/runtime.h."""

    _fields_ = [("offset", c_uint8), ("length", c_uint8)]


class TaskState(ctypes.Structure):
    """struct task_state of userspace/runtime.h."""

    _fields_ = [("thread", c_int), ("tickets", c_uint32), ("scheduled", c_uint32), ("busy", c_uint64)]


#: Descriptors by enum sending_file of userspace/runtime.h.
SendingFiles = c_int * 6


class SendingCounts(ctypes.Structure):
    """struct sending_counts of userspace/runtime.h."""

    _fields_ = [("frames", c_uint64), ("sockets", c_uint64), ("pauses", c_uint64)]


#: Answers an element's question: (element, value) -> answer.
HOST_FUNCTION = ctypes.CFUNCTYPE(c_long, c_uint32, c_uint32)

#: name -> (result, arguments), as userspace/runtime.h declares them.
_PROTOTYPES = {
    "runtime_create": (c_void_p, [c_void_p, POINTER(MemoryEntry), c_void_p, c_uint32, c_uint32, c_uint32]),
    "runtime_destroy": (None, [_RUNTIME]),
    "runtime_set_handed": (None, [_RUNTIME, c_void_p, c_uint32]),
    "runtime_set_handovers": (c_int, [_RUNTIME, c_uint32, POINTER(AnnotationRange), c_uint32]),
    "runtime_add_looks": (c_int, [_RUNTIME, c_int, c_uint32]),
    "runtime_look": (None, [_RUNTIME]),
    "runtime_initialise": (c_int, [_RUNTIME, POINTER(c_uint32), c_uint64]),
    "runtime_complaint": (c_char_p, [_RUNTIME]),
    "runtime_start": (c_int, [_RUNTIME]),
    "runtime_pin": (c_int, [_RUNTIME, c_uint32]),
    "runtime_stop": (None, [_RUNTIME]),
    "runtime_inject": (c_int, [_RUNTIME, _DEVICE, c_char_p, c_uint32]),
    "runtime_push": (c_int, [_RUNTIME, c_uint32, c_int, c_char_p, c_uint32]),
    "runtime_handover": (c_int, [_RUNTIME, c_char_p, c_uint32, c_int]),
    "runtime_settle": (c_long, [_RUNTIME, c_long]),
    "runtime_control": (c_int, [_RUNTIME, c_uint32, c_int, c_uint64]),
    "runtime_lock": (None, [_RUNTIME]),
    "runtime_unlock": (None, [_RUNTIME]),
    "runtime_set_host": (None, [_RUNTIME, HOST_FUNCTION, c_int]),
    "runtime_clock": (c_uint64, [_RUNTIME]),
    "runtime_wall_clock": (c_uint64, [_RUNTIME]),
    "runtime_add_runs": (None, [_RUNTIME, c_int]),
    "runtime_runs": (c_int, [_RUNTIME]),
    "runtime_set_clock": (None, [_RUNTIME, c_uint64]),
    "runtime_warp": (None, [_RUNTIME, c_double, c_int]),
    "runtime_take_clock": (None, [_RUNTIME, _RUNTIME]),
    "runtime_next_timer": (c_uint64, [_RUNTIME]),
    "runtime_seed": (None, [_RUNTIME, c_uint64]),
    "runtime_packets": (c_long, [_RUNTIME]),
    "runtime_set_address": (None, [_RUNTIME, _DEVICE, POINTER(c_uint8)]),
    "runtime_set_l3": (None, [_RUNTIME, _DEVICE]),
    "runtime_account": (None, [_RUNTIME]),
    "runtime_refuse": (None, [_RUNTIME]),
    "runtime_unstick": (c_uint32, [_RUNTIME]),
    "runtime_add_memory": (c_int, [_RUNTIME, _DEVICE, _SIDE]),
    "runtime_add_xsk": (c_int, [_RUNTIME, _DEVICE, c_char_p, c_uint32, c_int, c_int]),
    "runtime_set_sending": (c_int, [_RUNTIME, SendingFiles]),
    "runtime_has_sending": (c_bool, [_RUNTIME]),
    "runtime_end_sending": (None, [_RUNTIME]),
    "runtime_set_ring": (c_int, [_RUNTIME, _DEVICE, c_uint32]),
    "runtime_has_ring": (c_bool, [_RUNTIME, _DEVICE]),
    "runtime_sending_counts": (None, [_RUNTIME, POINTER(SendingCounts)]),
    "runtime_adopt_sending": (None, [_RUNTIME, _RUNTIME]),
    "runtime_move": (c_int, [_RUNTIME, c_uint32, c_int]),
    "runtime_task": (c_int, [_RUNTIME, c_uint32, POINTER(TaskState)]),
    "runtime_set_tickets": (c_int, [_RUNTIME, c_uint32, c_uint32]),
    "runtime_add_host": (c_int, [_RUNTIME, _DEVICE, _SIDE, c_int, c_uint32]),
    "runtime_drain": (None, [_RUNTIME]),
    "runtime_adopt_device": (c_int, [_RUNTIME, _DEVICE, _RUNTIME, _DEVICE]),
    "runtime_adopt_packets": (None, [_RUNTIME, _RUNTIME, c_long]),
    "runtime_exchange": (c_int, [_RUNTIME, c_void_p, POINTER(MemoryEntry)]),
    "runtime_is_still": (c_bool, [_RUNTIME]),
    "runtime_uncollected": (c_long, [_RUNTIME]),
    "runtime_collect": (c_long, [_RUNTIME, _DEVICE, _SIDE, c_void_p, c_uint32]),
}


def load_library(path: Path) -> ctypes.CDLL:
    """The runtime's library with the prototypes of its functions, loaded once for each content."""
    content = path.stem.rpartition("-")[0]
    if content in _libraries:
        return _libraries[content]
    library = _libraries[content] = _open(path)
    for name, (result, arguments) in (_PROTOTYPES | tracing.PROTOTYPES).items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


#: Libraries by the hash of their sources.
_libraries: dict[str, ctypes.CDLL] = {}


class RouterObject:
    """A router's shared object. Each running router loads its own copy, and so has variables of its own."""

    _loaded: set[Path] = set()
    _choosing = threading.Lock()

    def __init__(self, path: Path):
        with self._choosing:
            self._path = path if path not in self._loaded else None
            self._loaded.add(path)
        self._object = _open(path) if self._path else _open_copy(path)

    @property
    def code(self) -> int:
        """The address of the router's description (struct router_code)."""
        return ctypes.addressof(ctypes.c_char.in_dll(self._object, "router_code"))

    def close(self) -> None:
        """Unload the object; nothing of the router may be used any more."""
        if self._object is not None:
            _ctypes.dlclose(self._object._handle)
            self._object = None
            self._loaded.discard(self._path)


def _open(path: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise ClickError(f"cannot load the compiled router: {error}") from None


def _open_copy(path: Path) -> ctypes.CDLL:
    """Copy the file: the dynamic loader identifies objects by inode, so a copy is another object."""
    with tempfile.TemporaryDirectory(prefix="clickbpf-") as directory:
        copy = Path(directory) / path.name
        shutil.copyfile(path, copy)
        return _open(copy)
