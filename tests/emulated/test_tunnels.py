"""Routers of L3 devices that this machine's kernel may not have: IP tunnels and WireGuard, on TC."""

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.objects.hooks import TC
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

from .started import asked_for, boot, carrier, needed

pytestmark = [asked_for, needed]
#: As tunnels.py has them.
OWN, FAR, AMOUNT = "02:00:00:00:01:01", "02:00:00:00:01:02", 200_000
NAMES = ("ipip", "sit", "gre", "gre, IPv6 inside", "ip6tnl", "ip6gre", "wireguard")
#: The Ethernet type, the check, and one hop less.
VERSIONS = {4: ("0800", "CheckIPHeader", "DecIPTTL"), 6: ("86dd", "CheckIP6Header", "DecIP6HLIM")}
ROUTER = """
FromDevice(t0) -> from :: Counter -> {check} -> {less} -> EtherEncap(0x{type}, {own}, {far}) -> Queue -> {out}ToDevice(eth1);
FromDevice(eth1) -> c :: Classifier(12/{type}, -) -> Strip(14) -> {check} -> to :: Counter -> {less} -> Queue -> {out}ToDevice(t0);
c[1] -> ToHost;
"""
#: A scheduler decides what to pull, so packets leave by the runtime.
OUT = {"kernel": "", "runtime": "RoundRobinSched -> "}
WHOLE = {"pings": 3, "udp": [9, 900], "tcp 0 1": True, "tcp 1 0": True}


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict:
    """What tunnels.py saw."""
    texts = {"reading": "FromDevice(t0) -> Discard;"}
    for version, (number, check, less) in VERSIONS.items():
        for where, out in OUT.items():
            texts[f"{where}{version}"] = ROUTER.format(type=number, check=check, less=less, own=OWN, far=FAR, out=out)
    library = Library.standard()
    files = {f"{name}.o": carrier(Compilation(check_text(text, library), Options(hook=TC))) for name, text in texts.items()}
    tunnels = ["ipip", "sit", "ip_gre", "ip6_tunnel", "ip6_gre", "wireguard"]
    return boot("tunnels.py", tmp_path_factory.mktemp("machine"), files, ["veth", "sch_ingress", "cls_bpf", "act_mirred", *tunnels])


@pytest.mark.parametrize("where", OUT)
@pytest.mark.parametrize("name", NAMES)
def test_packets_pass(seen, name, where):
    found = seen[name][where]
    assert found["load"][0] == 0 and found["unload"][0] == 0, found
    assert found["passes"] == WHOLE, found
    assert min(found["from"], found["to"]) > AMOUNT // 1500, "each segment is counted"
    assert "DEVICE" not in found["drops"]
    assert where == "runtime" or found["without runtime"] == WHOLE


@pytest.mark.parametrize("name", ["gre", "ip6gre"])
def test_devices_with_a_header_in_front(seen, name):
    found = seen[f"aimless {name}"]
    for status, said in (found["both"], found["reading"]):
        assert status == 1 and "packets of t0 begin with the tunnel's header" in said and "remote ADDRESS" in said, found
    assert "begin with the tunnel's header" in found["doctor"]


def test_devices_that_can_only_be_read(seen):
    found = seen["aimless ipip"]
    assert found["both"][0] == 1 and "t0 has no remote address" in found["both"][1], found
    assert found["reading"][0] == 0, found
