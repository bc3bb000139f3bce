"""IP6NDSolicitor: packets that wait, what advertisements change, and who is forgotten when (RFC 4861, 7.1.2, 7.2 and 7.3)."""

from ipaddress import IPv6Address

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6DestUnreach, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptSrcLLAddr, IPv6
from scapy.layers.l2 import Ether
from tests.elements.swapped import runtime
from tests.runtime.routers import resumed

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors.bpf import SENT
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import FULL, Reach

SECOND = 10**9
OWN, HOST, OTHER = "02:00:00:00:00:01", "02:00:00:00:00:22", "02:00:00:00:00:33"
NEXT = "2001:db8::22"
#: With a destination: scapy would ask the network for one.
ARRIVING = Ether(src=HOST, dst=OWN, type=0x86DD)
CONFIGURATION = f"""
    FromDevice(ip) -> Strip(14) -> CheckIP6Header -> nd :: IP6NDSolicitor(fe80::1, {OWN}, ENTRIES 8) -> Queue -> ToDevice(out);
    FromDevice(adv) -> [1]nd;
"""


def packet(number=0, dst=NEXT):
    return IPv6(src="2001:db8:1::2", dst=dst) / UDP(sport=number) / b"data"


def framed(number=0, dst=NEXT, ether=HOST):
    return Ether(src=OWN, dst=ether) / packet(number, dst)


def solicitation(target=NEXT):
    group, last = f"ff02::1:ff{target[-2:].rjust(6, '0')[:2]}:{target.rsplit(':', 1)[1]}", int(target.rsplit(":", 1)[1], 16)
    ether = f"33:33:ff:{last >> 16:02x}:{last >> 8 & 255:02x}:{last & 255:02x}"
    return (
        Ether(src=OWN, dst=ether) / IPv6(src="fe80::1", dst=group, hlim=255)
        / ICMPv6ND_NS(tgt=target) / ICMPv6NDOptSrcLLAddr(lladdr=OWN)
    )  # fmt: skip


def probe(ether=HOST):
    return (
        Ether(src=OWN, dst=ether) / IPv6(src="fe80::1", dst=NEXT, hlim=255)
        / ICMPv6ND_NS(tgt=NEXT) / ICMPv6NDOptSrcLLAddr(lladdr=OWN)
    )  # fmt: skip


def advertisement(ether=HOST, target=NEXT, ip=None, **fields):
    made = Ether(src=HOST, dst=OWN) / IPv6(**{"src": target, "dst": "fe80::1", "hlim": 255, **(ip or {})})
    made /= ICMPv6ND_NA(**{"R": 0, "S": 1, "O": 1, **fields}, tgt=target)
    return made / ICMPv6NDOptDstLLAddr(lladdr=ether) if ether else made


def question(ether, ip=None):
    """What the neighbour asks, about another's address."""
    made = Ether(src=HOST, dst=OWN) / IPv6(**{"src": NEXT, "dst": "ff02::1:ff00:1", "hlim": 255, **(ip or {})})
    return made / ICMPv6ND_NS(tgt="fe80::1") / ICMPv6NDOptSrcLLAddr(lladdr=ether)


@pytest.fixture
def nd(router):
    """A router whose clock goes on only when the test says so."""
    made = router(CONFIGURATION, simtime=True)
    made.ip = lambda *packets: [made.send("ip", ARRIVING / p) for p in packets]
    made.adv = lambda frame: made.send("adv", frame)
    return made


def test_packets_wait_for_an_answer(nd):
    nd.ip(packet(1), packet(2))
    nd.expect("out", solicitation())
    nd.expect_nothing()
    assert nd.read("nd.table") == f"{NEXT} 0 00-00-00-00-00-00\n"
    nd.adv(advertisement())
    nd.expect("out", framed(1))
    nd.expect("out", framed(2))
    nd.ip(packet(3))
    nd.expect("out", framed(3))
    nd.expect_nothing()
    assert nd.read("nd.table") == f"{NEXT} 1 02-00-00-00-00-22\n"
    assert nd.read("nd.stats") == "0 packets killed\n1 ND Solicitation Message sent\n"


