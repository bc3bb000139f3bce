"""Accelerated routers that FRR and BIRD give their routes: a link is cut, runtimes and daemons are killed, under numbered frames."""

import os
import signal
import time

import pytest
from tests.bench.swaps import Traffic
from tests.routed.lab import BEHIND, NEEDS, Lab, accelerated
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive

pytestmark = [pytest.mark.whole, pytest.mark.needs(*NEEDS)]
RATE, FLOWS = 4000, 64
#: TTLs at the sink of flows that went through `two`, and by the direct way.
BY_TWO, DIRECT = 61, 62


def lost(traffic: Traffic) -> dict[int, int]:
    """By flow, the frames that have not arrived when none is on its way any more."""
    traffic.pause(True)
    assert eventually(lambda: (before := traffic.received, time.sleep(0.3), before == traffic.received)[-1])
    return {n: (traffic.sent - 1 - n) // FLOWS + 1 - traffic.flow(n).received for n in range(FLOWS)}


def test_a_link_is_cut_and_everybody_is_killed(undo):
    lab = Lab(undo)
    assert lab.converges("10.0.12.2", "10.0.13.3")
    routers = undo.enter_context(accelerated(lab))
    one, two = routers["one"], routers["two"]
    both = {"10.0.13.3 2, 10.0.12.2 1", "10.0.12.2 1, 10.0.13.3 2"}
    assert eventually(lambda: one.row(BEHIND) in both) and two.gets(BEHIND, "10.0.23.3 1")
    assert routers["three"].gets(BEHIND, "10.0.3.2 0")
    traffic = Traffic(lab.source, lab.sink, RATE, undo, flows=FLOWS, route=lab.route)
    traffic.start()
    undo.callback(traffic.stop)
    # Neighbours are asked for by Linux; from then on XDP forwards by both ways.
    assert eventually(lambda: all(router.read("linux.count") and router.forwarded() > 1000 for router in routers.values()))
    assert {traffic.flow(n).ttl for n in range(FLOWS)} == {BY_TWO, DIRECT}
    before = lost(traffic)
    by_two = {n for n in before if traffic.flow(n).ttl == BY_TWO}
    given_up = int(one.read("linux.count"))
    traffic.pause(False)
    # The cut: of its flows those frames are lost that came until the table knew of it, of the others none, and none moves.
    first = traffic.sent
    lab.at["two"].ip("link", "set", "eth1", "down")
    assert one.gets(BEHIND, "10.0.13.3 2") and lab.ways("one") == {"10.0.13.3"}
    last, forwarded = traffic.sent, one.forwarded()
    assert eventually(lambda: one.forwarded() > forwarded + 1000)
    after = lost(traffic)
    flows = {n: traffic.flow(n) for n in range(FLOWS)}
    assert {n for n in flows if after[n] > before[n]} <= by_two
    assert sum(after.values()) - sum(before.values()) <= last - first
    assert {flow.ttl for flow in flows.values()} == {DIRECT} and {n for n in flows if flows[n].moved} == by_two
    assert int(one.read("linux.count")) - given_up < last - first + 200
    # Another Ethernet address of the sink: each flow's frames go there soon.
    traffic.pause(False)
    address = "02:00:00:00:33:02"
    lab.sink.ip("link", "set", "eth0", "address", address)
    assert eventually(lambda: f"10.0.3.2 {address}" in routers["three"].read("departure0/next.table").lower().replace("-", ":"))
    known = [traffic.flow(n).received for n in range(FLOWS)]
    assert lost(traffic) == after
    for n in range(FLOWS):
        flow = traffic.flow(n)
        assert flow.moved == flows[n].moved + 1 and flow.before <= known[n] + 1
    # Nobody is there any more: neither the runtime, nor the daemons. Forwarding goes on, in XDP.
    traffic.pause(False)
    process = alive(RunFolder.of(one.name))
    os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not alive(RunFolder.of(one.name)))
    lab.kill("one")
    lab.at["one"].ip("route", "add", "10.9.0.0/16", "via", "10.0.13.3")
    lab.at["one"].ip("route", "del", "10.0.23.0/24")
    forwarded = one.forwarded()
    assert eventually(lambda: one.forwarded() > forwarded + 1000)
    assert lost(traffic) == after
    # What changed meanwhile is taken up.
    one.clickbpf("load", "--resume", "-n", one.name, "-e", "Idle -> Discard")
    assert one.gets("10.9.0.0/16", "10.0.13.3 2") and one.row(BEHIND) == "10.0.13.3 2" and not one.row("10.0.23.0/24")
    # Unloaded in the middle: Linux forwards.
    traffic.pause(False)
    received = traffic.received[0]
    one.clickbpf("unload", one.name)
    assert eventually(lambda: traffic.received[0] > received + 1000)
    assert sum(lost(traffic).values()) - sum(after.values()) < RATE // 10
