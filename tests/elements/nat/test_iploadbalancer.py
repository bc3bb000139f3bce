"""IPLoadBalancer and IPLoadBalancerReverse: servers for packets, and Maglev's consistent hashing."""

from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address
from random import Random

from elements.nat._maglev import populate, prime_from
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

SERVERS = [f"10.1.0.{n}" for n in range(1, 6)]
DSTS = ", ".join(f"DST {server}" for server in SERVERS)
random = Random(3)
FLOWS = [
    IP(src=str(IPv4Address(random.getrandbits(31))), dst="10.0.0.1") / UDP(sport=random.getrandbits(16), dport=80) / bytes(20)
    for _ in range(60)
]
VIP6, SERVERS6 = "2001:db8::80", [f"2001:db8:1::{n}" for n in range(1, 4)]
BALANCER6 = f"VIP {VIP6}, {', '.join(f'DST {server}' for server in SERVERS6)}, SEED 5"
FLOWS6 = [IPv6(src=str(IPv6Address(random.getrandbits(124))), dst=VIP6) / UDP(sport=n, dport=80) / bytes(n % 7) for n in range(30)]


def balancer(mode: str, more: str = "") -> str:
    return f"IPLoadBalancer(VIP 10.0.0.1, {DSTS}, LB_MODE {mode}, SEED 5{more})"


def sent_to(x, flows=FLOWS) -> list[str]:
    """Where flows' packets go, with right checksums: scapy computes those that are expected."""
    found = []
    for packet in flows:
        x.send(packet)
        seen = x.expect(0)
        wanted, server = type(packet)(bytes(packet)), type(packet)(seen.data).dst
        for layer in wanted.getlayer(IP), wanted[UDP]:
            if layer:
                del layer.chksum
        wanted.dst = server
        assert seen.data == bytes(wanted)
        assert seen.carried.annotations.startswith(ip_address(server).packed)
        found.append(server)
    return found


def test_in_turn(element):
    x = element(balancer("rr", ", NSERVER 3"), headers="ip-checked")
    assert sent_to(x, FLOWS[:7]) == [SERVERS[n % 3] for n in range(7)]
    x.write("add_server", "")
    x.write("active0", "false")
    assert (x.read("nb_active_servers"), x.read("nb_total_servers"), x.read("active1")) == ("3", "5", "true")
    assert set(sent_to(x, FLOWS[:6])) == set(SERVERS[1:4])
    for _ in range(3):
        x.write("remove_server", "")
    x.drops(FLOWS[0])
    assert x.dropped("NO_ROUTE") == 1


def test_flows_keep_their_server_and_few_move_when_one_goes(element):
    """Maglev: of the flows of servers that stay, hardly any moves (NSDI 2016, 5.3); plain hashing moves most."""
    x = element(balancer("cst_hash", ", FORCE_TRACK_LOAD true"), headers="ip-checked")
    before = sent_to(x)
    assert sent_to(x) == before
    assert set(before) == set(SERVERS) and max(Counter(before).values()) < 30
    assert x.read("load_packets") == " ".join(str(2 * before.count(server)) for server in SERVERS)
    x.write("active2", "false")
    after = sent_to(x)
    moved = [a for a, b in zip(after, before) if a != b and b != SERVERS[2]]
    assert SERVERS[2] not in after and len(moved) < 8
    x.write("active2", "true")
    assert sent_to(x) == before


def test_a_table_is_shared_evenly():
    """NSDI 2016, 5.3: with 100 places for each, servers' shares differ by about one per cent; and who leaves gives away only its own."""
    names = [bytes([10, 0, 0, n]) for n in range(20)]
    size = prime_from(2000)
    table = populate(names, size)
    assert size == 2003 and {table.count(n) for n in range(20)} <= {100, 101}
    rest = populate(names[:-1], size)
    assert sum(a != b for a, b in zip(table, rest) if a != 19) < size // 10


def test_fragments_go_by_addresses(element):
    x = element(balancer("hash"), headers="ip-checked")
    first, later = IP(FLOWS[0].build()), IP(src=FLOWS[0].src, dst="10.0.0.1", proto=17, frag=9) / bytes(30)
    first.flags = "MF"
    del first.chksum
    servers = []
    for packet in (first, later):
        x.send(packet)
        servers.append(IP(x.expect(0).data).dst)
    assert servers[0] == servers[1]


def test_by_load(element):
    """The least packets, of all servers; and of two, so that a loaded one gets the rest only where both are the same."""
    x = element(balancer("least", ", LST_MODE packets"), headers="ip-checked")
    assert sent_to(x, FLOWS[:7]) == [SERVERS[n % 5] for n in range(7)]
    x.write("active2", "false")
    assert sent_to(x, FLOWS[:4]) == [SERVERS[n] for n in (3, 4, 0, 1)]
    two = element(balancer("pow2", ", LST_MODE cpu"), headers="ip-checked")
    two.write("load", "0:100,3:90")
    assert two.read("load") == "100 0 0 90 0"
    assert 0 < sum(server == SERVERS[0] for server in sent_to(two)) < 9


def test_answers(element):
    x = element("IPLoadBalancerReverse(lb)", headers="ip-checked", declarations=f"Idle -> lb :: {balancer('rr')} -> Discard;")
    answer = IP(src=SERVERS[1], dst="1.2.3.4") / UDP(sport=80, dport=5) / bytes(9)
    x.send(answer)
    wanted = answer.copy()
    wanted.src = "10.0.0.1"
    x.expect(0, wanted)


def test_ipv6(element):
    x = element(f"IPLoadBalancer({BALANCER6}, LB_MODE hash_ip)", headers="ip6-checked")
    assert set(sent_to(x, FLOWS6)) == set(SERVERS6)
    one = [IPv6(src="2001:db8:9::1", dst=VIP6) / UDP(sport=port) for port in range(9)]
    assert len(set(sent_to(x, one))) == 1
    lb = f"Idle -> lb :: IPLoadBalancer({BALANCER6}) -> Discard;"
    reverse = element("FlowIPLoadBalancerReverse(lb)", headers="ip6-checked", declarations=lb)
    reverse.send(IPv6(src=SERVERS6[0], dst="2001:db8:9::1") / UDP(sport=80, dport=1))
    reverse.expect(0, IPv6(src=VIP6, dst="2001:db8:9::1") / UDP(sport=80, dport=1))


PUNTS = [
    Reach(balancer("cst_hash"), headers="ip-checked"),
    Reach("IPLoadBalancerReverse(lb)", headers="ip-checked", declarations=f"Idle -> lb :: {balancer('cst_hash')} -> Discard;"),
]


def test_mistakes(refused):
    assert "VIP" in refused("IPLoadBalancer(DST 1.2.3.4)")
    assert "there are 1 servers, not 2" in refused("IPLoadBalancer(VIP 1.2.3.4, DST 1.2.3.5, NSERVER 2)")
    assert "2001:db8::1 and VIP 1.2.3.4 are of different IP versions" in refused("IPLoadBalancer(VIP 1.2.3.4, DST 2001:db8::1)")
    assert "knows no connections" in refused("IPLoadBalancer(VIP 1.2.3.4, DST 1.2.3.5, LB_MODE least)")


MODES = ("rr", "hash", "cst_hash_ip", "hash_agg")
CASES = [Case(balancer("least", ", LST_MODE bytes"), headers="ip-checked", packets=400)]
CASES += [Case(balancer(mode, ", FORCE_TRACK_LOAD true"), headers="ip-checked", packets=400) for mode in MODES]
