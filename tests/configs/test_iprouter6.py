"""The IPv6 half of configs/iprouter.click: what is forwarded, what isn't (RFC 4291, 2.5.6 and 2.7), and what Linux gets."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import (
    HBHOptUnknown,
    ICMPv6DestUnreach,
    ICMPv6EchoRequest,
    ICMPv6ND_NS,
    ICMPv6ND_RA,
    ICMPv6ND_Redirect,
    ICMPv6NDOptDstLLAddr,
    ICMPv6NDOptSrcLLAddr,
    ICMPv6PacketTooBig,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    RouterAlert,
)
from scapy.layers.l2 import Ether
from tests.configs.traffic import CONFIGS

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6

MACS = {"eth0": "02:00:00:00:00:10", "eth1": "02:00:00:00:01:10"}
LINKS = ("fe80::ff:fe00:10", "fe80::ff:fe00:110")
HOSTS = {"2001:db8::2": "02:00:00:00:00:02", "2001:db8:1::2": "02:00:00:00:01:02"}
ONE, TWO = HOSTS
DATA = UDP(sport=1, dport=2) / b"data"
#: One kernel path for all tests here: it takes the compiler three seconds.
GIVEN = {"configuration": CONFIGS / "iprouter.click", "devices": MACS, "simtime": True, "variables": {"ADVERTISE": "false"}}


@pytest.fixture
def routed(router):
    """The router, which knows both hosts and is silent."""
    r = router(**GIVEN)
    r.write("nd0.insert", f"{ONE} {HOSTS[ONE]}")
    r.write("nd1.insert", f"{TWO} {HOSTS[TWO]}")
    r.arrive = lambda packet, dst=MACS["eth0"]: r.send("eth0", Ether(src=HOSTS[ONE], dst=dst) / packet)
    return r


def test_one_hop(routed):
    routed.arrive(IPv6(src=ONE, dst=TWO, hlim=9, tc=5, fl=77) / DATA)
    routed.expect("eth1", Ether(src=MACS["eth1"], dst=HOSTS[TWO]) / IPv6(src=ONE, dst=TWO, hlim=8, tc=5, fl=77) / DATA)
    routed.expect_nothing()


@pytest.mark.parametrize(
    "chain",
    [
        IPv6ExtHdrHopByHop(options=[RouterAlert()]),
        IPv6ExtHdrHopByHop(options=[HBHOptUnknown(otype=0xC9, optdata=b"who knows")]),
        IPv6ExtHdrDestOpt(options=[HBHOptUnknown(otype=0x8A, optdata=b"what")]),
        IPv6ExtHdrRouting(addresses=["2001:db8::1", "2001:db8:1::1"], segleft=2),
        IPv6ExtHdrFragment(m=1, id=7),
        IPv6ExtHdrDestOpt() / IPv6ExtHdrFragment() / IPv6ExtHdrDestOpt() / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt(),
    ],
    ids=["alert", "unknown hop by hop", "unknown destination", "routing", "fragment", "any order"],
)
def test_extension_headers_stay_as_they_are(routed, chain):
    """RFC 8200, 4 and 4.1: a router goes on to the destination address, whatever headers follow and whatever they say."""
    routed.arrive(IPv6(src=ONE, dst=TWO, hlim=9) / chain.copy() / DATA)
    routed.expect("eth1", bytes(Ether(src=MACS["eth1"], dst=HOSTS[TWO]) / IPv6(src=ONE, dst=TWO, hlim=8) / chain.copy() / DATA))
    routed.expect_nothing()


@pytest.mark.parametrize(
    "src, dst",
    [
        (ONE, "fe80::77"),  # another's address of the link
        (ONE, LINKS[1]),  # the router's address of its other link
        (ONE, "ff05::2"),  # groups: nobody has asked for them
        (ONE, "ff0e::1"),
        ("ff02::1", TWO),
        ("::1", TWO),
        (ONE, "::1"),
        ("::", TWO),  # RFC 4291, 2.5.2
        (ONE, "::"),
    ],
)
def test_what_is_not_forwarded(routed, src, dst):
    routed.arrive(IPv6(src=src, dst=dst) / DATA)
    routed.advance(5)
    routed.expect_nothing()
    assert routed.dropped() == 1


def test_what_the_link_sent_to_a_group_is_not_forwarded(routed):
    routed.arrive(IPv6(src=ONE, dst=TWO) / DATA, dst="33:33:00:00:00:01")
    routed.expect_nothing()


ROUTING = IPv6ExtHdrRouting(addresses=[TWO], segleft=1)


@pytest.mark.parametrize("data", [DATA, ICMPv6EchoRequest(), ROUTING / DATA], ids=["udp", "ping", "routing"])
@pytest.mark.parametrize("dst", ["2001:db8::1", "2001:db8:1::1", "2001:db8::", LINKS[0], "ff02::1", "ff02::2"])
def test_linux_gets_what_is_for_the_router(routed, dst, data):
    packet = IPv6(src=ONE, dst=dst) / data.copy()
    routed.arrive(packet)
    routed.expect_host(Ether(src=MACS["eth0"], dst=MACS["eth0"]) / packet)
    routed.expect_nothing()


def test_nobody_elsewhere_is_solicited_as_a_neighbour(routed):
    """A packet that goes back where it came from, from an address of another network."""
    packet = IPv6(src="2001:db8:9::9", dst=ONE) / DATA
    routed.arrive(packet)
    assert routed.expect("eth0")[IPv6].src == packet.src
    routed.advance(5)
    routed.expect_nothing()


def test_a_host_with_a_new_ethernet_address_is_reached_when_it_speaks(routed):
    """RFC 4861, 7.2.3."""
    new = "02:00:00:00:00:99"
    question = IPv6(src=ONE, dst="ff02::1:ff00:1", hlim=255) / ICMPv6ND_NS(tgt="2001:db8::1") / ICMPv6NDOptSrcLLAddr(lladdr=new)
    routed.send("eth0", Ether(src=new, dst="33:33:ff:00:00:01") / question)
    assert routed.expect("eth0").dst == new
    routed.send("eth1", Ether(src=HOSTS[TWO], dst=MACS["eth1"]) / IPv6(src=TWO, dst=ONE) / DATA)
    assert routed.expect("eth0").dst == new


def errors(routed, packet):
    routed.arrive(packet)
    routed.advance(5)
    return routed.expect("eth0")


def test_errors(routed):
    """From the address on the link that they leave by (RFC 4443, 2.2), which is the sender's."""
    error = errors(routed, IPv6(src=ONE, dst=TWO, hlim=1) / DATA)
    assert (error[ICMPv6TimeExceeded].code, error[IPv6].src, error[IPv6].dst) == (0, "2001:db8::1", ONE)
    error = errors(routed, IPv6(src=ONE, dst=TWO) / UDP() / bytes(1500))
    assert (error[ICMPv6PacketTooBig].mtu, error[IPv6].src) == (1500, "2001:db8::1")
    error = errors(routed, IPv6(src=ONE, dst="2001:db8:1::77") / DATA)
    assert (error[ICMPv6DestUnreach].code, error[IPv6].src) == (3, "2001:db8::1")
    routed.arrive(IPv6(src=ONE, dst="2001:db8::2") / DATA)
    redirect = routed.expect("eth0")
    assert redirect[IPv6].src == LINKS[0] and redirect[ICMPv6ND_Redirect].tgt == ONE
    assert redirect[ICMPv6NDOptDstLLAddr].lladdr == HOSTS[ONE], "RFC 4861, 8.2"
    assert routed.expect("eth0")[IPv6].dst == ONE


