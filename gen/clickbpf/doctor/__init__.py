"""Examines whether routers can be loaded here, and what would make them faster: probes the kernel, and reads settings of the machine and

its devices. Nothing is changed. `examine` yields all findings, with cures.
"""

from collections.abc import Iterable, Iterator

from clickbpf.doctor import devices, kernel, machine
from clickbpf.doctor.finding import Finding


def examine(names: Iterable[str] = ()) -> Iterator[Finding]:
    """All findings on the kernel, the machine, and these devices; by default on all that are up, except the loopback."""
    yield from kernel.examine()
    yield from machine.examine()
    yield from devices.examine(names)
