"""Queues, schedulers and shapers after the kernel path, which hands packets over at the Queues."""

import pytest

from clickbpf.compile import check_text
from clickbpf.plan import plan
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.vocabulary.library import Library

#: IP packets to one queue by whether they are TCP, everything else to the other input of a MixedQueue.
CONFIGURATION = """
FromDevice(eth0) -> counted :: Counter -> c :: Classifier(12/0800 23/06, 12/0800, -);
c[0] -> tcp :: FrontDropQueue(100) -> [0]sched :: {scheduler};
c[1] -> [0]rest :: MixedQueue(100) -> [1]sched;
c[2] -> [1]rest;
sched -> {behind} ToDevice(eth1);
"""
SCHEDULERS = ("PrioSched", "RoundRobinSched", "StrideSched(2, 1)", "DRRSched(300)", "TimeSortedSched", "PullSwitch(1)")


def test_the_kernel_path_hands_over_at_the_queues():
    text = CONFIGURATION.format(scheduler="PrioSched", behind="Shaper(10) ->")
    places = plan(check_text(text, Library.standard())).placements
    assert {name: places[name].where for name in ("counted", "c", "tcp", "rest", "sched")} == {
        "counted": "xdp", "c": "xdp", "tcp": "user", "rest": "user", "sched": "user"
    }  # fmt: skip


@pytest.mark.needs("root")
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_both_executors_agree(scheduler):
    assert_equivalent(CONFIGURATION.format(scheduler=scheduler, behind=""), 2000)


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    "splitter",
    ["Meter(4000000)", "BandwidthMeter(4194303Bps)", "RatedSplitter(4000000000)", "BandwidthRatedSplitter(4000000000Bps)"],
)
def test_both_executors_agree_on_splitters(splitter):
    """At rates that no test reaches: packets that are handed over come back complete."""
    text = f"FromDevice(eth0) -> s :: {splitter} -> Queue -> ToDevice(eth1); s[1] -> Queue -> ToDevice(eth2);"
    assert_equivalent(text, 500, ignore_handlers=["s.*"])


@pytest.mark.executors("native", "bpf", "live")
@pytest.mark.parametrize(
    "scheduler, behind", [("DRRSched", ""), ("StrideSched(1, 1)", "Shaper(200) ->"), ("RoundRobinSched", "RED(90, 95, 0.1) ->")]
)
def test_packets_pass(router, scheduler, behind):
    r = router(CONFIGURATION.format(scheduler=scheduler, behind=behind))
    for kind, protocol in (("0800", 6), ("0800", 17), ("0806", 0)):
        frame = bytes(12) + bytes.fromhex(kind) + bytes(9) + bytes([protocol]) + bytes(36)
        r.send("eth0", frame)
        if not behind.startswith("Shaper") or r.executor.name == "live":
            r.expect("eth1", frame)
    assert r.read("counted.count") == "3"
