"""Nobody polls: in a running router that waits for packets, tokens or time, the threads sleep."""

import time

from clickbpf.compile import check_text
from clickbpf.library import Library
from clickbpf.runtime.host import Runtime

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


def processor_time(configuration: str, devices: list[str]) -> float:
    """Seconds that the process needs in half a second, once the router has settled down."""
    runtime = Runtime(check_text(configuration, Library.standard()))
    try:
        runtime.add_memory_devices()
        runtime.initialise()
        for device in devices * 50:
            runtime.inject(device, bytes(200), settle=False)
        runtime.start()
        time.sleep(0.2)
        before = time.process_time()
        time.sleep(0.5)
        return time.process_time() - before
    finally:
        runtime.close()


def test_who_waits_for_time_sleeps():
    chains = "".join(f"FromDevice(a{i}) -> Queue -> {chain} -> Discard;" for i, chain in enumerate(WAITING))
    assert processor_time(chains, [f"a{i}" for i in range(len(WAITING))]) < 0.1


def test_who_waits_for_packets_sleeps():
    text = "".join(
        f"s{i} :: {scheduler}; FromDevice(a{i}) -> Queue -> [0]s{i}; FromDevice(b{i}) -> FrontDropQueue -> [1]s{i};"
        f"s{i} -> Unqueue -> Discard;"
        for i, scheduler in enumerate(EMPTY)
    )
    assert processor_time(text, [f"a{i}" for i in range(len(EMPTY))]) < 0.1
