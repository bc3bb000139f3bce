"""A test instance of a router, into which a packet is sent and followed, without touching the running router or the machine.

    python -m clickbpf.ui.probe

reads a request from standard input, as JSON, and prints the packet's ways, or {"errors": ...}. The whole router runs in this
process, all of it in user space; its devices are memory, and its time is simulated. Before any element begins to work, the
process is confined: it has a network namespace of its own, runs as nobody, and can't write into files.
"""

import ctypes
import json
import os
import resource
import sys
import time
from typing import Any

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.graph.checked import CheckedRouter
from clickbpf.load.kernel.namespaces import CLONE_NEWNET
from clickbpf.messages import plain
from clickbpf.observe.traced.events import events
from clickbpf.observe.traced.packets import Names, Packets
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import WIRE
from clickbpf.ui.ways import plain_way
from clickbpf.vocabulary.library import Library

#: Seconds that pass for the router after the packet, and seconds of CPU that this process may use.
AFTER, COMPUTING = 1.0, 30
#: The most ways and packets that are reported.
MOST = 100
NOBODY = 65534
PR_SET_NO_NEW_PRIVS = 38


@frozen
class ProbeRequest:
    """A configuration with what its file's name, devices and variables are, and a packet (hexadecimal digits) for one of its devices."""

    name: str
    text: str
    library: list[str]
    variables: dict[str, str]
    devices: dict[str, str]
    device: str
    packet: str


def main() -> None:
    request = ProbeRequest(**json.load(sys.stdin))
    with os.fdopen(os.dup(1), "w") as answer:
        os.dup2(2, 1)  # elements may print
        try:
            found = probe(request)
        except ClickError as error:
            found = {"errors": list(map(plain, error.diagnostics))}
        json.dump(found, answer)


def probe(request: ProbeRequest) -> dict[str, Any]:
    """The result: the ways of all packets, and the packets that left by devices."""
    library = Library.standard(request.library)
    checked = check_text(request.text, library, request.variables, name=request.name, devices=request.devices)
    made = Compilation(checked)
    if request.device not in made.devices:
        raise ClickError(f"the router has no device {request.device}")
    runtime = Runtime(made)
    runtime.add_memory_devices()
    runtime.set_clock(time.time_ns())
    for number, device in enumerate(made.devices, 1):
        runtime.set_address(device, bytes((2, 0, 0, 0, 0, number)))
    confine()
    runtime.initialise()
    runtime.settle()
    for device in made.devices:
        runtime.collect(device)
    return _follow(runtime, checked, request.device, bytes.fromhex(request.packet))


def _follow(runtime: Runtime, checked: CheckedRouter, device: str, packet: bytes) -> dict[str, Any]:
    with runtime.locked():
        trace = runtime.begin_trace((), (), 1, MOST)
    runtime.inject(device, packet)
    runtime.advance(round(AFTER * 1e9))
    told = trace.read()[0]
    written = {type(e).class_name(): e.annotations for e in checked.instances.values()}
    names = Names([(name, type(e).class_name()) for name, e in checked.instances.items()], runtime.devices, written)
    packets = Packets(names, time.monotonic)
    for event in events(told):
        packets.add(event)
    sent = [[each, data.hex(" ")] for each in runtime.devices for data in runtime.collect(each, WIRE)]
    return {"ways": list(map(plain_way, packets.ready(True))), "sent": sent[:MOST]}


def confine() -> None:
    """Enter a new network namespace, become nobody, and lose the ability to write into files. ClickError if that is impossible: a
    user who isn't root can't become another, and would keep the right to empty the files that elements write.
    """
    if os.geteuid() != 0:
        hint = "run `clickbpf ui` as root for test instances, or trace the loaded router"
        raise ClickError("a test instance can't be confined: only root can make it another user's", hint=hint)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET):
        raise ClickError(f"a test instance can't be confined: {os.strerror(ctypes.get_errno())}")
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, COMPUTING))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


if __name__ == "__main__":
    main()
