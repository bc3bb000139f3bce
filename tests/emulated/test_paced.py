"""Packets wait in the qdisc fq until the times that a router on TC gave them, where there is fq; elsewhere in the runtime."""

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.objects.hooks import TC
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

from .started import asked_for, boot, carrier, needed

pytestmark = [asked_for, needed]
RATE, CAPACITY = 50, 100
ROUTER = f"""
FromDevice(eth0) -> p :: Pacer({RATE}, {CAPACITY}) -> Queue -> ToDevice(eth1);
FromDevice(eth1) -> Queue -> ToDevice(eth0);
"""
#: As paced.py has them.
SENT, FLOWS = 250, 7


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict:
    """What paced.py saw."""
    files = {"paced.o": carrier(Compilation(check_text(ROUTER, Library.standard()), Options(hook=TC)))}
    modules = ["veth", "tun", "sch_ingress", "cls_bpf", "act_mirred", "sch_fq"]
    return boot("paced.py", tmp_path_factory.mktemp("machine"), files, modules)


@pytest.mark.parametrize("which", ["fq", "small fq", "pfifo", "mixed"])
def test_packets_leave_at_the_rate(seen, which):
    """They leave at the rate, over a second and more; all that didn't are drops for lack of room."""
    found = seen[which]
    assert found["load"][0] == 0 and found["unload"][0] == 0, found
    times = [at for at, _ in found["passed"]]
    assert len(times) > CAPACITY and len(times) + int(found["drops"]) == SENT
    assert (times[-1] - times[0]) * RATE == pytest.approx(len(times) - 1, rel=0.05)
    assert found["length"] == "0"


@pytest.mark.parametrize("which, in_kernel", [("fq", True), ("small fq", False), ("pfifo", False)])
def test_where_packets_wait(seen, which, in_kernel):
    """Where fq has no room for all that may wait, none waits there."""
    assert seen[which]["kept"] > CAPACITY * 9 // 10 if in_kernel else seen[which]["kept"] == 0


ADVICE = "packets of p wait in user space: tc qdisc replace dev eth1 root fq"


@pytest.mark.parametrize("which, said", [("fq", ""), ("mixed", ""), ("small fq", f"{ADVICE} flow_limit 100\n"), ("pfifo", f"{ADVICE}\n")])
def test_what_is_said_when_the_router_is_loaded(seen, which, said):
    assert said in seen[which]["load"][1] and ("fq" in seen[which]["load"][1]) == bool(said)


@pytest.mark.parametrize("which, flows", [("fq", FLOWS), ("small fq", 1), ("pfifo", 1)])
def test_packets_leave_in_order(seen, which, flows):
    """Those of a flow; where two flows' times are over already, fq takes turns."""
    numbers = [number for _, number in seen[which]["passed"]]
    for flow in range(flows):
        of_flow = [number for number in numbers if number % flows == flow]
        assert of_flow == sorted(of_flow)
