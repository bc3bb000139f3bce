"""Accelerated routers that FRR and BIRD give their routes: a link is cut, runtimes and daemons are killed, under numbered frames."""

import os
import signal
from ipaddress import ip_network

import pytest
from tests.accelerated import Accelerated
from tests.bench.swaps import Traffic
from tests.routed.lab import IPV4, IPV6, NEEDS, Lab, accelerated
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900), pytest.mark.needs(*NEEDS)]
RATE, FLOWS = 4000, 64
#: TTLs at the sink of flows that went through `two`, and by the direct way.
BY_TWO, DIRECT = 61, 62


def goes_on(router: Accelerated) -> None:
    """Frames are forwarded in XDP."""
    forwarded = router.forwarded()
    assert eventually(lambda: router.forwarded() > forwarded + 1000)


@pytest.mark.parametrize("family", [IPV4, IPV6], ids=["ospf", "ospf6"])
def test_a_link_is_cut_and_everybody_is_killed(undo, family):
    lab, table, behind = Lab(undo, family), family.table, family.behind
    by_two, direct = lab.gateway(12, 2), lab.gateway(13, 3)
    assert lab.converges(by_two, direct)
    routers = undo.enter_context(accelerated(lab))
    one, two, three = routers.values()
    both = {f"{direct} 2, {by_two} 1", f"{by_two} 1, {direct} 2"}
    assert eventually(lambda: one.row(behind, table) in both) and two.gets(behind, f"{lab.gateway(23, 3)} 1", table)
    sink = family.host.format(3, 2)
    assert three.gets(behind, f"{sink} 0", table)
    traffic = Traffic(lab.source, lab.sink, RATE, undo, flows=FLOWS, route=lab.route)
    traffic.start()
    undo.callback(traffic.stop)
    # Neighbours are asked for by Linux; from then on XDP forwards by both ways.
    assert eventually(lambda: all(router.read("linux.count") and router.forwarded() > 1000 for router in routers.values()))
    assert {traffic.flow(n).ttl for n in range(FLOWS)} == {BY_TWO, DIRECT}
    before = traffic.lost()
    cut = {n for n in before if traffic.flow(n).ttl == BY_TWO}
    given_up = int(one.read("linux.count"))
    traffic.pause(False)
    # The cut: of its flows those frames are lost that came until the table knew of it, of the others none, and none moves.
    first = traffic.sent
    lab.at["two"].ip("link", "set", "eth1", "down")
    assert one.gets(behind, f"{direct} 2", table) and lab.converges(direct)
    last = traffic.sent
    goes_on(one)
    after = traffic.lost()
    flows = {n: traffic.flow(n) for n in range(FLOWS)}
    assert {n for n in flows if after[n] > before[n]} <= cut
    assert sum(after.values()) - sum(before.values()) <= last - first
    assert {flow.ttl for flow in flows.values()} == {DIRECT} and {n for n in flows if flows[n].moved} == cut
    assert int(one.read("linux.count")) - given_up < last - first + 200
    # Another Ethernet address of the sink: each flow's frames go there soon.
    traffic.pause(False)
    address = "02:00:00:00:33:02"
    lab.sink.ip("link", "set", "eth0", "address", address)
    assert eventually(lambda: f"{sink} {address}" in three.read(f"departure0/{family.next}.table").lower().replace("-", ":"))
    known = [traffic.flow(n).received for n in range(FLOWS)]
    assert eventually(lambda: all(traffic.flow(n).received > known[n] + 1 for n in range(FLOWS)))
    assert traffic.lost() == after
    for n in range(FLOWS):
        flow = traffic.flow(n)
        assert flow.moved == flows[n].moved + 1 and flow.before <= known[n] + 1
    # The daemons die, then the runtime, too: forwarding goes on, in XDP.
    lab.kill("one")
    traffic.pause(False)
    goes_on(one)
    process = alive(RunFolder.of(one.name))
    os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not alive(RunFolder.of(one.name)))
    added, gone = (ip_network(f"{family.host.format(number, 0)}/{family.lengths[0]}") for number in (9, 23))
    lab.at["one"].ip("route", "add", str(added), "via", direct, "dev", "eth2")
    lab.at["one"].ip("route", "del", str(gone))
    goes_on(one)
    assert traffic.lost() == after
    # What changed meanwhile is taken up; and daemons that are there again are followed again.
    one.clickbpf("load", "--resume", "-n", one.name, "-e", "Idle -> Discard")
    assert one.gets(str(added), f"{direct} 2", table) and one.row(behind, table) == f"{direct} 2" and not one.row(str(gone), table)
    lab.start("one")
    assert all(eventually(lambda to=prefix: one.row(to, table) == f"{direct} 2") for prefix in (str(gone), behind))
    # Unloaded in the middle: Linux forwards.
    after = traffic.lost()
    traffic.pause(False)
    goes_on(one)
    received = traffic.received[0]
    one.clickbpf("unload", one.name)
    assert eventually(lambda: traffic.received[0] > received + 1000)
    assert sum(traffic.lost().values()) - sum(after.values()) < RATE // 10
