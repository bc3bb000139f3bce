"""Whether routers can be loaded here, and what would make them faster: the kernel probed, the machine and its devices looked at.

Nothing is changed. `examine` gives all findings, each with its cure.
"""

from collections.abc import Iterable, Iterator

from clickbpf.doctor import devices, kernel, machine
from clickbpf.doctor.finding import Finding


def examine(names: Iterable[str] = ()) -> Iterator[Finding]:
    """All findings on the kernel, the machine, and the devices of these names, by default all except the loopback."""
    yield from kernel.examine()
    yield from machine.examine()
    yield from devices.examine(names)
