"""The way to user space and back: what a router forwards that is wholly there, or has one element of the IP router there, by each way that
packets can cross (--crossing), beside a bare redirect and Linux' own forwarding, in one run.

On two CPUs frames are received on one, the generator's, and the runtime has the other. On one CPU all of them take turns, and far more
frames come than the runtime can take: what it gets done then is the output under overload.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench import forwarding
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC

from clickbpf.testing.netns import Namespace

#: Where the generator's packets are for.
ROUTER_MAC = "02:00:00:00:00:10"
QUEUES = """
    FromDevice(eth0) -> low :: Queue(4096) -> [1] sched :: PrioSched -> ToDevice(eth1);
    Idle -> high :: Queue -> [0] sched;
    Script(print "ready");
"""
WAYS = ("af_xdp", "ring")


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, packets a second in each round), on two CPUs."""
    return forwarding.compared(forwarders(), effort)


def measure_on_one_cpu(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """The same on one CPU."""
    return forwarding.compared(forwarders(), effort, on_one_cpu=True)


def forwarders() -> dict[str, forwarding.Forwarder]:
    found = {forwarding.CEILING: forwarding.redirecting("forward_mapped"), "Linux": linux}
    for way in WAYS:
        found[f"queues in user space, --crossing {way}"] = forwarding.running(QUEUES, "--no-kernel", "--crossing", way)
    for way in WAYS:
        found[f"IP router, one element in user space, --crossing {way}"] = punting(way)
    return found


def punting(way: str) -> forwarding.Forwarder:
    """All packets that the IP router forwards meet an element in user space, the last before they leave."""
    return forwarding.routing("punted :: Null ->", "--user", "punted", "--crossing", way)


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
