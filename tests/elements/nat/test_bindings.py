"""Endpoints that stay what they are (RFC 4787; RFC 6146, 3.1 and 3.5.1), who may answer them, and what a host may take."""

from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import ICMP, IP
from tests.elements.nat.packets import PEER, tcp, udp
from tests.elements.swapped import runtime

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT

HOST, OTHER, OUT = "10.0.0.9", "10.0.0.10", "1.0.0.1"
PEERS = [PEER, "8.8.4.4", "9.9.9.9"]
PATTERN = f"pattern {OUT} 1024-65535 - - 0 1"


@pytest.fixture
def nat(element):
    """nat("FILTER any") is an IPRewriter that binds endpoints, with hosts at input 0 and others at input 1."""

    def make(*arguments: str, pattern: str = PATTERN, **options):
        return element(f"IPRewriter({', '.join([pattern, 'drop', *arguments])})", 2, 2, headers="ip-checked", simtime=True, **options)

    return make


def goes_out(x, packet) -> int:
    """The port that a packet from inside gets."""
    x.send(packet)
    return port_of(x.expect(0))


def port_of(seen) -> int:
    return int.from_bytes(seen.data[20:22], "big")


@pytest.mark.parametrize("make", [udp, tcp])
def test_an_endpoint_is_the_same_whatever_it_talks_to(nat, make):
    """RFC 4787, REQ-1; and nobody else's (RFC 6146, 3.5.1.1)."""
    x = nat("INDEPENDENT true", pattern=f"pattern {OUT} 1024-65535? - - 0 1")
    ports = {goes_out(x, make(HOST, 30, peer, 53)) for peer in PEERS} | {goes_out(x, make(HOST, 30, PEER, 54))}
    assert len(ports) == 1
    other = {goes_out(x, make(HOST, 31, peer, 53)) for peer in PEERS}
    assert len(other) == 1 and other != ports
    x.gives(make("9.9.9.9", 53, OUT, ports.pop()), make("9.9.9.9", 53, HOST, 30), output=1, input=1)


def test_without_it_two_sources_share_a_port(nat):
    assert goes_out(nat_ := nat(pattern=f"pattern {OUT} 2000-2000 - - 0 1"), udp(HOST, 30, PEER)) == 2000
    assert goes_out(nat_, udp(OTHER, 30, PEERS[1])) == 2000
    nat_ = nat("INDEPENDENT true", pattern=f"pattern {OUT} 2000-2000 - - 0 1")
    assert goes_out(nat_, udp(HOST, 30, PEER)) == 2000
    nat_.drops(udp(OTHER, 30, PEERS[1]))
    assert nat_.read("mapping_failures") == "1"
    # Protocols are apart.
    assert goes_out(nat_, tcp(OTHER, 30, PEERS[1])) == 2000


def test_sources_find_the_endpoints_that_are_left(nat):
    """As many sources as endpoints, each with a peer of its own, towards which any endpoint would be unused."""
    x = nat("INDEPENDENT true", pattern=f"pattern {OUT} 2000-2007 - - 0 1")
    assert {goes_out(x, udp(HOST, 30 + n, f"9.9.9.{1 + n}")) for n in range(8)} == {*range(2000, 2008)}
    assert x.read("mapping_failures") == "0"


def test_an_endpoint_is_free_again_after_its_last_flow(nat):
    x = nat("INDEPENDENT true", "UDP_TIMEOUT 10", "UDP_GUARANTEE 0", "REAP_INTERVAL 1", pattern=f"pattern {OUT} 2000-2000 - - 0 1")
    goes_out(x, udp(HOST, 30, PEERS[0]))
    x.router.advance(8)
    goes_out(x, udp(HOST, 30, PEERS[1]))
    x.router.advance(8)
    assert x.read("bindings") == f"17 {HOST} 30 {OUT} 2000 1\n", "the first flow is over, the second isn't"
    x.drops(udp(OTHER, 30, PEERS[2]))
    x.router.advance(8)
    assert x.read("bindings") == ""
    assert goes_out(x, udp(OTHER, 30, PEERS[2])) == 2000


@pytest.mark.parametrize("make, begins", [(udp, {}), (tcp, {"flags": "S"})])
@pytest.mark.parametrize("filter_, known, stranger", [("flow", False, False), ("address", True, False), ("any", True, True)])
def test_who_may_begin_a_flow_from_outside(nat, make, begins, filter_, known, stranger):
    """RFC 4787, 5: endpoint-independent, address-dependent, and address and port-dependent filtering."""
    x = nat("INDEPENDENT true", f"FILTER {filter_}")
    port = goes_out(x, make(HOST, 30, PEER, 53))
    for source, may in ((PEER, known), ("9.9.9.9", stranger)):
        x.send(make(source, 99, OUT, port, **begins), 1)
        if may:
            x.expect(1, make(source, 99, HOST, 30, **begins))
            x.gives(make(HOST, 30, source, 99), make(OUT, port, source, 99))
        x.expect_nothing()
    assert x.read("bindings").split()[-1] == str(1 + known + stranger)
    x.drops(make(PEER, 53, OUT, port + 1, **begins), input=1)
    assert x.dropped("FILTERED") == 3 - known - stranger