def test_three_packets_wait_the_latest(nd):
    nd.ip(*(packet(number) for number in range(5)))
    nd.expect("out", solicitation())
    nd.adv(advertisement())
    for number in (2, 3, 4):
        nd.expect("out", framed(number))
    nd.expect_nothing()
    assert nd.dropped("nd", "FULL") == 2


@pytest.mark.parametrize(
    "frame",
    [
        advertisement(ip={"hlim": 254}),
        advertisement(cksum=1),
        advertisement(code=1),
        advertisement(ip={"dst": "ff02::1"}),
        advertisement("03:00:00:00:00:22"),
        bytes(advertisement())[:-1],
        question(HOST, ip={"hlim": 254}),
        question(HOST, ip={"src": "ff02::1"}),
        question("03:00:00:00:00:22"),
    ],
)
def test_what_is_not_valid_is_not_learnt(nd, frame):
    nd.ip(packet())
    nd.expect("out", solicitation())
    nd.adv(frame)
    nd.expect_nothing()
    assert nd.dropped("nd", "MALFORMED") == 1 and " 0 " in nd.read("nd.table")


def test_a_neighbour_that_asks_says_its_address(nd):
    """RFC 4861, 7.2.3: the address in a solicitation replaces another, and packets that wait leave; nobody new is learnt."""
    nd.adv(question(HOST))
    assert nd.read("nd.table") == ""
    nd.ip(packet(1))
    nd.expect("out", solicitation())
    nd.adv(question(HOST))
    nd.expect("out", framed(1))
    nd.adv(advertisement())
    nd.adv(question(OTHER))
    nd.ip(packet(2))
    nd.expect("out", framed(2, ether=OTHER))
    nd.advance(5)
    nd.expect("out", probe(OTHER))
    nd.expect_nothing()


def test_nobody_asked_for_is_not_learnt(nd):
    nd.adv(advertisement())
    assert nd.read("nd.table") == ""


def test_without_a_link_address_a_first_answer_says_nothing(nd):
    nd.ip(packet())
    nd.expect("out", solicitation())
    nd.adv(advertisement(None))
    nd.expect_nothing()


@pytest.mark.parametrize("override, ether", [(1, OTHER), (0, HOST)])
def test_another_address_has_to_override(nd, override, ether):
    nd.ip(packet())
    nd.expect("out", solicitation())
    nd.adv(advertisement())
    nd.expect("out", framed())
    nd.adv(advertisement(OTHER, O=override))
    nd.ip(packet())
    nd.expect("out", framed(ether=ether))


def test_groups_have_addresses_of_their_own(nd):
    """RFC 2464, 7."""
    nd.ip(packet(dst="ff05::1:2345:6789"))
    nd.expect("out", framed(dst="ff05::1:2345:6789", ether="33:33:23:45:67:89"))
    nd.expect_nothing()


def test_a_scan_pushes_no_known_neighbour_out(nd):
    """ENTRIES is 8."""
    nd.ip(packet())
    nd.expect("out", solicitation())
    nd.adv(advertisement())
    nd.expect("out", framed())
    for last in range(0x100, 0x140):
        nd.ip(packet(dst=f"2001:db8::{last:x}"))
        nd.expect("out")
    assert f"{NEXT} 1 " in nd.read("nd.table") and nd.read("nd.table").count("\n") <= 8
    nd.ip(packet(7))
    nd.expect("out", framed(7))


def test_who_does_not_answer_is_asked_three_times(nd):
    """RFC 4861, 7.2.2: once a second."""
    nd.ip(packet())
    nd.expect("out", solicitation())
    for _ in range(2):
        nd.advance(1.01)
        nd.expect("out", solicitation())
        nd.expect_nothing()
    nd.advance(1.2)
    nd.expect_nothing()
    assert nd.read("nd.table") == "" and nd.dropped("nd", "NO_ROUTE") == 1


