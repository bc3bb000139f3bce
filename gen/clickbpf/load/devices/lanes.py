"""The CPUs that a router's packets are spread over (spread.py)."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.objects.manifest import Manifest

#: The fields that a packet's CPU can depend on, in the order of enum fields (bpf/spread.bpf.c); the first is the default.
FIELDS = ("flow", "hosts", "src", "dst")
#: The number of lanes, each of which leads to a CPU.
LANES = 256
#: The variable of programs with the thread that each CPU is, and its length (bpf/exits_xdp.h).
THREAD_OF_CPU, MOST_CPUS = "thread_of_cpu", 1024
CPUS = Path("/sys/devices/system/cpu/online")


@frozen
class Lanes:
    """The CPUs that packets are spread over, and the fields that decide."""

    cpus: tuple[int, ...]
    fields: str = FIELDS[0]
    #: The CPU that handovers pass, by default the first. It stays the same when routers and CPUs change: one CPU runs the programs of one
    #: queue at a time, so old and new queues never use a socket at once.
    handing: int = -1

    def __post_init__(self) -> None:
        if self.handing < 0:
            object.__setattr__(self, "handing", self.cpus[0])

    @classmethod
    def parse(cls, text: str) -> Lanes:
        """Parse CPUS[,FIELDS] of the command line; ValueError with a message if it is wrong."""
        *words, last = text.split(",")
        fields, words = (last, words) if last in FIELDS else (FIELDS[0], [*words, last])
        cpus = cpus_of(",".join(words)) if words else ()
        if not 0 < len(cpus) <= LANES:
            raise ValueError(f"'{text}' names no CPU" if not cpus else f"'{text}' names more than {LANES} CPUs")
        return cls(cpus, fields)

    def __str__(self) -> str:
        return ",".join([*map(str, self.cpus), *([] if self.fields == FIELDS[0] else [self.fields])])

    def of(self, manifest: Manifest, device: str) -> Lanes:
        """The lanes of a device: one CPU if the configuration gives its packets one thread."""
        thread = manifest.homes.get(device)
        return self if thread is None else replace(self, cpus=(self.cpu(thread),))

    def cpu(self, thread: int) -> int:
        """The CPU that a thread of the configuration is."""
        return self.cpus[thread % len(self.cpus)]

    def threads(self) -> bytes:
        """The thread that each CPU is; 0 for CPUs that are none."""
        return struct.pack(f"={MOST_CPUS}H", *(self.cpus.index(cpu) if cpu in self.cpus else 0 for cpu in range(MOST_CPUS)))

    def content(self) -> bytes:
        """The bytes of struct lanes."""
        return struct.pack(f"={1 + LANES}I", FIELDS.index(self.fields), *(self.cpus[n % len(self.cpus)] for n in range(LANES)))


def cpus_of(text: str) -> tuple[int, ...]:
    """The CPUs in a list such as 0,2-3; ValueError with a message if it isn't one."""
    return tuple(dict.fromkeys(cpu for word in text.split(",") for cpu in _range(word)))


def _range(word: str) -> range:
    found = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", word)
    if not found:
        raise ValueError(f"'{word}' is neither a CPU, nor a range of CPUs such as 0-3, nor one of {', '.join(FIELDS)}")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def online(option: str, cpus: Sequence[int]) -> None:
    """ClickError if one of these CPUs, which an option gives, isn't there."""
    there = CPUS.read_text().strip()
    if missing := [str(cpu) for cpu in cpus if cpu not in cpus_of(there)]:
        raise ClickError(f"{option}: there is no CPU {', '.join(missing)}", hint=f"online are {there}")
