"""Follows a packet through a test instance of a router, without touching the running router or the machine.

    python -m clickbpf.ui.probe

reads a request from standard input, as JSON, and prints the paths of packets, or {"errors": ...}. The whole router runs in user space, in
this process; its devices are memory, and its time is simulated. Before any element starts, the process is confined: it gets a network
namespace of its own, runs as nobody, and can't write to files.
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
from clickbpf.ui.paths import plain_path
from clickbpf.vocabulary.library import Library

#: Simulated seconds that pass after the packet, and CPU seconds that this process may use.
AFTER, COMPUTING = 1.0, 30
#: The most paths and packets to report.
MOST = 100
NOBODY = 65534
PR_SET_NO_NEW_PRIVS = 38


@frozen
class ProbeRequest:
    """A configuration with its file's name, devices and variables, and a packet (hexadecimal digits) for one of its devices."""

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
        os.dup2(2, 1)  # so that elements' output isn't mixed with the answer
        try:
            found = probe(request)
        except ClickError as error:
            found = {"errors": list(map(plain, error.diagnostics))}
        json.dump(found, answer)


def probe(request: ProbeRequest) -> dict[str, Any]:
    """The paths of all packets, and the packets that left by devices."""
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
    return {"paths": list(map(plain_path, packets.ready(True))), "sent": sent[:MOST]}


def confine() -> None:
    """Enter a new network namespace, become nobody, and lose the ability to write to files. ClickError without root, since other users
    can't become nobody, and elements could then truncate these users' files.
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
