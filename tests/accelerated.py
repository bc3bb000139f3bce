"""Linux routers that `clickbpf accelerate` is over, and what it has of Linux's tables."""

import re
from collections.abc import Sequence

from tests.configs.conftest import Loaded
from tests.waiting import eventually

from clickbpf.testing.netns import Namespace


class Accelerated(Loaded):
    """A loaded configs/linuxrouter.click, for these devices."""

    def __init__(self, where: Namespace, name: str, devices: Sequence[str] = ("eth0", "eth1"), *options: str):
        self.name, self.where, self.devices = name, where, devices
        self.clickbpf("accelerate", "-n", name, *options, *devices)

    def forwarded(self) -> int:
        """Packets that XDP has forwarded."""
        return sum(int(self.read(f"out{number}.count")) for number in range(len(self.devices)))

    def row(self, prefix: str, table: str = "rt") -> str | None:
        """What the table has for a prefix."""
        found = re.search(rf"^{re.escape(prefix)} (.*)$", self.read(f"{table}.table"), re.MULTILINE)
        return found and found[1]

    def gets(self, prefix: str, row: str | None, table: str = "rt") -> bool:
        return eventually(lambda: self.row(prefix, table) == row, 10)
