"""FixIP6Src: the source address of messages that ask for one."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6TimeExceeded, IPv6, IPv6ExtHdrDestOpt

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

ASKED = "Paint(1, FIX_IP_SRC)"
FIX = "FixIP6Src(2001:db8:1::1)"
#: Sums of addresses and data with carries, and without.
CAUSES = [b"", b"\xff" * 40, IPv6(src="fe80::1", dst="2001:db8::ffff:ffff") / UDP() / b"odd"]


def packet(source: str, cause=b"", **fields):
    return IPv6(src=source, dst="2001:db8::2", **fields) / ICMPv6TimeExceeded() / cause


@pytest.mark.parametrize("cause", CAUSES)
def test_messages_that_ask_get_the_address_and_a_right_checksum(element, cause):
    fix = element(FIX, headers="ip6", before=ASKED)
    fix.send(packet("2001:db8::ffff:1", cause))
    fix.expect(0, packet("2001:db8:1::1", cause), FIX_IP_SRC=0)


def test_others_stay_as_they_are(element):
    fix = element(FIX, headers="ip6")
    fix.send(packet("2001:db8::1"))
    fix.expect(0, packet("2001:db8::1"))


@pytest.mark.parametrize("rest", [UDP(), IPv6ExtHdrDestOpt() / ICMPv6TimeExceeded()])
def test_what_is_no_message_keeps_its_wish(element, rest):
    fix = element(FIX, headers="ip6", before=ASKED)
    fix.send(IPv6(src="2001:db8::1", dst="2001:db8::2") / rest)
    fix.expect(0, IPv6(src="2001:db8::1", dst="2001:db8::2") / rest, FIX_IP_SRC=1)


CASES = [Case(FIX, headers="ip6-in-ethernet", before=ASKED, mix=IPV6)]
