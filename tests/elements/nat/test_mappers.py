"""RoundRobinIPMapper, SourceIPHashMapper, IPRewriterPatterns: what chooses for rewriters."""

from collections import Counter

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import udp

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

#: What happens here is the runtime's part; that the kernel path does the same is test_equivalence.py's business.
pytestmark = pytest.mark.executors("native")

SERVERS = ["10.0.0.1", "10.0.0.2", "10.0.0.3"]


def balancer(mapper: str) -> str:
    return f"""
        m :: {mapper};
        x :: IPRewriter(m, pass 1);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x; x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x; x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
    """


def round_robin(servers=SERVERS) -> str:
    return balancer(f"RoundRobinIPMapper({', '.join(f'- - {server} - 0 1' for server in servers)})")


def hashing(servers=SERVERS) -> str:
    texts = (f"- - {server} - 0 1 {SERVERS.index(server)}" for server in servers)
    return balancer(f"SourceIPHashMapper(50 7, {', '.join(texts)})")


def server_of(r, client: str, port: int = 5000) -> str:
    """Where a packet to the service goes."""
    r.send("in0", Ether() / udp(client, port, "1.1.1.1", 80))
    return r.expect("out0")[IP].dst


def test_patterns_in_turn(router):
    r = router(round_robin())
    assert [server_of(r, "9.9.9.9", port) for port in range(5000, 5005)] == [*SERVERS, *SERVERS[:2]]
    # Known flows don't count; answers come from the service.
    assert server_of(r, "9.9.9.9", 5000) == SERVERS[0]
    r.forwards("in1", Ether() / udp(SERVERS[0], 80, "9.9.9.9", 5000), "out1", Ether() / udp("1.1.1.1", 80, "9.9.9.9", 5000))
    assert server_of(r, "9.9.9.9", 6000) == SERVERS[2]
    assert r.read("x.patterns") == "<mapper> [6]\n<nochange>\n"
    assert r.read("m.patterns") == "".join(f"- - {server} - 0 1\n" for server in SERVERS)


def test_patterns_can_be_taken_out_and_changed(router):
    r = router(round_robin())
    assert server_of(r, "9.9.9.9", 5000) == SERVERS[0]
    r.write("m.active0", "false")
    assert [server_of(r, "9.9.9.9", port) for port in (5001, 5002, 5003)] == [SERVERS[1], SERVERS[2], SERVERS[1]]
    assert server_of(r, "9.9.9.9", 5000) == SERVERS[0], "its flow goes on"
    assert (r.read("m.active0"), r.read("m.patterns").splitlines()[0]) == ("false", "- - 10.0.0.1 - 0 1 (inactive)")
    r.write("m.pattern0", "- - 10.0.0.9 - 0 1")
    r.write("m.active0", "true")
    assert "10.0.0.9" in [server_of(r, "9.9.9.9", port) for port in (6000, 6001, 6002)]
    for number in (0, 1, 2):
        r.write(f"m.active{number}", "false")
    r.send("in0", Ether() / udp("9.9.9.9", 7000, "1.1.1.1", 80))
    r.expect_nothing()
    assert r.read("x.mapping_failures") == "1"


def test_a_pattern_without_a_free_port_is_passed_over(router):
    r = router(balancer("RoundRobinIPMapper(2.0.0.1 1024-1025# - - 0 1, 2.0.0.2 1024-65535# - - 0 1)"))
    sources = []
    for port in range(5000, 5006):
        r.send("in0", Ether() / udp("9.9.9.9", port, "1.1.1.1", 80))
        packet = r.expect("out0")
        sources.append((packet[IP].src, packet.sport))
    assert sources == [(f"2.0.0.{n}", port) for n, port in ((1, 1024), (2, 1024), (1, 1025), (2, 1025), (2, 1026), (2, 1027))]


#: Click's hash makes most of the last byte.
CLIENTS = [f"9.{a}.7.{b}" for a in range(4) for b in range(0, 250, 5)]


@pytest.fixture
def choices(router):
    """choices(configuration) is the server of each client."""

    def ask(text: str) -> dict[str, str]:
        r = router(text)
        found = {client: server_of(r, client) for client in CLIENTS}
        assert all(server_of(r, client, 6000) == found[client] for client in CLIENTS[:20])
        return found

    return ask