def test_packets_for_nobody_are_for_errors(router):
    """RFC 4861, 7.2.2: each packet that waited, as it was, for an error of code 3."""
    r = router(
        f"FromDevice(ip) -> Strip(14) -> CheckIP6Header -> nd :: IP6NDSolicitor(fe80::1, {OWN}) -> Queue -> ToDevice(out);"
        "Idle -> [1]nd; nd[1] -> Queue -> ToDevice(asked);"
        "nd[2] -> ICMP6Error(2001:db8::1, unreachable, 3) -> Queue -> ToDevice(errors);",
        simtime=True,
    )  # fmt: skip
    for number in (1, 2):
        r.send("ip", ARRIVING / packet(number))
    r.advance(2.2)
    r.expect_nothing("errors")
    r.advance(1)
    for number in (1, 2):
        error = IPv6(src="2001:db8::1", dst="2001:db8:1::2", hlim=255) / ICMPv6DestUnreach(code=3) / packet(number)
        r.expect("errors", error)
    for _ in range(3):
        r.expect("asked", solicitation())
    r.expect_nothing()
    assert r.read("nd.table") == ""


def test_who_is_used_has_to_be_reachable(nd):
    """RFC 4861, 7.3: 30 seconds after an answer the next packet begins a delay of 5; then three probes in three seconds."""
    nd.ip(packet())
    nd.expect("out", solicitation())
    nd.adv(advertisement())
    nd.expect("out", framed())
    nd.advance(29)
    nd.ip(packet(1))
    nd.expect("out", framed(1))
    nd.advance(10)
    nd.expect_nothing()
    nd.ip(packet(2))
    nd.expect("out", framed(2))
    nd.expect_nothing()
    nd.advance(5.2)
    nd.expect("out", probe())
    nd.adv(advertisement(None))
    nd.advance(29)
    nd.expect_nothing()
    nd.advance(2)
    nd.ip(packet(3))
    nd.expect("out", framed(3))
    nd.advance(5.2)
    for _ in range(3):
        nd.expect("out", probe())
        nd.expect_nothing()
        nd.advance(1.1)
    nd.expect_nothing()
    assert nd.read("nd.table") == ""


def test_who_is_not_used_is_forgotten(nd):
    nd.write("nd.insert", f"{NEXT} {OTHER}")
    nd.advance(30.5)
    assert nd.read("nd.table") == f"{NEXT} 1 02-00-00-00-00-33\n"
    nd.advance(601)
    nd.expect_nothing()
    assert nd.read("nd.table") == ""


def test_insert(nd):
    nd.write("nd.insert", f"{NEXT} {OTHER}")
    nd.ip(packet())
    nd.expect("out", framed(ether=OTHER))


def test_executors_agree():
    packets = [("ip", ARRIVING / packet(n, f"2001:db8::{0x20 + n % 7:x}")) for n in range(30)]
    packets[10:10] = [("adv", advertisement(target=f"2001:db8::{0x20 + n:x}")) for n in range(5)]
    assert_equivalent(CONFIGURATION, packets)
    # Neighbours are believed for half a minute, then asked once more, then forgotten.
    assert_equivalent(CONFIGURATION, [(*packet, 4) for packet in packets])
    assert_equivalent(CONFIGURATION, 300, mix=IPV6)


@pytest.mark.whole
@pytest.mark.executors("native")
def test_a_large_table_has_room_for_the_next_while_all_addresses_are_asked_for(router):
    """It isn't looked through for each; nobody who is known goes, and no more than half of the entries wait."""
    r = router(CONFIGURATION.replace("ENTRIES 8", "ENTRIES 3000"), simtime=True)
    r.write("nd.insert", f"{NEXT} {HOST}")
    for number in range(5000):
        r.send("ip", ARRIVING / packet(dst=f"2001:db8:2::{number + 1:x}"))
    known = [line.split()[0] for line in r.read("nd.table").splitlines()]
    assert NEXT in known and "2001:db8:2::1388" in known
    assert len(known) == 1 + 1501


@pytest.mark.executors("bpf")
def test_neighbours_cant_choose_a_slot(router):
    """Addresses that all have the slot 0 under a hash without a key, 2^64 by the golden ratio (Knuth, 6.4): only one of them would be
    in the kernel path's cache. Of a hundred at random in 4,096 slots one shares its slot with another (100^2 / 2 / 4,096)."""
    undo, high = pow(0x9E3779B97F4A7C15, -1, 1 << 64), int.from_bytes(bytes.fromhex("20010db800000000"), "little")
    halves = [(undo * i - high) % (1 << 64) for i in range(1, 101)]
    neighbours = [str(IPv6Address(high.to_bytes(8, "little") + low.to_bytes(8, "little"))) for low in halves]
    r = router(CONFIGURATION.replace("ENTRIES 8", "ENTRIES 200"))
    for address in neighbours:
        r.write("nd.insert", f"{address} {HOST}")
    verdicts = [r.executor.run("ip", bytes(ARRIVING / packet(dst=address)))[0] for address in neighbours]
    assert verdicts.count(SENT) > 90


