"""Who did the work, the kernel or the runtime: the sums of all counters of a loaded router, as bpftool sees them.

    python demo/work.py /sys/fs/bpf/clickbpf/<router>

prints two numbers. All elements' counters are in one map, which has an entry for each CPU that the machine may have, written by the
kernel, and after those one for each thread of the runtime.
"""

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
    slots = [_counts(slot) for slot in _slots(pins / "maps" / "data%2Ecounters")]
    return Work(sum(slots[:cpus]), sum(slots[cpus:]))


def _slots(pinned: Path) -> list[dict]:
    """The elements' counters, for each CPU and thread."""
    done = subprocess.run(["bpftool", "-j", "map", "dump", "pinned", pinned], stdout=subprocess.PIPE, check=True)
    (array,) = json.loads(done.stdout)[0]["formatted"]["value"][".data.counters"]
    return array["counters"]


def _counts(slot: dict[str, dict]) -> int:
    return sum(count for fields in slot.values() for count in fields.values() if isinstance(count, int))


if __name__ == "__main__":
    done = work(Path(sys.argv[1]))
    print(done.kernel, done.runtime)
