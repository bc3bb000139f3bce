"""ProtocolTranslator64: IPv6 packets become those of IPv4 (RFC 7915, 5)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6DestUnreach,
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6ND_NS,
    ICMPv6PacketTooBig,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
)
from tests.elements.trials import Trial

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

FROM, TO = "::ffff:10.0.0.9", "64:ff9b::192.0.2.33"
WELL_KNOWN = "ProtocolTranslator64(PREFIX 64:ff9b::/96)"
#: Next headers that are more than a header for a header.
ODD = [IPv6ExtHdrHopByHop(), IPv6ExtHdrDestOpt(), IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt()]


def translator(text=WELL_KNOWN, outputs=1) -> Trial:
    return Trial(text, noutputs=outputs, headers="ethernet")


def v6(**fields):
    return IPv6(**{"src": FROM, "dst": TO, "hlim": 63, **fields})


def v4(**fields):
    return IP(**{"src": "10.0.0.9", "dst": "192.0.2.33", "ttl": 63, "id": 0, "flags": "DF", **fields})


#: RFC 6052, 2.4: the prefixes of each length, and the addresses in which 192.0.2.33 follows them.
PREFIXES = [
    ("2001:db8::/32", "2001:db8:c000:221::"),
    ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
    ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
    ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
    ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
    ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
    ("64:ff9b::/96", "64:ff9b::192.0.2.33"),
]


MESSAGES = [
    (TCP(sport=7, dport=80, flags="S", options=[("MSS", 1440)]), TCP(sport=7, dport=80, flags="S", options=[("MSS", 1440)])),
    (UDP(sport=7, dport=53) / b"question", UDP(sport=7, dport=53) / b"question"),
    (ICMPv6EchoRequest(id=5, seq=6, data=b"odd"), ICMP(type=8, id=5, seq=6) / b"odd"),
    (ICMPv6EchoReply(id=5, seq=6, data=b"even"), ICMP(type=0, id=5, seq=6) / b"even"),
]


@pytest.mark.parametrize("prefix, address", PREFIXES)
def test_prefixes_of_all_lengths(started, prefix, address):
    """In packets that the kernel path translates, in others, and in errors about them."""
    x = started(translator(f"ProtocolTranslator64(PREFIX {prefix})"))
    for before in (IPv6(src=FROM, dst=address, hlim=63), IPv6(src=FROM, dst=address, hlim=63) / IPv6ExtHdrDestOpt()):
        x.gives(before / UDP(sport=7, dport=53) / b"question", v4() / UDP(sport=7, dport=53) / b"question")
    quoted = UDP(sport=53, dport=7)
    seen = x.gives(IPv6(src=FROM, dst=address, hlim=63) / ICMPv6DestUnreach(code=4) / IPv6(src=address, dst=FROM) / quoted)
    inner = IP(seen.data)[ICMP].payload
    assert (IP(seen.data).dst, inner.src, inner.dst) == ("192.0.2.33", "192.0.2.33", "10.0.0.9")


def test_a_udp_checksum_that_would_be_zero(started):
    """The data is chosen so that the sum in IPv4 is 0, which says that there is none (RFC 768)."""
    x = started(translator())
    sum_without = UDP(bytes(v4() / UDP(sport=1, dport=2) / b"\0\0")[20:]).chksum
    data = sum_without.to_bytes(2, "big")
    x.send(v6() / UDP(sport=1, dport=2) / data)
    assert IP(x.expect(0).data)[UDP].chksum == 0xFFFF


def test_wrong_checksums_stay_wrong(started):
    x = started(translator())
    x.send(v6() / UDP(sport=1, dport=2, chksum=0x1234) / b"data")
    packet = IP(x.expect(0).data)
    right = IP(bytes(v4() / UDP(sport=1, dport=2) / b"data"))
    assert packet[UDP].chksum != right[UDP].chksum
    sent_right = IPv6(bytes(v6() / UDP(sport=1, dport=2) / b"data"))[UDP].chksum
    assert (packet[UDP].chksum - right[UDP].chksum) % 0xFFFF == (0x1234 - sent_right) % 0xFFFF


@pytest.mark.parametrize("offset, more", [(0, 1), (0, 0), (100, 1), (100, 0)])
def test_fragments(started, offset, more):
    """RFC 7915, 5.1.1; only the first has a checksum, and the others stay as they are."""
    x = started(translator())
    whole = IPv6(bytes(v6() / UDP(sport=1, dport=2) / bytes(1000)))[UDP]
    other = IP(bytes(v4() / UDP(sport=1, dport=2) / bytes(1000)))[UDP]
    piece = slice(0, 800) if not offset else slice(800, None)
    x.send(v6() / IPv6ExtHdrFragment(offset=offset, m=more, id=0xABCD1234, nh=17) / bytes(whole)[piece])
    flags = "MF" if more else 0
    x.expect(0, v4(flags=flags, frag=offset, id=0x1234, proto=17) / bytes(other)[piece])


@pytest.mark.parametrize(
    "before, after",
    [
        (ICMPv6DestUnreach(code=0), ICMP(type=3, code=1)),
        (ICMPv6DestUnreach(code=1), ICMP(type=3, code=10)),
        (ICMPv6DestUnreach(code=2), ICMP(type=3, code=1)),
        (ICMPv6DestUnreach(code=3), ICMP(type=3, code=1)),
        (ICMPv6DestUnreach(code=4), ICMP(type=3, code=3)),
        (ICMPv6PacketTooBig(mtu=1280), ICMP(type=3, code=4, nexthopmtu=1260)),
        (ICMPv6TimeExceeded(code=0), ICMP(type=11, code=0)),
        (ICMPv6TimeExceeded(code=1), ICMP(type=11, code=1)),
        (ICMPv6ParamProblem(code=1, ptr=6), ICMP(type=3, code=2)),
        *((ICMPv6ParamProblem(code=0, ptr=ptr), ICMP(type=12, ptr=new)) for ptr, new in
          ((0, 0), (1, 1), (4, 2), (5, 2), (6, 9), (7, 8), (8, 12), (23, 12), (24, 16), (39, 16))),
    ],
)  # fmt: skip
@pytest.mark.parametrize("inner", [TCP(sport=80, dport=7), UDP(sport=53, dport=7) / b"answer"])
def test_errors(started, before, after, inner):
    """The packet within went the other way; its checksum is right as well."""
    x = started(translator())
    quoted6, quoted4 = IPv6(src=TO, dst=FROM, hlim=9) / inner, IP(src="192.0.2.33", dst="10.0.0.9", ttl=9, id=0, flags="DF") / inner
    x.gives(v6() / before / bytes(quoted6), v4() / after / bytes(quoted4))


def quotes(data, **fields):
    """A packet as errors quote it, in both versions: it went the other way."""
    other = IP(**{"src": "192.0.2.33", "dst": "10.0.0.9", "id": 0, "flags": "DF", **fields})
    return bytes(IPv6(src=TO, dst=FROM) / UDP(sport=53, dport=7) / data), bytes(other / UDP(sport=53, dport=7) / data)


#: What follows the packet in an error: about MPLS labels and the like.
EXTENSION = b"\x20\0\0\0 objects"


@pytest.mark.parametrize("data, words", [(80, 32), (88, 32), (96, 32), (104, 33), (152, 45)])
def test_extensions_of_errors_stay(started, data, words):
    """RFC 7915, 5.2: the length in units of 8 bytes is now one of 4 (RFC 4884, 4.5); the packet before has 128 bytes at least (5.1)."""
    x = started(translator())
    quoted6, quoted4 = quotes(bytes(range(1, data + 1)))
    for error6, error4 in ((ICMPv6TimeExceeded, {"type": 11}), (ICMPv6DestUnreach, {"type": 3, "code": 1})):
        x.send(v6() / error6(length=len(quoted6) // 8) / quoted6 / EXTENSION)
        x.expect(0, v4() / ICMP(**error4, length=words) / quoted4.ljust(words * 4, b"\0") / EXTENSION)


def test_no_error_is_longer_than_every_host_takes(started):
    """RFC 1812, 4.3.2.3: 576 bytes; where an extension follows, the packet before it is cut."""
    x = started(translator())
    quoted6, quoted4 = quotes(bytes(1024 - 48))
    x.gives(v6() / ICMPv6TimeExceeded() / quoted6, v4() / ICMP(type=11) / quoted4[:548])
    x.gives(v6() / ICMPv6TimeExceeded(length=128) / quoted6 / EXTENSION, v4() / ICMP(type=11, length=134) / quoted4[:536] / EXTENSION)
    x.gives(v6() / ICMPv6TimeExceeded(length=128) / quoted6 / bytes(424), v4() / ICMP(type=11) / quoted4[:548])


def test_a_packet_in_an_error_may_have_been_divided(started):
    """Its header is translated as any other (RFC 7915, 5.3)."""
    x = started(translator("ProtocolTranslator64(PREFIX 64:ff9b::/96, FRAGMENTABLE true)"))
    quoted6, quoted4 = quotes(b"data", flags="")
    x.send(v6() / ICMPv6TimeExceeded() / quoted6)
    assert x.expect(0).data[28:] == quoted4


def test_a_whole_packet_keeps_the_identification_of_its_fragment_header(started):
    """RFC 7915, 5.1.1: such an atomic fragment (RFC 6946) has the low 16 bits, and may be divided."""
    x = started(translator("ProtocolTranslator64(PREFIX 64:ff9b::/96, FRAGMENTABLE true)"))
    for message6, message4 in MESSAGES[1:2]:
        x.gives(v6() / IPv6ExtHdrFragment(id=0xABCD1234) / message6, v4(flags="", id=0x1234) / message4)


def test_short_packets_may_be_divided_where_that_is_asked_for(started):
    """RFC 7915, 5.1: up to 1260 bytes."""
    x = started(translator("ProtocolTranslator64(FRAGMENTABLE true)"))
    seen = []
    for payload in (b"one", b"two", bytes(1232), bytes(1233)):
        x.send(v6(dst="::192.0.2.33") / UDP(sport=1, dport=2) / payload)
        seen.append(IP(x.expect(0).data))
    assert [str(packet.flags) for packet in seen] == ["", "", "", "DF"] and seen[3].id == 0
    assert len({packet.id for packet in seen}) == 4
    for packet in seen:
        assert bytes(packet) == bytes(IP(**{**packet.fields, "chksum": None}) / packet.payload)
    x.send(v6(dst="::192.0.2.33") / IPv6ExtHdrDestOpt() / UDP(sport=1, dport=2) / b"one")
    assert x.expect(0).data == bytes(seen[0])


REFUSED = {
    "another prefix": v6(src="2001:db8::1") / UDP(),
    "another destination": v6(dst="64:ff9b:1::1.2.3.4") / UDP(),
    "0.0.0.0": v6(src="::ffff:0.0.0.0") / UDP(),
    "a short header": v6(nh=6) / bytes(19),
    "a lying length": v6(plen=9) / UDP(),
    "a routing header on its way": v6() / IPv6ExtHdrRouting(addresses=["2001:db8:1::9"], segleft=1) / UDP(),
    "options after the fragment header": v6() / IPv6ExtHdrFragment(m=1) / IPv6ExtHdrDestOpt() / UDP(),
    "options after the fragment header of a whole packet": v6() / IPv6ExtHdrFragment() / IPv6ExtHdrDestOpt() / UDP(),
    "a later fragment with options": v6() / IPv6ExtHdrFragment(nh=60, offset=9) / bytes(24),
    "authentication after the fragment header": v6() / IPv6ExtHdrFragment(nh=51) / bytes(24),
    "a piece of a ping": v6() / IPv6ExtHdrFragment(m=1) / ICMPv6EchoRequest(),
    "neighbour discovery": v6() / ICMPv6ND_NS(tgt=FROM),
    "an unknown code": v6() / ICMPv6DestUnreach(code=5) / bytes(IPv6(src=TO, dst=FROM) / UDP()),
    "an option's problem": v6() / ICMPv6ParamProblem(code=2) / bytes(IPv6(src=TO, dst=FROM) / UDP()),
    "a flow label's problem": v6() / ICMPv6ParamProblem(code=0, ptr=2) / bytes(IPv6(src=TO, dst=FROM) / UDP()),
    "an error about an error": v6() / ICMPv6TimeExceeded() / bytes(IPv6(src=TO, dst=FROM) / ICMPv6TimeExceeded() / bytes(48)),
    "an error about nothing": v6() / ICMPv6TimeExceeded() / bytes(39),
    "a wrong error": v6() / ICMPv6TimeExceeded(cksum=1) / bytes(IPv6(src=TO, dst=FROM) / UDP()),
    "IPv4": v4() / UDP(),
    "half a header": bytes(v6())[:39],
    "authentication beyond the end": v6(nh=60) / bytes([51, 1, *bytes(6)]),
    "authentication beyond the end, in an error": v6()
    / ICMPv6TimeExceeded()
    / bytes(IPv6(src=TO, dst=FROM, nh=60, plen=500) / bytes([51, 50, *bytes(6)])),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cant_be_translated_stays_as_it_is(started, name):
    x = started(translator(outputs=2))
    x.passes(REFUSED[name], output=1)
    x = started(translator())
    x.drops(REFUSED[name])
    assert x.dropped("FILTERED") == 1


def test_mistakes(refused):
    for length in (0, 31, 33, 72, 95, 97, 128):
        assert "not a prefix of 32, 40, 48, 56, 64 or 96 bits" in refused(f"ProtocolTranslator64(PREFIX 64:ff9b::/{length})")
    assert "bits 64 to 71 of '2001:db8:0:0:100::/96' are not zero" in refused("ProtocolTranslator64(PREFIX 2001:db8:0:0:100::/96)")


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("more", ["", ", FRAGMENTABLE true"])
def test_executors_agree(more):
    """Addresses are made those that can be translated, so that most packets are."""

    ends = "pt[0] -> Queue -> ToDevice(a); pt[1] -> Queue -> ToDevice(b);"
    translator = f"pt :: ProtocolTranslator64(PREFIX 64:ff9b::/96{more})"
    assert_equivalent(f"FromDevice(in) -> Strip(14) -> CheckIP6Header -> {ADDRESSED} -> {translator}; {ends}", 2000, mix=IPV6)
    assert_equivalent(f"FromDevice(in) -> pt :: ProtocolTranslator64; {ends}", 300)


#: What the kernel path gives up: extension headers and errors.
ADDRESSED = "StoreIP6Address(::ffff:10.0.0.9, src) -> StoreIP6Address(64:ff9b::192.0.2.33, dst)"

TRIALS = {
    # RFC 6052, 2.2. Bits of the prefix are not.
    "what follows the ipv4 address is ignored": translator("ProtocolTranslator64(PREFIX 2001:db8:100::/40)", outputs=2)
        .gives(v6(dst="2001:db8:1c0:2:21:ff::1") / UDP(), v4() / UDP())
        .each(
            (v6(dst=other) / UDP(), v6(dst=other) / UDP(), 1)
            for other in ("2001:db8:2c0:2:21::", "2001:db9:1c0:2:21::", "2001:db8:100::")
        ),
    # Checksums are those that scapy computes for the other packet.
    "messages": [
        translator().gives(v6(tc=0xB8) / before, v4(tos=0xB8) / after, network=0, transport=20, annotations={0: bytes([192, 0, 2, 33])})
        for before, after in MESSAGES
    ],
    "extension headers are left out": [
        translator().gives(v6() / chain / before, v4() / after)
        for chain in ODD
        for before, after in MESSAGES
    ],
    "other protocols": translator()
        .gives(v6(nh=132) / b"SCTP has no addresses in its checksum", v4(proto=132) / b"SCTP has no addresses in its checksum"),
    "an error about a ping": translator()
        .gives(
            v6() / ICMPv6TimeExceeded() / bytes(IPv6(src=TO, dst=FROM) / ICMPv6EchoRequest(id=3, seq=4, data=b"data")),
            v4() / ICMP(type=11) / bytes(IP(src="192.0.2.33", dst="10.0.0.9", id=0, flags="DF") / ICMP(type=8, id=3, seq=4) / b"data")
        ),
    "nothing is longer than ipv4 can say": translator(outputs=2).passes(v6(nh=132) / bytes(65516), output=1),
}

PUNTS = [Reach(WELL_KNOWN, noutputs=2, headers="ip6", before=ADDRESSED, mix=IPV6)]
