"""SetTCPChecksumIP6, SetUDPChecksumIP6 and ICMP6Checksum: what scapy computes, and what can't be computed."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6, IPv6ExtHdrFragment, IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting

from clickbpf.testing.equivalence import assert_element_equivalent
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.packets.mix import weights

ADDRESSES = {"src": "2001:db8::2", "dst": "2001:db8:1::2"}
#: Class -> a header with a wrong checksum, the field, a shorter message than its header.
CLASSES = {
    "SetTCPChecksumIP6": (TCP(chksum=0x1234), "chksum", 19),
    "SetUDPChecksumIP6": (UDP(chksum=0), "chksum", 7),
    "ICMP6Checksum": (ICMPv6EchoRequest(cksum=0xFFFF, id=3), "cksum", 3),
}


@pytest.fixture(params=CLASSES)
def class_(request):
    return request.param


def right(packet, field):
    """The packet with the checksum that scapy computes."""
    packet = packet.copy()
    delattr(packet.getlayer(type(CLASSES[field[1]][0])), field[0])
    return bytes(packet)


def test_checksums_behind_extension_headers(element, chain, class_):
    put, _ = chain
    layer, field, _ = CLASSES[class_]
    x = element(class_, headers="ip6-checked")
    for length in (0, 1, 7, 600, 1300):
        packet = put(IPv6(**ADDRESSES), layer / bytes(n % 251 for n in range(length)))
        x.send(bytes(packet))
        if IPv6ExtHdrFragment in packet:
            x.expect_nothing()
        else:
            x.expect(0, right(packet, (field, class_)))


@pytest.mark.parametrize("routing", [IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting])
def test_the_final_destination_is_in_the_sum(element, class_, routing):
    """RFC 8200, 8.1; RFC 8754: a segment list is written backwards."""
    layer, field, _ = CLASSES[class_]
    packet = IPv6(**ADDRESSES) / routing(addresses=["2001:db8::a", "2001:db8::b"], segleft=1) / layer / b"data"
    x = element(class_, headers="ip6-checked")
    x.send(packet)
    final = "2001:db8::b" if routing is IPv6ExtHdrRouting else "2001:db8::a"
    plain = IPv6(right(IPv6(src=ADDRESSES["src"], dst=final) / layer / b"data", (field, class_)))
    assert getattr(x.expect(0).packet.getlayer(type(layer)), field) == getattr(plain.getlayer(type(layer)), field)


def test_what_is_no_whole_message_is_dropped(element, class_):
    layer, _, short = CLASSES[class_]
    x = element(class_, headers="ip6")
    cut = bytes(IPv6(**ADDRESSES) / layer / bytes(30))[:-1]
    for packet in (
        IPv6(**ADDRESSES, nh=59) / bytes(60),
        IPv6(**ADDRESSES, nh=layer.overload_fields.get(IPv6, {}).get("nh", 0)) / bytes(short),
        IPv6(**ADDRESSES) / IPv6ExtHdrFragment(m=1) / layer / bytes(8),
        cut,
    ):
        x.send(packet)
    x.expect_nothing()
    assert x.dropped("MALFORMED") == 4


def test_executors_agree(class_):
    mix = Mix(contents=IPV6.contents, options=30, transports=weights(udp=1, tcp=1, icmp=1))
    assert_element_equivalent(class_, headers="ip6-checked", mix=mix)