@pytest.mark.parametrize("flags", ["A", "SA", "R", "F", "SR"])
def test_only_what_opens_a_connection_begins_one_from_outside(nat, flags):
    x = nat("INDEPENDENT true", "FILTER any")
    port = goes_out(x, tcp(HOST, 30, flags="S"))
    x.drops(tcp("9.9.9.9", 99, OUT, port, flags=flags), input=1)
    assert x.read("table_size") == "1"


def test_a_host_has_no_more_flows_than_its_share(nat):
    x = nat("HOST_CAPACITY 3", "MAPPING_CAPACITY 10", "UDP_TIMEOUT 10", "UDP_GUARANTEE 0", "REAP_INTERVAL 1")
    for number in range(20):
        x.send(udp(HOST, 100 + number))
    assert x.read("table_size") == "3" and x.read("mapping_failures") == "17"
    for _ in range(3):
        x.expect(0)
    goes_out(x, udp(OTHER, 100))
    goes_out(x, udp(HOST, 100))
    x.router.advance(12)
    goes_out(x, udp(HOST, 150))
    assert x.read("table_size") == "1"


def test_what_is_over_is_no_part_of_a_share(nat):
    """Though nothing has ended it yet: by default that takes up to 15 minutes, and with REAP_INTERVAL 0 it is left to other packets."""
    x = nat("HOST_CAPACITY 2", "UDP_TIMEOUT 10", "UDP_GUARANTEE 0", "REAP_INTERVAL 0")
    for number in range(2):
        goes_out(x, udp(HOST, 100 + number))
    x.router.advance(8)
    goes_out(x, udp(HOST, 101))
    x.drops(udp(HOST, 102))
    x.router.advance(4)
    goes_out(x, udp(HOST, 102))
    x.drops(udp(HOST, 103))
    assert x.read("table_size") == "2"


def test_clients_of_a_server_have_a_share_each(nat):
    """None can use up another's, as they could if theirs was the server's."""
    x = nat("HOST_CAPACITY 1", pattern=f"pattern - - {HOST} 80 0 1")
    for client in PEERS:
        x.gives(tcp(client, 1000, OUT, 8080, flags="S"), tcp(client, 1000, HOST, 80, flags="S"))
        x.drops(tcp(client, 1001, OUT, 8080, flags="S"))
    assert x.read("table_size") == str(len(PEERS))


def test_a_host_without_room_ends_nobody_elses_flow(nat):
    """Both would leave by the same address and port."""
    x = nat("HOST_CAPACITY 1", pattern=f"pattern {OUT} - - - 0 1")
    goes_out(x, udp(OTHER, 53))
    goes_out(x, udp(HOST, 100))
    x.send(udp(HOST, 53))
    assert (x.read("table_size"), x.read("mapping_failures")) == ("2", "1")


def two_ways(element, *arguments: str, second: str = "pattern 2.0.0.2 1024-65535? - - 0 1"):
    """Hosts at input 0 and 2, which leave by two addresses."""
    given = (PATTERN, "drop", second, "INDEPENDENT true", *arguments)
    return element(f"IPRewriter({', '.join(given)})", 3, 2, headers="ip-checked", simtime=True)


def goes(x, packet, input: int) -> tuple[str, int]:
    """Address and port that a packet gets which comes by an input."""
    x.send(packet, input)
    seen = x.expect(0)
    return str(IPv4Address(bytes(seen.data[12:16]))), port_of(seen)


def test_each_pattern_binds_an_endpoint_to_one(element):
    """A host behind two uplinks."""
    x = two_ways(element, "FILTER address")
    first = {goes(x, udp(HOST, 30, peer), 0) for peer in PEERS}
    second = {goes(x, udp(HOST, 30, peer, 99), 2) for peer in PEERS}
    assert len(first) == len(second) == 1
    address, port = second.pop()
    x.send(udp(PEER, 7777, address, port), 1)
    x.expect(1, udp(PEER, 7777, HOST, 30))


def test_a_mapper_gives_an_endpoint_one_pattern(element):
    """Though it takes them in turn for others."""
    mapper = "m :: RoundRobinIPMapper(pattern_a 0 1, pattern_b 0 1, pattern_c 0 1);"
    names = "IPRewriterPatterns(" + ", ".join(f"pattern_{name} 2.0.0.{n} 1024-65535? - -" for n, name in enumerate("abc")) + ");"
    x = element("IPRewriter(m, drop, INDEPENDENT true)", 2, 2, headers="ip-checked", declarations=names + mapper)
    for turn in range(6):
        assert {goes(x, udp(HOST, 30 + turn, peer), 0) for peer in PEERS} == {found := goes(x, udp(HOST, 30 + turn, PEER, 99), 0)}
        assert found[0] == f"2.0.0.{turn % 3}"


