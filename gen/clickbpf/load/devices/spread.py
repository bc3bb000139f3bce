"""Spreads a device's packets over CPUs: each has a queue with a kernel thread (cpumap), in which the router's program runs.

The device's program (bpf/spread.bpf.c) chooses a packet's queue by its flow. Queues and programs represent the router's attachment, as a
dispatcher's member does (member.py): one store changes the router, while packets in the queues stay in order. They are pinned in a folder
of their own, beside the link that attaches them. An AF_XDP socket allows one producer, so handovers go through one more queue, on
the first CPU.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from clickbpf.closing import Closing
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.frozen import frozen
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.frags import WHOLE_MTU
from clickbpf.load.devices.hops import GLANCE, HANDING_CPU, PATIENCE
from clickbpf.load.devices.lanes import Lanes, online
from clickbpf.load.devices.links import Link, LinkInfo, attach_tracepoint, attach_xdp
from clickbpf.load.devices.need import Asked, Need, entered
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import Fd, Map, Program
from clickbpf.load.kernel.libbpf import BpfError, lib
from clickbpf.load.kernel.objects import Object
from clickbpf.messages import show
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET

#: The number of frames in a queue.
ROOM = 2048
LEVEL, SLOT = struct.Struct("=3Q"), 0
MAPS, TRACEPOINTS = ("path", "queues", "handing", "sockets", "lanes", "levels"), ("queued", "taken")
#: enum bpf_map_type
BPF_MAP_TYPE_CPUMAP = 16


@frozen
class Level:
    """The packets for a CPU: all that entered its queue, those that still wait in it, and those that it had no room for."""

    cpu: int
    queued: int
    depth: int
    refused: int


class Spread(Closing):
    """CPUs' queues, and once they have a `link`, the attachment of a router's program."""

    def __init__(self, maps: Mapping[str, Map], programs: Mapping[str, Program], tracepoints: Sequence[Link], link: Link | None = None):
        self._maps, self._programs, self._tracepoints, self._link = maps, programs, tracepoints, link

    @classmethod
    def made(cls, device: Device, lanes: Lanes) -> Spread:
        """Create the queues for a device, without attaching them. ClickError if the kernel can't."""
        from clickbpf.compile import helper_object  # `list` needs no compiler

        content = helper_object("spread").read_bytes()
        with explained(f"the packets of {device} can't be spread over CPUs"):
            try:
                return cls._loaded(content, lanes, TRACEPOINTS)
            except BpfError as error:
                made = cls._loaded(content, lanes, ())
                show([Diagnostic(None, f"how many packets wait for CPUs is not known: {error.diagnostics[0].message}", severity="warning")])
                return made

    @classmethod
    def _loaded(cls, content: bytes, lanes: Lanes, tracepoints: Sequence[str]) -> Spread:
        cpus = lib.libbpf_num_possible_cpus()
        with ExitStack() as undo, Object(content, "spread") as helper:
            queues = {name: undo.enter_context(Map.create(BPF_MAP_TYPE_CPUMAP, name, 4, 8, cpus)) for name in ("queues", "handing")}
            for name, made in queues.items():
                helper.set_max_entries(name, cpus)
                helper.reuse(name, made)
                helper.set_variable(f"{name}_id", made.info().id)
            helper.set_max_entries("levels", cpus + 1)
            helper.set_variable("handing_level", cpus)
            helper.set_variable(HANDING_CPU, lanes.handing)
            helper.set_variable("key", os.urandom(16))
            for name in TRACEPOINTS:
                helper.set_autoload(name, name in tracepoints)
            helper.load()
            maps = {name: queues.get(name) or undo.enter_context(helper.map(name)) for name in MAPS}
            programs = {name: undo.enter_context(helper.program(name)) for name in ("spread", "entered")}
            links = []
            for name in tracepoints:
                with helper.program(name) as program:
                    links.append(undo.enter_context(attach_tracepoint(program)))
            with helper.program("handed") as handed:
                maps["handing"].update(lanes.handing, struct.pack("=Ii", ROOM, handed.fd))
            spread = cls(maps, programs, links)
            spread.choose(lanes)
            undo.pop_all()
        return spread

    def choose(self, lanes: Lanes) -> bytes:
        """Send packets to these CPUs from now on. Packets that wait for other CPUs are processed there. Returns what was chosen before, for
        choose_again()."""
        before = self._maps["lanes"].lookup(SLOT)
        for cpu in lanes.cpus:
            if self._maps["queues"].lookup(cpu) is None:
                self._maps["queues"].update(cpu, struct.pack("=Ii", ROOM, self._programs["entered"].fd))
        self.choose_again(lanes.content())
        return before

    def choose_again(self, content: bytes) -> None:
        """Send packets to CPUs that were chosen before."""
        self._maps["lanes"].update(SLOT, content)

    def attach(self, program: Program, ifindex: int) -> None:
        """Attach the queues to a device, and the router's program to the queues."""
        self.update(program)
        self._link = attach_xdp(self._programs["spread"], ifindex, "native")

    def again(self) -> Spread:
        """The same with duplicated descriptors."""
        maps, programs = ({name: _again(each) for name, each in those.items()} for those in (self._maps, self._programs))
        return Spread(maps, programs, [_again(each) for each in self._tracepoints], self._link and _again(self._link))

    def keep(self, folder: Path) -> None:
        """Pin everything except the link in a new folder."""
        folder.mkdir(parents=True)
        for name, each in (*self._maps.items(), *self._programs.items(), *zip(TRACEPOINTS, self._tracepoints)):
            each.pin(folder / name)

    def pin(self, path: Path) -> None:
        """Pin the link."""
        self._link.pin(path)

    @classmethod
    def pinned(cls, folder: Path, link: Path | None = None) -> Spread:
        """Open what was pinned; BpfError if something is missing."""
        with ExitStack() as undo:
            maps = {name: undo.enter_context(Map.pinned(folder / name)) for name in MAPS}
            programs = {name: undo.enter_context(Program.pinned(folder / name)) for name in ("spread", "entered")}
            tracepoints = [undo.enter_context(Link.pinned(folder / name)) for name in TRACEPOINTS if (folder / name).exists()]
            held = undo.enter_context(Link.pinned(link)) if link else None
            undo.pop_all()
        return cls(maps, programs, tracepoints, held)

    def info(self) -> LinkInfo:
        """The router's program, and the device, as a link reports them."""
        info = self._link.info()
        info.prog_id = int.from_bytes(self._maps["path"].lookup(SLOT) or b"", sys.byteorder)
        return info

    def at_device(self) -> int:
        """The id of the program at the device, which isn't the router's own."""
        return self._link.info().prog_id

    def update(self, program: Program) -> None:
        """Swap the program; no packet passes without one."""
        self._maps["path"].update(SLOT, program.fd)

    def detach(self) -> None:
        """Detach from the device. Packets in the queues are still processed, as long as a descriptor or pin holds the queues."""
        self._link.detach()

    def show_socket(self, socket: int) -> None:
        """Send handovers to this socket, which is that of the device's first queue."""
        self._maps["sockets"].update(SLOT, socket)

    def settle(self) -> None:
        """Wait until all handovers that are queued now are in the socket, but not for long: the CPU may be busy with other work."""
        wanted, _, taken = self._level(lib.libbpf_num_possible_cpus())
        end = time.monotonic() + PATIENCE
        while taken < wanted and time.monotonic() < end:
            time.sleep(GLANCE)
            _, _, taken = self._level(lib.libbpf_num_possible_cpus())

    def levels(self) -> list[Level]:
        """The levels of all CPUs that have had packets."""
        found = ((cpu, *self._level(cpu)) for cpu in range(lib.libbpf_num_possible_cpus()))
        return [Level(cpu, queued, max(0, queued - taken), refused) for cpu, queued, refused, taken in found if queued or refused]

    def queues(self) -> tuple[int, int]:
        """The ids of the maps of queues: for received packets, and for handovers."""
        return self._maps["queues"].info().id, self._maps["handing"].info().id

    def _level(self, index: int) -> tuple[int, ...]:
        return LEVEL.unpack_from(self._maps["levels"].lookup(index))

    def close(self) -> None:
        for each in (*self._maps.values(), *self._programs.values(), *self._tracepoints, *filter(None, [self._link])):
            each.close()


def _again(held: Fd) -> Any:
    return type(held)(os.dup(held.fd))


class Spreading(Need):
    """With --spread, devices have native XDP and frames in one buffer, and the CPUs are online."""

    def check(self, request: Asked) -> None:
        if request.spread is None and request.manifest.hops:
            raise ClickError("the object has queues between CPUs, and needs --spread")
        if request.spread is None:
            return
        if request.manifest.hook == TC:
            raise ClickError("--spread is for XDP", hint="leave out --spread, or --hook tc; on TC 'rps_cpus' of a device spreads packets")
        if request.mode == "generic":
            raise ClickError("--spread needs native XDP: in generic mode handovers don't survive a CPU's queue", hint="leave out --mode")
        if request.priority is not None:
            raise ClickError("--spread takes a device's XDP hook for the router alone", hint="leave out --multi, or --spread")
        if request.manifest.frags:
            hint = f"MTUs of up to {WHOLE_MTU}, or no --spread"
            raise ClickError("--spread is for devices that have each frame in one buffer", hint=hint)
        online("--spread", request.spread.cpus)


def spread_devices(request: Asked) -> Iterator[Device]:
    """The devices whose packets are spread."""
    return (device for device in (entered(request) if request.spread else ()) if device.configured != INLET)
