"""Kills the runtime of a loaded router, as kill -9 does, before one of its steps; Python imports this where its folder is on PYTHONPATH.

$CLICKBPF_KILLING is a folder. Each step appends a byte to the file `steps` in it, and is not taken if that has now as many as the file
`at` says, which need not be there. Steps are the calls of libbpf that change something in the kernel, operations on files and folders
below /run and the bpffs, sockets that begin to listen, and calls of the C core that make, start, exchange or end a router.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

FOLDER = os.environ.get("CLICKBPF_KILLING")
SERVICE = "clickbpf.load.process.service"
PLACES = ("/run/clickbpf", "/sys/fs/bpf", "/proc/self/fd/")  # the last is how a service has its bpffs
FILES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
CHANGING = ("bpf_map_create", "bpf_map_update", "bpf_map_delete", "bpf_obj_", "bpf_link", "bpf_tc", "bpf_object__load", "bpf_prog_load")
CORE = (
    "runtime_create", "runtime_add_xsk", "runtime_initialise", "runtime_start", "runtime_stop", "runtime_adopt_device",
    "runtime_adopt_packets", "runtime_drain", "runtime_refuse", "runtime_destroy",
)  # fmt: skip


def step() -> None:
    with open(Path(FOLDER, "steps"), "ab", buffering=0) as steps:
        steps.write(b".")
        number = steps.tell()  # this one's, whatever other threads have done meanwhile
    with suppress(FileNotFoundError):
        if number == int(Path(FOLDER, "at").read_text()):
            os.kill(os.getpid(), signal.SIGKILL)


def counted(function):
    def call(*arguments):
        step()
        return function(*arguments)

    return call


def audit(event: str, arguments: tuple) -> None:
    changes = event in FILES and str(arguments[0]).startswith(PLACES)
    if event == "open":
        changes = changes and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
    if changes or event == "socket.bind":
        step()


def count_steps() -> None:
    """Of this process, from now on."""
    from clickbpf.load.kernel.libbpf import PROTOTYPES, lib
    from clickbpf.runtime import library

    for name in PROTOTYPES:
        if name.startswith(CHANGING):
            setattr(lib, name, counted(getattr(lib, name)))
    load = library.load_library

    def load_counting(path):
        found = load(path)
        for name in CORE:
            if not hasattr(getattr(found, name), "__wrapped__"):
                wrapped = counted(getattr(found, name))
                wrapped.__wrapped__ = True
                setattr(found, name, wrapped)
        return found

    library.load_library = load_counting
    sys.addaudithook(audit)


def hook() -> None:
    from clickbpf.load.process import keeper

    begin = keeper.begin

    def begin_and_count(folder) -> None:
        begin(folder)
        count_steps()

    keeper.begin = begin_and_count


if FOLDER and SERVICE in sys.orig_argv:
    hook()
