"""IP6PrefixRewriter: the mappings of RFC 6296, and that checksums stay right."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, ICMPv6PacketTooBig, IPv6, IPv6ExtHdrDestOpt

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6

#: The prefixes of RFC 6296, 3.6, and the address that it maps.
SITE = "IP6PrefixRewriter(FD01:0203:0405:/48, 2001:0DB8:0001:/48)".replace(":/", "::/")
INSIDE, OUTSIDE, PEER = "fd01:203:405:1::1234", "2001:db8:1:d550::1234", "2001:db8:ffff::9"
LONGER = "IP6PrefixRewriter(fd01:203:405:6::/64, 2001:db8:1:2::/64)"


@pytest.fixture
def npt(element):
    return lambda text=SITE, outputs=2: element(text, ninputs=2, noutputs=outputs, headers="ip6")


@pytest.mark.parametrize("layer", [UDP(sport=1, dport=2) / b"data", TCP() / b"x", ICMPv6EchoRequest(id=7)])
def test_the_example_of_the_rfc(npt, layer):
    """Its checksum is the one that scapy computes for the other address."""
    x = npt()
    x.gives(IPv6(src=INSIDE, dst=PEER) / layer, IPv6(src=OUTSIDE, dst=PEER) / layer)
    seen = x.gives(IPv6(src=PEER, dst=OUTSIDE) / layer, IPv6(src=PEER, dst=INSIDE) / layer, output=1, input=1)
    assert seen.carried["DST_IP6"] == int.from_bytes(IPv6(dst=INSIDE).build()[24:40], "big")


@pytest.mark.parametrize("last", ["1:2:3:4", "ffff:2:3:4", "ffff:ffff:3:4", "ffff:ffff:ffff:4", "0:0:0:1"])
def test_longer_prefixes_change_the_first_word_that_is_not_ffff(npt, last):
    """RFC 6296, 3.5: there and back again, and the sum is the same."""
    x = npt(LONGER)
    seen = x.gives(IPv6(src=f"fd01:203:405:6:{last}", dst=PEER) / UDP() / b"data")
    source = seen.packet[IPv6].src
    assert source.startswith("2001:db8:1:2:")
    assert sum_of(seen.data[8:24]) == sum_of(IPv6(src=f"fd01:203:405:6:{last}").build()[8:24])
    words, before = bytes_of(source), bytes_of(f"fd01:203:405:6:{last}")
    changed = [at for at in range(8, 16, 2) if words[at : at + 2] != before[at : at + 2]]
    assert changed == [next(at for at in range(8, 16, 2) if before[at : at + 2] != b"\xff\xff")]
    x.send(IPv6(src=PEER, dst=source) / UDP() / b"data", input=1)
    assert bytes_of(x.expect(1).packet[IPv6].dst) == before


def bytes_of(address):
    return IPv6(dst=address).build()[24:40]


def sum_of(data):
    """In one's complement; ffff and 0 are the same number."""
    total = sum(int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))
    return total % 0xFFFF


def test_shorter_prefixes_of_different_lengths(npt):
    """RFC 6296, 3.1: the shorter one is filled up with zeros."""
    x = npt("IP6PrefixRewriter(fd00::/8, 2001:db8:1::/48)")
    x.send(IPv6(src="fd00::1:0:0:5", dst=PEER) / UDP())
    source = x.expect(0).packet[IPv6].src
    assert source.startswith("2001:db8:1:") and sum_of(bytes_of(source)) == sum_of(bytes_of("fd00::1:0:0:5"))


@pytest.mark.parametrize(
    "text, packet, input",
    [
        (SITE, IPv6(src="fd01:203:406:1::1234", dst=PEER), 0),
        (SITE, IPv6(src="fd01:203:405:ffff::1", dst=PEER), 0),
        (SITE, IPv6(src=PEER, dst="2001:db8:2::1"), 1),
        (LONGER, IPv6(src="fd01:203:405:6::", dst=PEER), 0),
        (LONGER, IPv6(src="fd01:203:405:6:ffff:ffff:ffff:ffff", dst=PEER), 0),
        (LONGER, IPv6(src="fd01:203:405:7::1", dst=PEER), 0),
        (SITE, bytes(20), 0),
    ],
)
def test_what_cant_be_translated_stays_as_it_is(npt, text, packet, input):
    x = npt(text, outputs=3)
    packet = packet / UDP() if isinstance(packet, IPv6) else packet
    x.passes(packet, output=2, input=input)
    x = npt(text)
    x.drops(packet, input=input)
    assert x.dropped("FILTERED") == 1


@pytest.mark.parametrize("chain", [None, IPv6ExtHdrDestOpt()])
def test_errors_are_about_packets_that_the_host_knows(npt, chain):
    """The packet within went out, and was translated then."""
    x = npt()

    def error(outer, src, dst):
        inner = IPv6(src=src, dst=dst) / UDP(sport=1, dport=2) / b"data"
        message = ICMPv6PacketTooBig(mtu=1280) / inner.build()
        return outer / chain / message if chain else outer / message

    x.gives(error(IPv6(src=PEER, dst=OUTSIDE), OUTSIDE, PEER), error(IPv6(src=PEER, dst=INSIDE), INSIDE, PEER), output=1, input=1)
    x.gives(error(IPv6(src=INSIDE, dst=PEER), PEER, INSIDE), error(IPv6(src=OUTSIDE, dst=PEER), PEER, OUTSIDE))


def test_executors_agree():
    """Packets at random have the prefix of 2 bits with some luck."""
    wide = "npt :: IP6PrefixRewriter(2000::/3, 4000::/3);"
    both = "FromDevice(in) -> Strip(14) -> CheckIP6Header -> [0]npt; FromDevice(out) -> Strip(14) -> CheckIP6Header -> [1]npt;"
    ends = "npt[0] -> Queue -> ToDevice(a); npt[1] -> Queue -> ToDevice(b); npt[2] -> Queue -> ToDevice(c);"
    assert_equivalent(f"{wide} {both} {ends}", 2000, mix=IPV6)


def test_mistakes(refused_router):
    def said(text):
        return refused_router(f"Idle -> [0] x :: IP6PrefixRewriter({text}) -> Discard; Idle -> [1] x [1] -> Discard;")

    assert "more than 64 bits" in said("fd00::/65, 2001:db8::/64")
    assert "beyond a link" in said("fe80::/64, 2001:db8::/64")
    assert "is not an IPv6 prefix" in said("fd00::, 2001:db8::/64")