def first_slot(address):
    """Where the cache has a neighbour whose slot nobody else has: by the upper 12 bits of a product."""
    return int.from_bytes(address[8:], "little") * 0x9E3779B97F4A7C15 % (1 << 64) >> 52


@pytest.mark.executors("bpf")
@pytest.mark.parametrize("place", range(8))
def test_neighbours_are_found_without_a_keyed_hash(router, place):
    """Whichever byte of their addresses is another: of 32 at random in 4,096 slots hardly two share one (32^2 / 2 / 4,096)."""
    hosts = [bytes.fromhex("20010db800000000") + bytes(place) + bytes([last]) + bytes(7 - place) for last in range(1, 33)]
    r = router(CONFIGURATION.replace("ENTRIES 8", "ENTRIES 200"))
    for host in hosts:
        r.write("nd.insert", f"{IPv6Address(host)} {HOST}")
        assert r.executor.run("ip", bytes(ARRIVING / packet(dst=str(IPv6Address(host)))))[0] == SENT
    cache = r.executor.runtime.views["nd"]["cache"]
    found = [cache[first_slot(host)] for host in hosts]
    assert sum(bytes(slot)[:16] == host and slot.word != 0 for slot, host in zip(found, hosts, strict=True)) >= 30


NEIGHBOUR = [("insert", "2001:db8::2 2:0:0:0:0:2")]
FAR = f"SetIP6Address(2001:db8::2) -> {FULL}"
PUNTS = [Reach("IP6NDSolicitor(2001:db8::1, 2:0:0:0:0:1)", 2, 2, before=FAR, writes=NEIGHBOUR)]


def test_a_swap_keeps_neighbours_in_their_states():
    """One that was being asked for is asked again, with the packets that wait for it; one that is due for a probe is probed."""
    old = runtime(CONFIGURATION)
    old.handlers.write("nd", "insert", f"{NEXT} {HOST}")
    old.advance(31 * SECOND)
    old.inject("ip", bytes(ARRIVING / packet()))
    old.inject("ip", bytes(ARRIVING / packet(dst="2001:db8::44")))
    old.collect("out")
    new = runtime(CONFIGURATION, replaces=old)
    assert new.handlers.read("nd", "table") == f"{NEXT} 1 {HOST.replace(':', '-')}\n2001:db8::44 0 00-00-00-00-00-00\n"
    new.advance(SECOND)
    assert new.collect("out") == [bytes(solicitation("2001:db8::44"))]
    new.inject("adv", bytes(advertisement(OTHER, "2001:db8::44")))
    assert new.collect("out") == [bytes(framed(dst="2001:db8::44", ether=OTHER))]
    new.advance(4 * SECOND)
    assert new.collect("out") == [bytes(probe())]
    new.close()


def test_a_new_runtime_goes_on_asking():
    """It has the table of one that died, which was asking for neighbours: when these are given up there is room for others, and a neighbour
    that nothing was sent to is forgotten."""
    old = runtime(CONFIGURATION)
    old.handlers.write("nd", "insert", f"{NEXT} {HOST}")
    for host in range(3):
        old.inject("ip", bytes(ARRIVING / packet(dst=f"2001:db8::{host + 1}")))
    new = resumed(old, CONFIGURATION)
    new.advance(4 * SECOND)
    assert new.handlers.read("nd", "table") == f"{NEXT} 1 {HOST.replace(':', '-')}\n"
    new.collect("out")
    others = [f"2001:db8::{host}" for host in (51, 52, 53)]
    for host in others:
        new.inject("ip", bytes(ARRIVING / packet(dst=host)))
    assert new.collect("out") == [bytes(solicitation(host)) for host in others]
    new.advance(631 * SECOND)
    assert new.handlers.read("nd", "table") == ""
    new.close()
    old.close()
