"""Queues of CPUs between elements of a router (plan/hops.py), each with a thread of the kernel's own; and that of handovers, which replaces
those of the devices' Spreads.

They belong to the router's own maps and programs: packets in them are processed by the programs that put them there. The CPU of a queue can
change while packets flow (vocabulary/lane.py).
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from clickbpf.frozen import frozen
from clickbpf.load.kernel.fds import Map
from clickbpf.objects.manifest import HANDING, HANDING_QUEUE, WAITING
from clickbpf.vocabulary.lane import CPU_AT, LANE, LANE_COUNT
from clickbpf.vocabulary.state import View

#: The number of frames in a queue, whose capacity the elements check: the most that the kernel allows.
ROOM = 16_384
#: The longest time in seconds to wait for packets in queues, and the time between two checks.
PATIENCE, GLANCE = 0.2, 0.0005
#: In `where`: the lane moves.
MOVING = 1 << 32
#: A variable of the programs.
HANDING_CPU = "handing_cpu"
PROC = Path("/proc")


class Lane:
    """Packets that have entered and left a queue, and its CPU; in the kernel's memory."""

    def __init__(self, memory: memoryview):
        self._counts = View(LANE, memory, 1)

    def counts(self) -> tuple[int, int]:
        """How many have entered, and left."""
        left = self._counts.left  # read first, since the other may only grow
        return self._counts.entered & LANE_COUNT, left

    @property
    def cpus(self) -> dict[int, None]:
        """The CPU that processes packets, and the one whose queue they enter, which is another one while the lane moves."""
        return dict.fromkeys((self._counts.where & 0xFFFFFFFF, self._counts.entered >> CPU_AT))

    @property
    def moves(self) -> bool:
        return self._counts.where >= MOVING

    def begin(self, cpu: int) -> None:
        """Have a lane that never had a packet begin on a CPU."""
        self._counts.entered, self._counts.where = cpu << CPU_AT, cpu

    def move(self, cpu: int) -> None:
        """Have a CPU, which has a queue, process packets from now on. The lane mustn't be moving."""
        self._counts.where = cpu | MOVING


@frozen
class Used:
    """The thread of a lane, whether it is still moving there, and the nanoseconds of CPU time that its packets took."""

    thread: int
    moves: bool
    busy: int


class Hops:
    """The queues of a kernel path, by the elements in which the packets wait. They can be moved as the runtime's tasks can, among the
    CPUs of --spread, which are threads of the configuration."""

    def __init__(self, path: Any):
        self._path = path
        self._hops = {hop.element: hop for hop in path.manifest.hops}
        self.threads = len(path.lanes.cpus)

    def begin(self) -> None:
        """Give each queue the CPU that the configuration says."""
        for name, hop in self._hops.items():
            self._lane(name).begin(self._path.lanes.cpu(hop.thread))

    def open(self) -> None:
        """Create the queues that packets go to, and are processed from."""
        for name, hop in self._hops.items():
            for cpu in self._lane(name).cpus:
                self._open(hop.map, cpu, hop.program)
        self._open(HANDING_QUEUE, self._path.lanes.handing, HANDING)

    def settle(self) -> None:
        """Wait, but not for long, until the packets that now wait have been processed, and what these hand over is in the sockets."""
        end = time.monotonic() + PATIENCE
        for _ in self._hops:  # those of one queue may come to another
            for name in self._hops:
                _wait(self._lane(name).counts, end)
        _wait(Lane(self._path.memory(WAITING)[0]).counts, end)

    # -- as of tasks (runtime/tasks.py) -------------------------------------------------------------------------------

    def names(self) -> list[str]:
        return list(self._hops)

    def state(self, name: str) -> Used:
        """LookupError if the kernel's threads can't be seen."""
        lane, queues = self._lane(name), self._path.maps[self._hops[name].map]
        cpu, cpus = next(iter(lane.cpus)), self._path.lanes.cpus
        thread = cpus.index(cpu) if cpu in cpus else -1
        there = (each for each in cpus if queues.lookup(each) is not None)
        return Used(thread, lane.moves, sum(_spent(each, queues.info().id) for each in there))

    def move(self, name: str, thread: int) -> None:
        """Move a lane to another CPU, unless it is moving already."""
        lane, hop, cpu = self._lane(name), self._hops[name], self._path.lanes.cpu(thread)
        if not lane.moves:
            self._open(hop.map, cpu, hop.program)
            lane.move(cpu)

    def _lane(self, name: str) -> Lane:
        place = next(each for each in self._path.manifest.states if (each.element, each.state) == (name, "lane"))
        return Lane(self._path.memory(place.map)[0][place.offset :])

    def _open(self, name: str, cpu: int, program: str) -> None:
        queues: Map = self._path.maps[name]
        if queues.lookup(cpu) is None:
            queues.update(cpu, struct.pack("=Ii", ROOM, self._path.programs[program].fd))


def _spent(cpu: int, queues: int) -> int:
    """The CPU time that the thread of a queue has used."""
    return int(_thread(f"cpumap/{cpu}/map:{queues}").joinpath("schedstat").read_text().split()[0])


@lru_cache(maxsize=256)  # of the queues of a few builds: each change of the router has new ones
def _thread(name: str) -> Path:
    """The folder in /proc of a thread of the kernel. LookupError if it can't be seen."""
    for folder in PROC.glob("[0-9]*"):
        try:
            if folder.joinpath("comm").read_text().rstrip("\n") == name:
                return folder
        except OSError:
            pass  # it has ended
    raise LookupError(name)


def _wait(counts: Callable[[], tuple[int, int]], end: float) -> None:
    """Wait until as many have left as have entered by now."""
    wanted, _ = counts()
    while counts()[1] < wanted and time.monotonic() < end:
        time.sleep(GLANCE)