def test_clients_keep_their_server_when_one_is_taken_away(choices):
    all_three, two = choices(hashing()), choices(hashing(SERVERS[1:]))
    assert min(Counter(all_three.values()).values()) > len(CLIENTS) / 10
    assert all(two[client] == server for client, server in all_three.items() if server != SERVERS[0])
    assert {two[client] for client, server in all_three.items() if server == SERVERS[0]} == set(SERVERS[1:])


def test_an_inactive_server_is_as_if_it_were_not_there(choices, router):
    without = choices(hashing(SERVERS[1:]))
    r = router(hashing())
    r.write("m.active0", "false")
    assert {client: server_of(r, client) for client in CLIENTS} == without


#: What Click's SourceIPHashMapper(4 1, ...) with outputs 0, 1 and 2 for IDs 1, 2 and 3 does to flows from 1.2.3.4, 2.3.4.5, ...
CLICKS = "000012110001100010100120022100010001011020020201020111010001"


def test_clicks_choices(router):
    r = router("""
        m :: SourceIPHashMapper(4 1, - - - - 0 0 1, - - - - 1 0 2, - - - - 2 0 3); x :: IPRewriter(m);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> x;
        x[0] -> Unstrip(14) -> Queue -> ToDevice(out0); x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
        x[2] -> Unstrip(14) -> Queue -> ToDevice(out2);
    """)
    chosen = ""
    for a in range(1, 61):
        (output,) = r.send("in0", Ether() / udp(f"{a}.{a + 1}.{a + 2}.{a + 3}", 5000))
        chosen += output.device.removeprefix("out")
    assert chosen == CLICKS


def test_of_an_identity_the_lower_16_bits_count():
    """As in Click, where it may be any number from 0. Words are separated by any white space."""
    rings = []
    for identity in ("80147", f"{80147 - 65536}"):
        text = f"m :: SourceIPHashMapper(9 1, - - 1.0.0.1 - 0 0\t{identity}, - - 1.0.0.2 - 0 0 4055); Idle -> IPRewriter(m) -> Discard;"
        rings.append(check_text(text, Library.standard()).instances["m"].ring)
    assert rings[0] == rings[1]


def test_a_name_is_one_pattern_for_all(router):
    r = router("""
        IPRewriterPatterns(mine 1.0.0.1 1024-65535# - -, , other - - 2.0.0.2 -);
        a :: IPRewriter(pattern mine 0 0); b :: UDPRewriter(pattern mine 0 0, pattern other 0 0);
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> a -> Unstrip(14) -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> b -> Unstrip(14) -> Queue -> ToDevice(out1);
        FromDevice(in2) -> Strip(14) -> CheckIPHeader -> [1] b;
    """)
    for number, (entry, exit) in enumerate((("in0", "out0"), ("in1", "out1"), ("in0", "out0"))):
        r.forwards(entry, Ether() / udp("10.0.0.9", number + 1), exit, Ether() / udp("1.0.0.1", 1024 + number))
    r.forwards("in2", Ether() / udp("10.0.0.9", 9), "out1", Ether() / udp("10.0.0.9", 9, "2.0.0.2"))
    assert r.read("b.patterns") == "1.0.0.1 1024-65535 - - [1]\n- - 2.0.0.2 - [1]\n"


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("RoundRobinIPMapper()", "RoundRobinIPMapper: no patterns given"),
        ("RoundRobinIPMapper(- - - - 0 0, 1 2)", "RoundRobinIPMapper: pattern 1: syntax error"),
        (
            "RoundRobinIPMapper(- - - - 0 0, - - - - 0 4)",
            "IPRewriter: input spec 0: output port out of range in m :: RoundRobinIPMapper pattern 1",
        ),
        (
            "SourceIPHashMapper(4, - - - - 0 0 1)",
            "SourceIPHashMapper: NODES: '4' is not two integers with a space between them, "
            "the points of each server on the ring and a seed",
        ),
        ("SourceIPHashMapper(4 1, - - - - 0 0 -1)", "SourceIPHashMapper: bad server ID in pattern spec"),
        ("SourceIPHashMapper(4 1, - - - - 0 0 x)", "SourceIPHashMapper: bad server ID in pattern spec"),
        ("IPRewriterPatterns(a - - - -, a - -)", "IPRewriterPatterns: pattern 'a' already defined"),
        ("IPRewriterPatterns(a - - 70000 -)", "IPRewriterPatterns: bad destination address"),
    ],
)
def test_mistakes(refused_router, declaration, message):
    spec = "drop" if declaration.startswith("IPRewriterP") else "m"
    assert message in refused_router(f"m :: {declaration}; Idle -> IPRewriter({spec}) -> Discard;").splitlines()