def test_whom_a_host_has_sent_to_by_another_endpoint_may_not_answer(element):
    """RFC 4787, 5: a mapping's filter is about what was sent from that mapping."""
    x = two_ways(element, "FILTER address")
    address, port = goes(x, udp(HOST, 30, PEERS[0]), 0)
    goes(x, udp(HOST, 30, PEERS[1]), 2)
    x.send(udp(PEERS[1], 99, address, port), 1)
    x.expect_nothing()


def test_a_binding_lives_as_long_as_its_own_flows(element):
    """However flows of other patterns end: five patterns are more than an endpoint is bound by."""
    ways = [f"pattern 2.0.0.{number} 2000-2000 - - 0 1" for number in range(5)]
    times = ("UDP_TIMEOUT 10", "UDP_GUARANTEE 0", "REAP_INTERVAL 1")
    x = element(f"IPRewriter({', '.join([*ways, 'INDEPENDENT true', *times])})", 5, 2, headers="ip-checked", simtime=True)
    for input in range(5):
        assert goes(x, udp(HOST, 30, PEER, 100 + input), input) == (f"2.0.0.{input}", 2000)
    x.router.advance(6)
    # The fifth isn't bound. It lives on when its endpoint is bound by another flow, and ends before that.
    goes(x, udp(HOST, 30, PEER, 104), 4)
    x.router.advance(6)
    assert x.read("table_size") == "1"
    assert goes(x, udp(HOST, 30, PEER, 99), 4) == ("2.0.0.4", 2000)
    x.router.advance(6)
    assert x.read("table_size") == "1"
    x.drops(udp(OTHER, 30, PEERS[2]), input=4)


def test_what_is_kept_as_it_is_is_bound_as_well(element):
    """Its endpoint is nobody else's, and it gets none that is another's."""
    x = two_ways(element, second="keep 0 1")
    assert goes(x, udp(HOST, 3000, PEERS[0]), 0) == (OUT, 3000)
    assert goes(x, udp(OUT, 3001, PEERS[0]), 2) == (OUT, 3001)
    assert goes(x, udp(HOST, 3001, PEERS[1]), 0) != (OUT, 3001)
    x.send(udp(OUT, 3000, PEERS[1]), 2)
    x.expect_nothing()
    assert (x.read("mapping_failures"), x.dropped("FULL")) == ("1", 1)


def test_pings_keep_their_identifier(element):
    x = element(f"ICMPPingRewriter(pattern {OUT} - 0-65535? 0 1, drop, INDEPENDENT true)", 2, 2, headers="ip-checked")
    found = set()
    for peer in PEERS:
        x.send(IP(src=HOST, dst=peer) / ICMP(type=8, id=77))
        found.add(bytes(x.expect(0).data[24:26]))
    assert len(found) == 1
    x.send(IP(src=OTHER, dst=PEER) / ICMP(type=8, id=77))
    assert bytes(x.expect(0).data[24:26]) not in found


ROUTER = f"""
x :: IPRewriter({PATTERN}, drop, INDEPENDENT true, FILTER address, HOST_CAPACITY 500);
FromDevice(a) -> Strip(14) -> CheckIPHeader -> [0] x [0] -> Unstrip(14) -> Queue -> ToDevice(b);
FromDevice(b) -> Strip(14) -> CheckIPHeader -> [1] x [1] -> Unstrip(14) -> Queue -> ToDevice(a);
"""


def frame(packet) -> bytes:
    return bytes.fromhex("02000000000102000000000208 00".replace(" ", "")) + bytes(packet)


def test_another_router_takes_the_bindings_over():
    router = runtime(ROUTER)
    router.inject("a", frame(udp(HOST, 3000, PEER, 53)))
    before = router.handlers.read("x", "bindings")
    router = runtime(ROUTER, router)
    router.inject("b", frame(udp(PEER, 99, OUT, 3000)))
    router.inject("a", frame(udp(HOST, 3000, "9.9.9.9", 53)))
    assert len(router.collect("a")) == 1
    assert router.handlers.read("x", "bindings") == before.replace(" 1\n", " 3\n")
    router.close()


@pytest.mark.needs("root", "clang-19")
def test_the_kernel_leaves_who_may_come_in_to_the_runtime():
    with start(ROUTER, "bpf", simtime=True) as router:
        router.send("a", frame(udp(HOST, 3000, PEER, 53)))
        assert router.run("b", frame(udp(PEER, 99, OUT, 3000)))[0] == HANDED
        router.send("b", frame(udp(PEER, 99, OUT, 3000)))
        assert router.run("b", frame(udp(PEER, 99, OUT, 3000)))[0] == SENT
        assert router.run("b", frame(tcp(PEER, 99, OUT, 3000, flags="A")))[0] == DROPPED


def test_executors_agree():
    assert_equivalent(ROUTER, 2000)


def test_mistakes(refused_router):
    line = "Idle -> [0] x [0] -> Discard; Idle -> [1] x [1] -> Discard;"
    assert "FILTER is about endpoints that are bound" in refused_router(f"x :: IPRewriter({PATTERN}, drop, FILTER any); {line}")
