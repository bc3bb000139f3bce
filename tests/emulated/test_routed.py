"""Routers at work on Linux 6.1, the oldest kernel that clickbpf runs on: in the kernel on XDP and on TC, and in the runtime by all
crossings."""

import pytest

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

from .started import ROOT, asked_for, boot, carrier, needed

pytestmark = [asked_for, needed]
#: A scheduler decides what to pull, so packets go through the runtime, both ways.
QUEUED = """
FromDevice(eth0) -> Queue -> [0] there :: RoundRobinSched -> ToDevice(eth1);
FromDevice(eth1) -> Queue -> [0] back :: RoundRobinSched -> ToDevice(eth0);
Idle -> Queue -> [1] there; Idle -> Queue -> [1] back;
"""
#: What Linux forwards goes through the router on its way out.
OUTBOUND = "".join(
    f"FromOutbound(eth{n}) -> c{n} :: Classifier(12/0800, -) -> MarkIPHeader(14) -> SetIPDSCP(46) -> q{n} :: Queue -> ToDevice(eth{n});"
    f"c{n}[1] -> q{n};"
    for n in (0, 1)
)
WHOLE = {"pings": 3, "tcp 0 1": True, "tcp 1 0": True}


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict:
    """What routed.py saw."""
    library = Library.standard()
    router, queued = check_file(ROOT / "configs" / "iprouter.click", library), check_text(QUEUED, library)
    made = {
        "router-xdp.o": Compilation(router),
        "router-tc.o": Compilation(router, Options(hook=TC)),
        "queued.o": Compilation(queued),
        "queued-tc.o": Compilation(queued, Options(hook=TC)),
        "outbound.o": Compilation(check_text(OUTBOUND, library), Options(hook=TC)),
    }
    files = {name: carrier(each) for name, each in made.items()}
    return boot("routed.py", tmp_path_factory.mktemp("machine"), files, ["veth", "tun", "sch_ingress", "cls_bpf", "act_mirred"])


@pytest.mark.parametrize("which", ["xdp", "tc", "af_xdp", "ring", "af_xdp, tc", "outbound"])
def test_a_routers_life(seen, which):
    """It passes packets, also when its runtime has been killed and is resumed; and leaves nothing."""
    found = seen[which]
    assert found["load"][0] == 0, found["load"]
    assert found["list"]["state"] == "running"
    assert found["passes"] == WHOLE, found
    assert found["killed"] and found["resume"][0] == 0, found["resume"]
    assert found["resumed"][0] == WHOLE and found["resumed"][1]["state"] == "running", found["resumed"]
    assert found["unload"][0] == 0, found["unload"]
    assert (found["more"], found["less"]) == ([], [])


@pytest.mark.parametrize("which, mode", [(XDP, "native"), (TC, "tc"), ("outbound", "tc")])
def test_the_kernel_goes_on_without_the_runtime(seen, which, mode):
    found = seen[which]
    assert found["list"]["mode"] == mode and found["without runtime"] == WHOLE
    assert "nothing was dropped" in found["drops"][1]


def test_tc_is_by_classifiers(seen):
    """The kernel has no TCX."""
    assert "tc_eth0" in seen[TC]["filters"] and "tc_eth1" in seen[TC]["filters"] and "tc_eth" not in seen[XDP]["filters"]
    assert all(f"name tc_eth{number}_outboun" in seen["outbound"]["filters"] for number in (0, 1)), "names end after 15 characters"


@pytest.mark.parametrize("which, way", [("af_xdp", "af_xdp"), ("ring", "ring")])
def test_how_the_runtime_sends(seen, which, way):
    assert seen[which]["list"]["crossings"] == {"eth0": way, "eth1": way}
    assert seen[which]["resumed"][1]["crossings"] == {"eth0": way, "eth1": way}
