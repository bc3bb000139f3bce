"""AddressTranslator: static mappings, pools of addresses, and ports."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6PacketTooBig,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
)
from scapy.layers.l2 import Ether
from tests.elements.swapped import runtime, verdicts_while_state_moves

from clickbpf.testing.equivalence import Twins, arrivals
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.reach import Reach
from clickbpf.testing.single import Surroundings

ONE, TWO, THREE, PEER = "2001:db8::1", "2001:db8::2", "2001:db8::3", "64:ff9b::192.0.2.33"
M1, M2 = "::ffff:10.0.0.1", "::ffff:10.0.0.2"
STATIC = f"AddressTranslator(1, 0, {ONE} {M1}, 0)"
POOL = f"AddressTranslator(0, 1, 0, 0, {M1}, {M2})"
PORTS = f"AddressTranslator(0, 1, 1, 0, {M1} 6000 6001)"


@pytest.fixture
def at(element):
    return lambda text=STATIC, outputs=2, **more: element(text, ninputs=2, noutputs=outputs, headers="ip6", **more)


@pytest.mark.parametrize("chain", [None, IPv6ExtHdrDestOpt()])
@pytest.mark.parametrize("layer", [UDP(sport=1, dport=2) / b"odd", TCP(sport=1) / b"x", ICMPv6EchoRequest(id=7), b"none"])
def test_static_addresses(at, layer, chain):
    """Checksums are those that scapy computes for the other address."""

    def packet(**fields):
        ip = IPv6(**fields) if layer != b"none" else IPv6(nh=132 if chain is None else 60, **fields)
        return ip / chain / layer if chain and layer != b"none" else ip / layer

    if chain and layer == b"none":
        return
    x = at()
    x.gives(packet(src=ONE, dst=PEER), packet(src=M1, dst=PEER))
    seen = x.gives(packet(src=PEER, dst=M1), packet(src=PEER, dst=ONE), output=1, input=1)
    assert seen.carried.annotations[:16] == bytes(IPv6(dst=ONE))[24:40]


def test_static_ports(at):
    """As in Click a mapping is of both protocols, and of its ports alone."""
    x = at(f"AddressTranslator(2, true, {ONE} 80 {M1} 8080, {TWO} 80 {M1} 8081, false)", outputs=3)
    for host, port in ((ONE, 8080), (TWO, 8081)):
        for kind in (TCP, UDP):
            x.send(IPv6(src=PEER, dst=M1) / kind(sport=9, dport=port), input=1)
            x.expect(1, IPv6(src=PEER, dst=host) / kind(sport=9, dport=80))
            x.gives(IPv6(src=host, dst=PEER) / kind(sport=80, dport=9), IPv6(src=M1, dst=PEER) / kind(sport=port, dport=9))
    for packet in (TCP(sport=81), ICMPv6EchoRequest(), IPv6ExtHdrFragment(offset=9) / b"later"):
        x.passes(IPv6(src=ONE, dst=PEER) / packet, output=2)


def test_a_pool_gives_each_host_an_address(at):
    x = at(POOL, outputs=3)
    for _ in range(2):
        for host, mapped in ((ONE, M1), (TWO, M2)):
            x.gives(IPv6(src=host, dst=PEER) / UDP(sport=1, dport=2), IPv6(src=mapped, dst=PEER) / UDP(sport=1, dport=2))
            x.gives(IPv6(src=PEER, dst=mapped) / UDP(sport=2, dport=1), IPv6(src=PEER, dst=host) / UDP(sport=2, dport=1), output=1, input=1)
    x.passes(IPv6(src=THREE, dst=PEER) / UDP(), output=2)
    assert x.read("table") == f"{ONE} {M1}\n{TWO} {M2}\n" and x.read("table_size") == "2"


def both_ways(pool):
    begin = f"at :: AddressTranslator(0, true, false, false, {pool});"
    ways = (f"FromDevice(in{i}) -> Strip(14) -> MarkIP6Header -> [{i}]at[{i}] -> Unstrip(14) -> Queue -> ToDevice(out{i});" for i in (0, 1))
    return begin + "".join(ways)


def test_what_has_been_silent_makes_room(router):
    x = router(both_ways(f"{M1}, {M2}, TIMEOUT 10"), simtime=True)
    ether = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    for host, mapped in ((ONE, M1), (TWO, M2), (THREE, M1)):
        x.forwards("in0", ether / IPv6(src=host, dst=PEER) / UDP(), "out0", ether / IPv6(src=mapped, dst=PEER) / UDP())
        x.advance(8)
    x.forwards("in0", ether / IPv6(src=ONE, dst=PEER) / UDP(), "out0", ether / IPv6(src=M2, dst=PEER) / UDP())
    x.forwards("in1", ether / IPv6(src=PEER, dst=M1) / UDP(), "out1", ether / IPv6(src=PEER, dst=THREE) / UDP())
    x.send("in0", ether / IPv6(src=TWO, dst=PEER) / UDP())
    x.expect_nothing()


def test_what_nobody_has_answered_makes_room_sooner(at):
    """RFC 6146, 4: four minutes, so that whoever sends from any number of addresses doesn't have them for hours."""
    x = at(POOL, outputs=3, simtime=True)
    assert asks(x, ONE) and asks(x, TWO) and not asks(x, THREE)
    x.gives(IPv6(src=PEER, dst=M2) / UDP(dport=5), output=1, input=1)
    x.router.advance(230)
    assert not asks(x, THREE)
    x.router.advance(11)
    assert asks(x, THREE) and not asks(x, ONE), "the other one has been answered"
    assert x.read("table") == f"{THREE} {M1}\n{TWO} {M2}\n"