def test_what_has_no_hop_left_brings_no_redirect(routed):
    """It isn't forwarded (RFC 4861, 8.2)."""
    assert ICMPv6TimeExceeded in errors(routed, IPv6(src=ONE, dst="2001:db8::2", hlim=1) / DATA)
    routed.expect_nothing()


def test_what_an_address_of_the_link_sends_beyond_it_brings_an_error(routed):
    """RFC 4007, 9. What stays on the link is forwarded, with a redirect to a shorter way, as by Linux's router."""
    routed.write("nd0.insert", f"fe80::2 {HOSTS[ONE]}")
    error = errors(routed, IPv6(src="fe80::2", dst=TWO) / DATA)
    assert (error[IPv6].src, error[IPv6].dst, error[ICMPv6DestUnreach].code) == (LINKS[0], "fe80::2", 2)
    routed.arrive(IPv6(src="fe80::2", dst=ONE, hlim=9) / DATA)
    assert routed.expect("eth0")[ICMPv6ND_Redirect].tgt == ONE
    assert bytes(routed.expect("eth0")[IPv6]) == bytes(IPv6(src="fe80::2", dst=ONE, hlim=8) / DATA)
    routed.expect_nothing()


@pytest.mark.executors("native")
def test_each_link_has_its_prefix_advertised(router):
    """By the runtime, whatever the kernel path is."""
    r = router(CONFIGS / "iprouter.click", devices=MACS, simtime=True, variables={"MTU1": "1280"})
    r.advance(0.6)
    for device, link, prefix, mtu in (("eth0", LINKS[0], "2001:db8::", 1500), ("eth1", LINKS[1], "2001:db8:1::", 1280)):
        frame = r.expect(device)
        assert (frame.src, frame[IPv6].src, frame[ICMPv6ND_RA].routerlifetime) == (MACS[device], link, 1800)
        assert (frame["ICMPv6 Neighbor Discovery Option - Prefix Information"].prefix, frame.mtu) == (prefix, mtu)


@pytest.mark.whole
@pytest.mark.needs("root", "clang-19")
def test_executors_agree():
    writes = [(f"nd{side}.insert", f"{host} {HOSTS[host]}") for side, host in enumerate((ONE, TWO))]
    assert_equivalent(**GIVEN, packets=2000, mix=IPV6, writes=writes)
