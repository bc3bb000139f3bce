"""Who did the work, the kernel or the runtime: the sums of all counters of a loaded router, as bpftool sees them.

    python demo/work.py /sys/fs/bpf/clickbpf/<router>

prints two numbers. An element's counters are a map, which has a value for each CPU that the machine may have, written by the
kernel, and behind those one for each thread of the runtime.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Work:
    """Sums over all elements."""

    kernel: int
    runtime: int


def work(pins: Path) -> Work:
    """The work done so far by the router pinned there."""
    cpus = int(re.findall(r"\d+", Path("/sys/devices/system/cpu/possible").read_text())[-1]) + 1
    dumps = [_dump(pinned) for pinned in (pins / "elements").rglob("counters")]
    return Work(sum(sum(sums[:cpus]) for sums in dumps), sum(sum(sums[cpus:]) for sums in dumps))


def _dump(pinned: Path) -> list[int]:
    """For each value of a map the sum of the counts in it."""
    done = subprocess.run(["bpftool", "-j", "map", "dump", "pinned", pinned], stdout=subprocess.PIPE, check=True)
    return [_counts(entry["formatted"]["value"]) for entry in json.loads(done.stdout)]


def _counts(fields: dict) -> int:
    return sum(count for count in fields.values() if isinstance(count, int))


if __name__ == "__main__":
    done = work(Path(sys.argv[1]))
    print(done.kernel, done.runtime)
