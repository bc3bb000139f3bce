"""What a router wholly in user space forwards between two veth pairs, by each way that packets can leave it, beside a bare redirect and
Linux' own forwarding, in one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import forwarding
from kernel import NEXT_HOP, NEXT_MAC

from clickbpf.testing.netns import Namespace

#: Where the generator's packets are for.
ROUTER_MAC = "02:00:00:00:00:10"
QUEUES = """
    FromDevice(eth0) -> low :: Queue(4096) -> [1] sched :: PrioSched -> ToDevice(eth1);
    Idle -> high :: Queue -> [0] sched;
    Script(print "ready");
"""


def measure() -> Iterator[tuple[str, float]]:
    """(name, packets a second)."""
    return forwarding.compared(
        {
            forwarding.CEILING: forwarding.redirecting("forward_mapped"),
            "Linux": linux,
            "user space, --crossing af_xdp": forwarding.running(QUEUES, "--no-kernel", "--crossing", "af_xdp"),
            "user space, --crossing ring": forwarding.running(QUEUES, "--no-kernel", "--crossing", "ring"),
        }
    )


@contextmanager
def linux(router: Namespace) -> Iterator[None]:
    """The stack forwards, with a route and a neighbour."""
    before = router.mac("eth0")
    addresses = {"eth0": "10.0.0.1/24", "eth1": "10.0.1.1/24"}
    router.ip("link", "set", "eth0", "address", ROUTER_MAC)
    router.sysctl("net.ipv4.ip_forward", "1")
    for device, address in addresses.items():
        router.address(device, address)
    router.neighbour("eth1", NEXT_HOP, NEXT_MAC)
    try:
        yield
    finally:
        router.sysctl("net.ipv4.ip_forward", "0")
        for device in addresses:
            router.ip("address", "flush", "dev", device)
        router.ip("link", "set", "eth0", "address", before)
