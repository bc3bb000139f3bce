"""IPAddrRewriter and IPAddrPairRewriter: addresses without ports."""

import pytest
from scapy.layers.inet import ICMP, IP, fragment
from tests.elements.nat.packets import PEER, tcp, udp


@pytest.fixture
def hosts(element):
    return element("IPAddrRewriter(pattern 3.0.0.1-3.0.0.3# - 0 1, drop)", 2, 2, headers="ip-checked")


@pytest.fixture
def pairs(element):
    return element("IPAddrPairRewriter(pattern 3.0.0.1-3.0.0.3# - 0 1, drop)", 2, 2, headers="ip-checked")


def test_a_host_has_one_address_for_all(hosts):
    hosts.gives(tcp("1.0.0.1", 30, "9.9.9.9"), tcp("3.0.0.1", 30, "9.9.9.9"))
    hosts.gives(udp("1.0.0.2", 30, "9.9.9.8"), udp("3.0.0.2", 30, "9.9.9.8"))
    hosts.gives(IP(src="1.0.0.1", dst="9.9.9.7") / ICMP(), IP(src="3.0.0.1", dst="9.9.9.7") / ICMP())
    hosts.gives(udp("9.9.9.6", 53, "3.0.0.1", 1), udp("9.9.9.6", 53, "1.0.0.1", 1), output=1, input=1, DST_IP=0x01000001)
    hosts.drops(udp("9.9.9.6", 53, "3.0.0.9", 1), input=1)
    assert [line.rpartition(" exp")[0] for line in hosts.read("table").splitlines()] == [
        "1.0.0.1 => 3.0.0.1 [*0 1] i0",
        "0.0.0.0 => 0.0.0.0 [0 *1] i0",
        "1.0.0.2 => 3.0.0.2 [*0 1] i0",
        "0.0.0.0 => 0.0.0.0 [0 *1] i0",
    ]
    assert hosts.read("table").splitlines()[0].endswith(" exp7200")


def test_fragments_are_rewritten(hosts):
    for piece in fragment(udp("1.0.0.1", 30, data=bytes(64)), 24):
        hosts.send(piece)
        expected = piece.copy()
        expected[IP].src = "3.0.0.1"
        if not piece.frag:
            # The first has the checksum of the whole, which covers the address.
            expected = IP(src="3.0.0.1", dst=PEER, ttl=9, id=7, proto=17, flags="MF") / bytes(udp("3.0.0.1", 30, data=bytes(64)))[20:44]
        del expected[IP].chksum
        hosts.expect(0, expected)


def test_addresses_run_out(hosts):
    for number in range(1, 5):
        hosts.send(udp(f"1.0.0.{number}", 30))
    for number in range(1, 4):
        hosts.expect(0, udp(f"3.0.0.{number}", 30))
    hosts.expect_nothing()
    assert hosts.read("mapping_failures") == "1"


def test_a_pair_has_its_addresses(pairs):
    for src, dst, new in (("1.0.0.1", "9.9.9.9", 1), ("1.0.0.2", "9.9.9.8", 2), ("1.0.0.1", "9.9.9.9", 1), ("1.0.0.1", "9.9.9.7", 3)):
        pairs.gives(tcp(src, 30, dst), tcp(f"3.0.0.{new}", 30, dst))
    pairs.gives(tcp("9.9.9.7", 80, "3.0.0.3", 30), tcp("9.9.9.7", 80, "1.0.0.1", 30), output=1, input=1)
    pairs.drops(tcp("9.9.9.7", 80, "3.0.0.1", 30), input=1)
    assert pairs.read("table").splitlines()[1].startswith("(9.9.9.9, 3.0.0.1) => (9.9.9.9, 1.0.0.1) [0 *1] i0 exp")


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        ("1.0.0.1 -", "1.0.0.1 -"),
        ("1.0.0.1-1.0.255.255 -", "1.0.0.1-1.0.255.255 -"),
        ("1.0.0.1/24 -", "1.0.0.1-1.0.0.254 -"),
        ("1.0.0.1/8 -", "1.0.0.1-1.255.255.254 -"),
        ("1.0.0.8/31 -", "1.0.0.8-1.0.0.9 -"),
        ("- 2.0.0.2", "- 2.0.0.2"),
    ],
)
@pytest.mark.executors("native")
def test_patterns_of_addresses(element, pattern, shown):
    assert element(f"IPAddrPairRewriter(pattern {pattern} 0 1)", 1, 2).read("patterns") == f"{shown}\n"


def test_patterns_that_cannot_be(element, refused):
    assert refused("IPAddrRewriter(pattern 1.255.0.0-1.0.255.255 - 0 0)").endswith("input spec 0: bad source address")
    # One that changes what the element does not look at makes no flow, as in Click.
    x = element("IPAddrRewriter(pattern 3.0.0.1 9.9.9.9 0 0)", headers="ip-checked")
    x.drops(udp("1.0.0.1", 1))
    assert x.read("table_size") == "0"
