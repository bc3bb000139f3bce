"""configs/papers/mobile-*.click, packet by packet: proxy ARP, and IP in IP both ways (Click paper, Figure 14; RFC 2003)."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.configs.traffic import PAPERS

MOBILE, CORRESPONDENT, HOME, FOREIGN = "10.0.0.9", "10.0.0.2", "192.0.2.1", "192.0.2.2"
AGENT = {"home": ("02:00:00:00:00:10", "02:00:00:00:01:10"), "foreign": ("02:00:00:00:00:20", "02:00:00:00:01:20")}
HOST = "02:00:00:00:00:99"


@pytest.fixture
def agent(router):
    """agent("home"): the router, which knows its neighbours: the other agent, and the host on its own network."""

    def make(side):
        near, far = AGENT[side]
        r = router(PAPERS / f"mobile-{side}.click", devices={"eth0": near, "eth1": far})
        other = "foreign" if side == "home" else "home"
        r.write("tunnel/arpq.insert", f"{FOREIGN if side == 'home' else HOME} {AGENT[other][1]}")
        r.write("arpq.insert", f"{CORRESPONDENT if side == 'home' else MOBILE} {HOST}")
        return r

    return make


@pytest.mark.parametrize("side, self, peer, src, dst", [
    ("home", HOME, FOREIGN, CORRESPONDENT, MOBILE), ("foreign", FOREIGN, HOME, MOBILE, CORRESPONDENT),
])  # fmt: skip
def test_packets_travel_in_packets(agent, side, self, peer, src, dst):
    r = agent(side)
    near, far = AGENT[side]
    other = AGENT["foreign" if side == "home" else "home"][1]
    there = IP(src=src, dst=dst, ttl=64, id=7) / UDP(sport=1, dport=2) / b"there"
    r.send("eth0", Ether(src=HOST, dst=near) / there)
    r.expect("eth1", Ether(src=far, dst=other) / IP(src=self, dst=peer, proto=4, ttl=250, id=0) / there)
    back = IP(src=dst, dst=src, ttl=64, id=8) / UDP(sport=2, dport=1) / b"back"
    r.send("eth1", Ether(src=other, dst=far) / IP(src=peer, dst=self, proto=4, ttl=250) / back)
    r.expect("eth0", Ether(src=near, dst=HOST) / back)
    r.expect_nothing()


def test_a_mobile_host_with_one_interface_is_its_own_agent(router):
    """Linux's device has the home address; outside there is only the tunnel."""
    (near, far), other = (HOST, AGENT["foreign"][1]), AGENT["home"][1]
    r = router(PAPERS / "mobile-node.click", devices={"mobile0": near, "eth0": far})
    r.write("tunnel/arpq.insert", f"{HOME} {other}")
    there = IP(src=MOBILE, dst=CORRESPONDENT, ttl=64, id=7) / UDP(sport=1, dport=2) / b"there"
    r.send("mobile0", Ether(src=near, dst=near) / there)
    r.expect("eth0", Ether(src=far, dst=other) / IP(src=FOREIGN, dst=HOME, proto=4, ttl=250, id=0) / there)
    back = IP(src=CORRESPONDENT, dst=MOBILE, ttl=64, id=8) / UDP(sport=2, dport=1) / b"back"
    for inner in (back, IP(src=CORRESPONDENT, dst="10.0.0.66") / UDP()):
        r.send("eth0", Ether(src=other, dst=far) / IP(src=HOME, dst=FOREIGN, proto=4, ttl=250) / inner)
    assert bytes(r.expect("mobile0"))[14:] == bytes(back)
    r.expect_nothing()
    assert r.read("forged.count") == "1"


def test_the_home_agent_answers_for_the_mobile_host_and_nobody_else(agent):
    r = agent("home")
    near, _ = AGENT["home"]
    r.send("eth0", Ether(src=HOST) / ARP(hwsrc=HOST, psrc=CORRESPONDENT, pdst=MOBILE))
    reply = r.expect("eth0")[ARP]
    assert (reply.op, reply.psrc, reply.hwsrc, reply.pdst) == (2, MOBILE, near, CORRESPONDENT)
    r.send("eth0", Ether(src=HOST) / ARP(hwsrc=HOST, psrc=CORRESPONDENT, pdst="10.0.0.8"))
    r.expect_nothing()


def test_the_foreign_agent_answers_for_all_but_the_guest(agent):
    r = agent("foreign")
    for address in (CORRESPONDENT, "10.0.0.1", "192.0.2.77"):
        r.send("eth0", Ether(src=HOST) / ARP(hwsrc=HOST, psrc=MOBILE, pdst=address))
        assert r.expect("eth0")[ARP].psrc == address
    r.send("eth0", Ether(src=HOST) / ARP(hwsrc=HOST, psrc="0.0.0.0", pdst=MOBILE))
    r.expect_nothing()


def test_only_the_peer_can_use_the_tunnel_and_only_for_the_mobile_host(agent):
    for side, self, peer, inner in (
        ("home", HOME, "192.0.2.66", IP(src=MOBILE, dst=CORRESPONDENT)),
        ("home", HOME, FOREIGN, IP(src="10.0.0.66", dst=CORRESPONDENT)),
        ("foreign", FOREIGN, HOME, IP(src=CORRESPONDENT, dst="10.0.0.66")),
    ):
        r = agent(side)
        r.send("eth1", Ether(dst=AGENT[side][1]) / IP(src=peer, dst=self, proto=4) / inner / UDP())
        r.expect_nothing()


def test_what_is_too_long_for_the_tunnel_is_refused_or_cut(agent):
    r = agent("home")
    whole = IP(src=CORRESPONDENT, dst=MOBILE, flags="DF", ttl=9) / UDP() / bytes(1472)
    r.send("eth0", Ether(src=HOST, dst=AGENT["home"][0]) / whole)
    error = r.expect("eth0")
    assert (error[ICMP].type, error[ICMP].code, error[ICMP].nexthopmtu) == (3, 4, 1480)
    whole.flags = 0
    r.send("eth0", Ether(src=HOST, dst=AGENT["home"][0]) / whole)
    pieces = [r.expect("eth1")[IP] for _ in range(2)]
    assert all(piece.len <= 1500 and piece.proto == 4 for piece in pieces)
    assert sum(piece.payload[IP].len - 20 for piece in pieces) == 1480
    r.expect_nothing()
