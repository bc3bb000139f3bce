"""Runs a command line of clickbpf and kills its process, as kill -9 does, before its n-th step.

Steps are the calls of libbpf that change something in the kernel, and the operations on files and folders below /run and the bpffs. With
N = 0 it ends by itself; in any case it says on standard error how many steps there were.
"""

import os
import signal
import sys

from clickbpf.cli.main import main
from clickbpf.load.kernel.libbpf import PROTOTYPES, lib

PLACES = ("/run/clickbpf", "/sys/fs/bpf")
FILES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
CHANGING = ("bpf_map_create", "bpf_obj_pin", "bpf_link", "bpf_tc", "bpf_object__load", "bpf_prog_load")
CALLS = [name for name in PROTOTYPES if name.startswith(CHANGING)]


def run(last: int, words: list[str]) -> int:
    taken = 0

    def step() -> None:
        nonlocal taken
        taken += 1
        if taken == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, arguments: tuple) -> None:
        if event in FILES and str(arguments[0]).startswith(PLACES) and (event != "open" or arguments[2] & (os.O_WRONLY | os.O_RDWR)):
            step()

    def counted(function):
        def call(*arguments):
            step()
            return function(*arguments)

        return call

    for name in CALLS:
        setattr(lib, name, counted(getattr(lib, name)))
    sys.addaudithook(audit)
    status = main(words)
    sys.stderr.write(f"{taken} steps\n")
    return status
