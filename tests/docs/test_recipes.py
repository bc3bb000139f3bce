"""What docs/recipes.md promises, packet by packet."""

from itertools import count
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, GRE, Ether
from scapy.layers.vxlan import VXLAN
from tests.docs.markdown import blocks

from clickbpf.compile import Compilation, check_text
from clickbpf.vocabulary.library import Library

PAGE = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text()
CLICK = [block.text for block in blocks(PAGE) if block.language == "click"]
FIREWALL, PORT, SERVERS, LIMIT, LINE, KNOCKING, _, TUNNEL, VXLAN_TUNNEL, SAMPLE, GROUPS = CLICK
PORTS = count(4000)
HERE, THERE = "192.168.0.10", "203.0.113.7"


def tcp(source: str, sport: int, destination: str, dport: int, flags: str):
    return Ether() / IP(src=source, dst=destination) / TCP(sport=sport, dport=dport, flags=flags)


def passes(r, device: str, packet) -> bool:
    return len(r.send(device, packet)) == 1


def test_the_firewall_lets_in_what_was_asked_for(router):
    r = router(FIREWALL)
    asked, answered = tcp(HERE, 4000, THERE, 80, "S"), tcp(THERE, 80, HERE, 4000, "SA")
    assert not passes(r, "eth1", answered)
    assert passes(r, "eth0", asked) and passes(r, "eth1", answered)
    assert not passes(r, "eth1", tcp(THERE, 80, HERE, 4001, "SA")) and not passes(r, "eth1", tcp(THERE, 4000, HERE, 22, "S"))
    error = Ether() / IP(src="198.51.100.1", dst=HERE) / ICMP(type=3, code=3)
    assert passes(r, "eth1", error / asked[IP]) and not passes(r, "eth1", error / tcp(HERE, 9, THERE, 80, "S")[IP])


def test_pings_and_arp_pass_the_firewall(router):
    r = router(FIREWALL)
    reply = Ether() / IP(src=THERE, dst=HERE) / ICMP(type=0, id=7)
    assert not passes(r, "eth1", reply)
    assert passes(r, "eth0", Ether() / IP(src=HERE, dst=THERE) / ICMP(type=8, id=7)) and passes(r, "eth1", reply)
    assert passes(r, "eth0", Ether() / ARP()) and passes(r, "eth1", Ether() / ARP())


def test_a_port_is_forwarded(router):
    r = router(PORT)
    r.send("eth1", tcp(THERE, 4000, "198.51.100.1", 8080, "S"))
    came = r.expect("eth0")
    assert (came[IP].src, came[IP].dst, came[TCP].sport, came[TCP].dport) == (THERE, HERE, 4000, 80)
    r.send("eth0", tcp(HERE, 80, THERE, 4000, "SA"))
    left = r.expect("eth1")
    assert (left[IP].src, left[TCP].sport, left[IP].dst) == ("198.51.100.1", 8080, THERE)
    assert not passes(r, "eth1", tcp(THERE, 4000, "198.51.100.1", 8081, "S"))
    r.send("eth0", tcp(HERE, 5000, THERE, 80, "S"))
    assert r.expect("eth1")[IP].src == "198.51.100.1", "the rest of the network is translated, too"


def test_a_server_that_does_not_answer_gets_no_connections(router):
    """From two seconds on, until it answers again."""
    r = router(SERVERS, simtime=True)
    for server in ("10.0.0.11", "10.0.0.12"):
        r.write("arp.insert", f"{server} 02:00:00:00:00:20")

    def asked(seconds: float, answering: tuple[str, ...]) -> set[str]:
        for _ in range(int(seconds * 2)):
            for out in r.advance(0.5):
                ping = Ether(out.data)
                if ICMP in ping and ping[IP].dst in answering:
                    answer = Ether() / IP(src=ping[IP].dst, dst=ping[IP].src) / ICMP(type=0, id=ping[ICMP].id, seq=ping[ICMP].seq)
                    r.send("eth1", answer)
        return {Ether(r.send("eth0", tcp(THERE, port, "203.0.113.80", 80, "S"))[0].data)[IP].dst for port in (next(PORTS), next(PORTS))}

    both = {"10.0.0.11", "10.0.0.12"}
    assert asked(0, ()) == both
    assert asked(4, ("10.0.0.12",)) == {"10.0.0.12"}
    assert asked(4, tuple(both)) == both


@pytest.mark.parametrize("flags, most", [("S", 20), ("A", 200)])
def test_each_host_has_a_limit(router, flags, most):
    r = router(LIMIT, simtime=True)
    for host in (HERE, "192.168.0.11"):
        sent = r.send("eth0", [tcp(host, port, THERE, 80, flags) for port in range(1, 301)])
        assert len(sent) == most
    assert passes(r, "eth1", tcp(THERE, 80, HERE, 4000, "SA"))