@pytest.mark.parametrize("inward", [0, 1])
@pytest.mark.parametrize("peer, is_answer", [(PEER, True), ("64:ff9b::192.0.2.34", False)])
def test_who_was_not_asked_gives_no_answer(at, inward, peer, is_answer):
    """Else anybody could have a pool's addresses kept for hours."""
    pool = f"{ONE}, {TWO}" if inward else f"{M1}, {M2}"
    x = at(f"AddressTranslator(0, 1, 0, {inward}, {pool})", outputs=3, simtime=True)

    def ask(number):
        """Whether what one end begins is translated."""
        asker = f"2001:db8:5::{number}"
        x.send(IPv6(src=PEER, dst=asker) / UDP() if inward else IPv6(src=asker, dst=PEER) / UDP(), inward)
        return x.expect(x._waiting[0][0].input).carried.input == inward

    assert ask(1)
    x.gives(IPv6(src=ONE, dst=peer) / UDP() if inward else IPv6(src=peer, dst=M1) / UDP(), output=1 - inward, input=1 - inward)
    x.router.advance(241)
    assert ask(2) and ask(3) != is_answer, "one of two addresses is kept"


def host(prefix: int, number: int) -> str:
    return f"2001:db8:0:{prefix:x}::{number:x}"


def asks(x, address: str, port: int = 5, input: int = 0) -> bool:
    """Whether a packet is translated."""
    x.send(IPv6(src=address, dst=PEER) / UDP(sport=port), input)
    return x.expect(x._waiting[0][0].input).carried.input == 0


@pytest.mark.parametrize(
    "bits, same, another", [(64, host(1, 0xFFFF), host(2, 1)), (62, host(3, 7), host(4, 1)), (128, host(1, 1), host(1, 2))]
)
def test_a_host_has_its_share_of_the_pool(at, bits, same, another):
    """Whatever its addresses are, as far as they have its prefix."""
    own = [host(1, 1), host(1, 2)] if bits < 128 else [host(1, 1)]
    x = at(f"AddressTranslator(0, 1, 0, 0, ::ffff:10.0.0.0/124, HOST_CAPACITY {len(own)}, HOST_PREFIX {bits})", outputs=3)
    assert [asks(x, address) for address in own * 2] == [True] * 2 * len(own)
    assert asks(x, same) == (bits == 128), "this one has an address already"
    assert asks(x, another)


def test_a_host_has_its_share_of_the_ports(at):
    x = at(f"AddressTranslator(0, 1, 1, 0, {M1} 6000 6009, HOST_CAPACITY 3, HOST_PREFIX 128)", outputs=3)
    assert [asks(x, ONE, port) for port in range(5)] == [True] * 3 + [False] * 2
    assert [asks(x, TWO, port) for port in range(5)] == [True] * 3 + [False] * 2
    assert x.read("table_size") == "6"


