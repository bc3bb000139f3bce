"""Nobody polls: in a running router that waits for packets, tokens or time, the threads sleep."""

from tests.elements.running import running
from tests.runtime.asleep import threads, wakes_rarely

#: Packets wait in all queues, and none may pass for long.
WAITING = [
    "Shaper(1) -> Unqueue",
    "BandwidthShaper(100Bps) -> Unqueue",
    "RatedUnqueue(1, BURST_SIZE 1)",
    "BandwidthRatedUnqueue(100Bps, BURST_BYTES 1)",
    "DelayShaper(100s) -> Unqueue",
    "DelayUnqueue(100s)",
    "LinkUnqueue(100s, 100Bps)",
    "TimedUnqueue(100s)",
    "[0] RoundRobinSched -> Shaper(1) -> Unqueue",
    "[0] DRRSched(3) -> Shaper(1) -> Unqueue",
    "CoDel -> DelayShaper(100s) -> Unqueue",
]
#: Nothing waits.
EMPTY = ["RoundRobinSched", "PrioSched", "StrideSched(1, 2)", "DRRSched", "TimeSortedSched", "PullSwitch"]


def sleeps(configuration: str, devices: list[str]) -> bool:
    """Whether the router's threads sleep once it has settled down."""
    others = threads()
    runtime = running(configuration)
    try:
        runtime.add_memory_devices()
        runtime.initialise()
        for device in devices * 50:
            runtime.inject(device, bytes(200), settle=False)
        runtime.start()
        return wakes_rarely(threads() - others)
    finally:
        runtime.close()


def test_who_waits_for_time_sleeps():
    chains = "".join(f"FromDevice(a{i}) -> Queue -> {chain} -> Discard;" for i, chain in enumerate(WAITING))
    assert sleeps(chains, [f"a{i}" for i in range(len(WAITING))])


def test_who_waits_for_packets_sleeps():
    text = "".join(
        f"s{i} :: {scheduler}; FromDevice(a{i}) -> Queue -> [0]s{i}; FromDevice(b{i}) -> FrontDropQueue -> [1]s{i};"
        f"s{i} -> Unqueue -> Discard;"
        for i, scheduler in enumerate(EMPTY)
    )
    assert sleeps(text, [f"a{i}" for i in range(len(EMPTY))])
