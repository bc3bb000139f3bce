"""ICMP6PingResponder: RFC 4443, 4.2."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6, IPv6ExtHdrDestOpt

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import Twins
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.packets.mix import weights

ONE, OTHER = {"src": "2001:db8::2", "dst": "2001:db8::1"}, {"src": "2001:db8::1", "dst": "2001:db8::2"}


@pytest.mark.parametrize("data", [b"", b"0123456789", bytes(1000), b"\xff" * 33])
def test_a_request_becomes_its_reply(element, data):
    ping = element("ICMP6PingResponder", noutputs=2, headers="ip6")
    ping.send(IPv6(**ONE, hlim=3, tc=8, fl=5) / ICMPv6EchoRequest(id=77, seq=9, data=data))
    ping.expect(0, IPv6(**OTHER, hlim=255, tc=8, fl=5) / ICMPv6EchoReply(id=77, seq=9, data=data))


@pytest.mark.parametrize("group", ["ff02::1", "ff02::2"])
def test_a_request_to_a_group_is_answered_from_an_address(element, group):
    """RFC 4443, 4.2: the source of the reply is no group."""
    ping = element("ICMP6PingResponder(fe80::ffff:ffff:1)", headers="ip6", before="SetPacketType(MULTICAST)")
    ping.send(IPv6(src="fe80::2", dst=group) / ICMPv6EchoRequest(id=1, seq=2, data=b"who"))
    seen = ping.expect(0, IPv6(src="fe80::ffff:ffff:1", dst="fe80::2", hlim=255) / ICMPv6EchoReply(id=1, seq=2, data=b"who"))
    assert seen.carried.type == 0
    ping.gives(IPv6(**ONE) / ICMPv6EchoRequest(id=1), IPv6(**OTHER, hlim=255) / ICMPv6EchoReply(id=1))


def test_a_wrong_checksum_stays_wrong(element):
    ping = element("ICMP6PingResponder", headers="ip6")
    right = IPv6(bytes(IPv6(**OTHER) / ICMPv6EchoReply(id=1)))[ICMPv6EchoReply].cksum
    sent = IPv6(bytes(IPv6(**ONE) / ICMPv6EchoRequest(id=1)))[ICMPv6EchoRequest].cksum
    ping.send(IPv6(**ONE) / ICMPv6EchoRequest(id=1, cksum=sent - 5))
    assert ping.expect(0).packet[ICMPv6EchoReply].cksum == right - 5


@pytest.mark.parametrize(
    "packet",
    [
        IPv6(**ONE) / ICMPv6EchoReply(),
        IPv6(**ONE) / UDP(),
        IPv6(src="2001:db8::2", dst="ff02::1") / ICMPv6EchoRequest(),
        IPv6(src="::", dst="2001:db8::1") / ICMPv6EchoRequest(),
        IPv6(**ONE) / IPv6ExtHdrDestOpt() / ICMPv6EchoRequest(),
        IPv6(**ONE, nh=58) / b"\x80\0",
    ],
)
def test_all_else_passes_unchanged(element, packet):
    ping = element("ICMP6PingResponder", noutputs=2, headers="ip6")
    ping.passes(packet, output=1)


CASES = [Case("ICMP6PingResponder", noutputs=2, headers="ip6", mix=Mix(contents=IPV6.contents, transports=weights(icmp=9, udp=1)))]


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("answer", ["ICMP6PingResponder", "ICMP6Error(2001:db8::1, unreachable)"])
def test_an_answer_is_as_old_as_it_is_and_not_as_what_it_answers(answer):
    text = f"FromDevice(a) -> Strip(14) -> CheckIP6Header -> SetTimestamp(5) -> {answer} -> StoreTimestamp(40) -> Queue -> ToDevice(b);"
    with Twins(text) as both:
        both.advance(3.25)
        (sent,) = both.send("a", bytes(12) + b"\x86\xdd" + bytes(IPv6(**ONE) / ICMPv6EchoRequest()))
    assert int.from_bytes(sent.data[40:48], "little") != 5 * 10**9