def test_a_share_is_free_again_when_its_time_is_up(at):
    """Also the host's that has had all of it, while the pool has room for others."""
    x = at("AddressTranslator(0, 1, 0, 0, ::ffff:10.0.0.0/116, TIMEOUT 10, HOST_CAPACITY 2)", outputs=3, simtime=True)
    assert [asks(x, host(1, number)) for number in range(1, 4)] == [True, True, False]
    x.router.advance(8)
    assert asks(x, host(1, 2)) and not asks(x, host(1, 3))
    x.router.advance(4)
    asks(x, host(1, 3))
    for _ in range(4096 // 64):
        asks(x, host(1, 3))
    assert asks(x, host(1, 3)) and not asks(x, host(1, 4))
    assert asks(x, host(1, 2))


def test_another_router_counts_the_shares(router):
    pool = "::ffff:10.0.0.0/124, HOST_CAPACITY 2"
    first = runtime(both_ways(pool))
    packets = [bytes(Ether() / IPv6(src=host(1, number), dst=PEER) / UDP()) for number in range(1, 5)]
    first.inject("in0", packets[0])
    second = runtime(both_ways(pool), first)
    for packet in packets:
        second.inject("in0", packet)
    assert second.handlers.read("at", "table_size") == "2"
    second.close()


def test_who_comes_in_may_be_the_one_to_ask(at):
    """The pool has inner addresses then."""
    x = at(f"AddressTranslator(0, true, false, true, {ONE})")
    x.drops(IPv6(src=ONE, dst=PEER) / UDP())
    x.gives(IPv6(src=PEER, dst=M2) / UDP(), IPv6(src=PEER, dst=ONE) / UDP(), output=1, input=1)
    x.gives(IPv6(src=ONE, dst=PEER) / UDP(), IPv6(src=M2, dst=PEER) / UDP())


def test_flows_share_an_address(at):
    x = at(PORTS, outputs=3)
    flows = [(TCP, ONE, 5, 6000), (UDP, TWO, 5, 6001)]
    for kind, host, port, mapped in flows * 2:
        x.gives(IPv6(src=host, dst=PEER) / kind(sport=port, dport=80), IPv6(src=M1, dst=PEER) / kind(sport=mapped, dport=80))
        x.send(IPv6(src=PEER, dst=M1) / kind(sport=80, dport=mapped), input=1)
        x.expect(1, IPv6(src=PEER, dst=host) / kind(sport=80, dport=port))
    # Of another protocol or from another port, nobody has asked for it; and there is no port left.
    for kind, sport, dport in ((UDP, 80, 6000), (TCP, 81, 6000), (TCP, 80, 5999)):
        x.passes(IPv6(src=PEER, dst=M1) / kind(sport=sport, dport=dport), output=2, input=1)
    x.gives(IPv6(src=ONE, dst=PEER) / TCP(sport=6, dport=80), output=2)
    assert x.read("table") == f"{ONE} 5 {M1} 6000\n{TWO} 5 {M1} 6001\n"


def test_pings_share_an_address_by_their_identifiers(at):
    x = at(PORTS)
    for host, mapped in ((ONE, 6000), (TWO, 6001)):
        x.send(IPv6(src=host, dst=PEER) / ICMPv6EchoRequest(id=3, seq=1, data=b"data"))
        x.expect(0, IPv6(src=M1, dst=PEER) / ICMPv6EchoRequest(id=mapped, seq=1, data=b"data"))
        x.send(IPv6(src=PEER, dst=M1) / ICMPv6EchoReply(id=mapped, seq=1, data=b"data"), input=1)
        x.expect(1, IPv6(src=PEER, dst=host) / ICMPv6EchoReply(id=3, seq=1, data=b"data"))


@pytest.mark.parametrize("text, port", [(POOL, 5), (PORTS, 6000)])
@pytest.mark.parametrize("layer", [TCP, UDP])
def test_errors(at, text, port, layer):
    """From a router on the way, about a packet that went out; and from the host, about one that came in."""
    x = at(text, outputs=3)
    router = "64:ff9b::198.51.100.1"
    x.gives(IPv6(src=ONE, dst=PEER) / layer(sport=5, dport=80) / b"data")

    def error(src, dst, within):
        return IPv6(src=src, dst=dst) / ICMPv6PacketTooBig(mtu=1280) / bytes(within)

    def quoted(src, dst, sport, dport):
        return IPv6(src=src, dst=dst) / layer(sport=sport, dport=dport) / b"data"

    x.gives(error(router, M1, quoted(M1, PEER, port, 80)), error(router, ONE, quoted(ONE, PEER, 5, 80)), output=1, input=1)
    x.gives(error(ONE, PEER, quoted(PEER, ONE, 80, 5)), error(M1, PEER, quoted(PEER, M1, 80, port)))
    unknown = error(router, M2, quoted(M2, PEER, port, 80))
    x.passes(unknown, output=2, input=1)
    x.gives(IPv6(src=router, dst=M1) / ICMPv6TimeExceeded() / bytes(39), output=2, input=1)


@pytest.mark.parametrize("text, port", [(POOL, 5), (PORTS, 6000)])
def test_an_error_with_eight_bytes_of_the_packet(at, text, port):
    """Then TCP's checksum isn't there, which would make up for the address and the port."""
    x = at(text)
    x.gives(IPv6(src=ONE, dst=PEER) / TCP(sport=5, dport=80))

    def error(host, sport):
        tcp = bytes(TCP(sport=sport, dport=80, seq=99))[:8]
        return IPv6(src=PEER, dst=host) / ICMPv6TimeExceeded() / bytes(IPv6(src=host, dst=PEER, plen=1000, nh=6)) / tcp

    x.gives(error(M1, port), error(ONE, 5), output=1, input=1)


def test_later_fragments_have_the_address_alone(at):
    x = at()
    for offset in (0, 100):
        fragment = IPv6ExtHdrFragment(offset=offset, m=1, id=7, nh=132)
        x.gives(IPv6(src=ONE, dst=PEER) / fragment / bytes(800), IPv6(src=M1, dst=PEER) / fragment / bytes(800))


def test_mappings_outlive_a_swap():
    """Those whose place in the pool there still is."""

    router = runtime(both_ways(f"{M1}, {M2}"))
    for host in (ONE, TWO):
        router.inject("in0", bytes(Ether() / IPv6(src=host, dst=PEER) / UDP()))
    router = runtime(both_ways(f"::ffff:10.0.0.9, {M2}"), router)
    assert router.handlers.read("at", "table") == f"{TWO} {M2}\n"
    router.inject("in1", bytes(Ether() / IPv6(src=PEER, dst=M2) / UDP()))
    assert IPv6(router.collect("out1")[0][14:]).dst == TWO
    router.close()


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("address, after", [(M1, SENT), (M2, DROPPED)])
def test_packets_that_come_while_mappings_move(monkeypatch, address, after):
    text = both_ways(f"{M1}, {M2}")
    old = runtime(text)
    old.inject("in0", bytes(Ether() / IPv6(src=ONE, dst=PEER) / UDP()))
    answer = bytes(Ether() / IPv6(src=PEER, dst=address) / UDP())
    assert verdicts_while_state_moves(monkeypatch, old, text, "at", "in1", answer) == (HANDED, after)


def test_mistakes(refused_router):
    def said(text):
        return refused_router(f"Idle -> [0] x :: AddressTranslator({text}) -> Discard; Idle -> [1] x [1] -> Discard;")

    assert "missing NSTATIC" in said("")
    assert "expected INNER PORT MAPPED PORT" in said(f"1, 1, {ONE} {M1}, 0")
    assert "missing DYNAMIC" in said(f"1, 0, {ONE} {M1}")
    assert "two MAPPINGs have the same mapped address" in said(f"2, 0, {ONE} {M1}, {TWO} {M1}, 0")
    assert "not an IPv6 prefix" in said("0, 1, 0, 0, 1.2.3.4")
    assert "POOL has an address twice" in said(f"0, 1, 0, 0, {M1}, {M1}")
    assert "more than 65536 mappings" in said("0, 1, 0, 0, 2001:db8::/111")
    assert "a range of ports" in said(f"0, 1, 1, 0, {M1} 9 8")
    assert "more arguments" in said("0, 0, 1")


#: Few addresses and ports, so that packets belong together, and what is mapped is among them.
MIX = Mix(contents=weights(ipv6=20, noise=1), ports=(80, 5, 6000, 6001), addresses6=(ONE, TWO, PEER, M1))


@pytest.mark.parametrize("text", [STATIC, POOL, PORTS, PORTS.replace("1, 1, 0,", "1, 1, 1,"), POOL.replace(")", ", TIMEOUT 0.05)")])
def test_executors_agree(text):
    with Twins(Surroundings(text, 2, 3, "ip6").text()) as both:
        for arrival in arrivals(700, both.entries, both.titles, 3, MIX):
            both.arrive(arrival)


#: What the kernel path gives up: errors, and packets that it knows no mapping for.
PUNTS = [Reach(POOL, 2, 3, "ip6", mix=MIX)]