def test_voice_goes_first_on_a_slow_line(router):
    """Of 300 packets of 1014 bytes two thirds wait for more than a second."""
    r = router(LINE, simtime=True)
    bulk, voice = (Ether() / IP(src=HERE, dst=THERE, tos=tos) / UDP() / bytes(972) for tos in (0, 0xB8))
    sent = r.send("eth0", [*[bulk] * 300, voice])
    assert len(sent) < 300
    sent += r.advance(0.05)
    assert any(IP(each.data[14:]).tos == 0xB8 for each in sent) and len(sent) < 300


def test_who_knocks_is_known_for_five_minutes(router):
    r = router(KNOCKING, simtime=True)
    ssh, knock = tcp(THERE, 4000, HERE, 22, "S"), Ether() / IP(src=THERE, dst=HERE) / UDP(sport=9, dport=4321)
    assert not passes(r, "eth1", ssh) and not passes(r, "eth1", knock) and r.read("knocks.count").strip() == "1"
    assert passes(r, "eth1", ssh) and not passes(r, "eth1", tcp("203.0.113.8", 4000, HERE, 22, "S"))
    r.advance(250)
    assert passes(r, "eth1", ssh)
    r.advance(250)
    assert passes(r, "eth1", ssh), "it was used"
    r.advance(320)
    assert not passes(r, "eth1", ssh)
    assert passes(r, "eth1", tcp(THERE, 4000, HERE, 80, "S")) and passes(r, "eth1", Ether() / ARP())


def test_a_tunnel_takes_packets_in_gre(router):
    r = router(TUNNEL)
    ends = ((1, 2, 8), (2, 1, 0))
    asked, answered = (IP(src=f"10.{one}.0.9", dst=f"10.{other}.0.9", ttl=64) / ICMP(type=kind) for one, other, kind in ends)
    r.send("eth0", Ether() / asked)
    assert r.expect("eth1")[ARP].pdst == "192.0.2.2"
    r.send("eth1", Ether() / ARP(op=2, psrc="192.0.2.2", hwsrc="02:00:00:00:01:20", pdst="192.0.2.1", hwdst="02:00:00:00:01:10"))
    came = r.expect("eth1")
    assert (came.dst, came[IP].src, came[IP].dst, came[IP].proto) == ("02:00:00:00:01:20", "192.0.2.1", "192.0.2.2", 47)
    asked.ttl = 63
    assert bytes(came[GRE]) == bytes.fromhex("00000800") + bytes(asked)
    for source, inner, comes in (("192.0.2.2", answered, True), ("192.0.2.3", answered, False), ("192.0.2.2", asked, False)):
        sent = r.send("eth1", Ether() / IP(src=source, dst="192.0.2.1") / GRE(proto=0x0800) / inner)
        assert len(sent) == comes and (not comes or Ether(sent[0].data)[ARP].pdst == "10.1.0.9")


def test_a_tunnel_takes_packets_in_vxlan(router):
    r = router(VXLAN_TUNNEL)
    r.write("net_arp.insert", "192.0.2.2 02:00:00:00:01:20")
    ends = ((1, 4, 8), (4, 1, 0))
    asked, answered = (IP(src=f"10.{one}.0.9", dst=f"10.{other}.0.9", ttl=64) / ICMP(type=kind) for one, other, kind in ends)
    r.send("eth0", Ether() / asked)
    came = r.expect("eth1")
    assert (came[IP].src, came[IP].dst, came[UDP].dport, came[VXLAN].flags, came[VXLAN].vni) == ("192.0.2.1", "192.0.2.2", 4789, 8, 42)
    asked.ttl = 63
    assert bytes(came[VXLAN].payload) == bytes(Ether(src="02:aa:00:00:00:01", dst="02:aa:00:00:00:02") / asked)
    for source, network, comes in (("192.0.2.2", 42, True), ("192.0.2.3", 42, False), ("192.0.2.2", 43, False)):
        outer = Ether() / IP(src=source, dst="192.0.2.1") / UDP(dport=4789) / VXLAN(flags=8, vni=network)
        sent = r.send("eth1", outer / Ether() / answered)
        assert len(sent) == comes and (not comes or Ether(sent[0].data)[ARP].pdst == "10.1.0.9")


def test_groups_reach_both_networks(router):
    r = router(GROUPS)
    packet = Ether(src="02:00:00:00:00:01", dst="01:00:5e:01:02:03") / IP(src=HERE, dst="239.1.2.3", ttl=2) / b"data"
    sent = r.send("eth0", packet)
    packet.src, packet[IP].ttl = "02:00:00:00:00:10", 1
    assert sorted((each.device, each.data[: len(packet)]) for each in sent) == [(device, bytes(packet)) for device in ("eth1", "eth2")]
    packet[IP].ttl = 1
    assert not r.send("eth0", packet), "it ends here"
    packet[IP].ttl, packet[IP].dst = 2, "239.2.0.1"
    assert not r.send("eth0", packet)


def test_a_sample_is_taken_in_the_kernel():
    where = {each.where for each in Compilation(check_text(SAMPLE, Library.standard())).plan.placements.values()}
    assert where == {"xdp", "elided"}
