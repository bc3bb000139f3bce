"""ICMP6Error: which packets cause errors, and what these look like (RFC 4443, 2.4 and 3; RFC 4861, 4.5)."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import (
    ICMPv6DestUnreach,
    ICMPv6EchoRequest,
    ICMPv6ND_Redirect,
    ICMPv6NDOptRedirectedHdr,
    ICMPv6PacketTooBig,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
)

from clickbpf.errors import ClickError

SRC = "2001:db8::1"
CAUSE = IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP(sport=1000, dport=53) / b"question"
BACK = IPv6(src=SRC, dst="2001:db8::2", hlim=255)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("unreachable, 3", ICMPv6DestUnreach(code=3)),
        ("1", ICMPv6DestUnreach(code=0)),
        ("packettoobig, PMTU 1400", ICMPv6PacketTooBig(mtu=1400)),
        ("3, 0", ICMPv6TimeExceeded(code=0)),
        ("parameterproblem, 1", ICMPv6ParamProblem(code=1, ptr=6)),
    ],
)
def test_errors(element, arguments, message):
    error = element(f"ICMP6Error({SRC}, {arguments})", headers="ip6", before="SetAnnoByte(ICMP_PARAMPROB, 6)")
    error.send(CAUSE)
    seen = error.expect(0, BACK / message / CAUSE)
    assert (seen.carried.network, seen.carried.transport) == (0, 40)
    assert seen.carried["DST_IP6"] == int.from_bytes(bytes(CAUSE)[8:24], "big")


def test_no_message_is_longer_than_the_least_mtu(element):
    """RFC 4443, 2.4 c."""
    error = element(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6")
    long = bytes(IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP() / bytes(1400))
    error.send(long)
    data = error.expect(0, BACK / ICMPv6TimeExceeded() / long[: 1280 - 48]).data
    assert len(data) == 1280


def test_what_is_before_the_header_is_left_out(element):
    error = element(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6-in-ethernet")
    error.send(bytes(12) + b"\x86\xdd" + bytes(CAUSE))
    error.expect(0, BACK / ICMPv6TimeExceeded() / CAUSE)


@pytest.mark.parametrize("length", [0, 3, 8, 1400])
def test_a_redirect(element, length):
    error = element("ICMP6Error(fe80::1, redirect)", headers="ip6", before="SetIP6Address(fe80::9)")
    cause = bytes(CAUSE) + bytes(length)
    cause = cause[:4] + (len(cause) - 40).to_bytes(2, "big") + cause[6:]
    quoted = cause[: min(len(cause), 1280 - 88) // 8 * 8]
    error.send(cause)
    option = ICMPv6NDOptRedirectedHdr(len=1 + len(quoted) // 8, pkt=quoted)
    error.expect(0, IPv6(src="fe80::1", dst="2001:db8::2", hlim=255) / ICMPv6ND_Redirect(tgt="fe80::9", dst="2001:db8:1::2") / option)


NEVER = [
    IPv6(src="2001:db8::2", dst=SRC) / ICMPv6TimeExceeded(),
    IPv6(src="2001:db8::2", dst=SRC) / ICMPv6ND_Redirect(),
    IPv6(src="2001:db8::2", dst=SRC) / IPv6ExtHdrDestOpt() / ICMPv6TimeExceeded(),
    IPv6(src="2001:db8::2", dst=SRC) / IPv6ExtHdrFragment(nh=58, offset=9) / bytes(20),
    IPv6(src="2001:db8::2", dst=SRC, nh=58) / b"\x80",
    IPv6(src="::", dst=SRC) / UDP(),
    IPv6(src="ff02::1", dst=SRC) / UDP(),
]
TO_GROUP = IPv6(src="2001:db8::2", dst="ff02::1") / UDP()


@pytest.mark.parametrize("arguments, about_groups", [("timeexceeded", 0), ("packettoobig", 1), ("4, 2", 1), ("4, 1", 0)])
def test_what_causes_no_error(element, arguments, about_groups):
    """RFC 4443, 2.4 e."""
    error = element(f"ICMP6Error({SRC}, {arguments})", headers="ip6")
    for packet in NEVER:
        error.send(packet)
    error.expect_nothing()
    error.send(TO_GROUP)
    for _ in range(about_groups):
        error.expect(0)
    error.expect_nothing()
    assert error.dropped("FILTERED") == len(NEVER) + 1 - about_groups
    error.send(IPv6(src="2001:db8::2", dst=SRC) / ICMPv6EchoRequest())
    error.expect(0)


def test_packets_to_the_links_groups_cause_none(element):
    error = element(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6", before="SetPacketType(MULTICAST)")
    error.send(CAUSE)
    error.expect_nothing()


def test_no_more_than_the_rate(element):
    """A bucket of 3 tokens that fills with 10 in a second (RFC 4443, 2.4 f)."""
    error = element(f"ICMP6Error({SRC}, timeexceeded, RATE 10, BURST 3)", headers="ip6", simtime=True)
    for _ in range(10):
        error.send(CAUSE)
    for _ in range(3):
        error.expect(0)
    error.expect_nothing()
    assert error.read("limited") == "7"
    error.router.advance(0.25)
    for _ in range(10):
        error.send(CAUSE)
    for _ in range(2):
        error.expect(0)
    error.expect_nothing()


def test_any_rate(element):
    error = element(f"ICMP6Error({SRC}, timeexceeded, RATE 0, BURST 1)", headers="ip6", simtime=10**18)
    for _ in range(300):
        error.send(CAUSE)
        error.expect(0)


def test_handlers(element):
    error = element(f"ICMP6Error({SRC}, packettoobig)", headers="ip6")
    assert (error.read("src"), error.read("pmtu")) == (SRC, "1280")
    error.write("src", "fe80::5")
    error.write("pmtu", "1500")
    error.send(CAUSE)
    error.expect(0, IPv6(src="fe80::5", dst="2001:db8::2", hlim=255) / ICMPv6PacketTooBig(mtu=1500) / CAUSE)
    with pytest.raises(ClickError):
        error.write("src", "10.0.0.1")


def test_mistakes(refused):
    assert "ICMP6 type 128 is not an error or redirect type" in refused(f"ICMP6Error({SRC}, 128, 0)")
    assert "is not an error" in refused(f"ICMP6Error({SRC}, echo)")
    assert "unspecified" in refused("ICMP6Error(::, 3, 0)")
    assert "MTU" in refused(f"ICMP6Error({SRC}, 3, 0, MTU 1279)")
