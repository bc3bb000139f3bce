"""ProtocolTranslator46: IPv4 packets become those of IPv6 (RFC 7915, 4)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_LSRR, IPOption_Router_Alert
from scapy.layers.inet6 import (
    ICMPv6DestUnreach,
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6PacketTooBig,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrFragment,
)
from tests.elements.trials import Trial

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import Reach

FROM, TO = "192.0.2.33", "10.0.0.9"
WELL_KNOWN = "ProtocolTranslator46(SRC 64:ff9b::/96)"
SERVER, HOST = "64:ff9b::192.0.2.33", "::ffff:10.0.0.9"


def translator(text=WELL_KNOWN, outputs=1) -> Trial:
    return Trial(text, noutputs=outputs, headers="ethernet")


def v4(**fields):
    return IP(**{"src": FROM, "dst": TO, "ttl": 63, **fields})


def v6(**fields):
    return IPv6(**{"src": SERVER, "dst": HOST, "hlim": 63, **fields})


MESSAGES = [
    (TCP(sport=80, dport=7, flags="SA", options=[("MSS", 1460)]), TCP(sport=80, dport=7, flags="SA", options=[("MSS", 1460)])),
    (UDP(sport=53, dport=7) / b"answer", UDP(sport=53, dport=7) / b"answer"),
    (ICMP(type=8, id=5, seq=6) / b"odd", ICMPv6EchoRequest(id=5, seq=6, data=b"odd")),
    (ICMP(type=0, id=5, seq=6) / b"even", ICMPv6EchoReply(id=5, seq=6, data=b"even")),
]


@pytest.mark.parametrize("options", [[], [IPOption_Router_Alert()]])
@pytest.mark.parametrize("before, after", MESSAGES)
def test_messages(started, options, before, after):
    """Checksums are those that scapy computes for the other packet. Options are left out."""
    x = started(translator())
    seen = x.gives(v4(tos=0xB8, options=options) / before, v6(tc=0xB8) / after)
    assert (seen.carried.network, seen.carried.transport) == (0, 40)
    assert seen.carried.annotations[:16] == bytes(IPv6(dst=HOST))[24:40]


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


@pytest.mark.parametrize("prefix, address", PREFIXES)
def test_prefixes_of_all_lengths(started, prefix, address):
    """In packets that the kernel path translates, in others, and in errors about them."""
    x = started(translator(f"ProtocolTranslator46(SRC {prefix})"))
    x.gives(v4() / UDP(sport=53, dport=7) / b"answer", v6(src=address) / UDP(sport=53, dport=7) / b"answer")
    x.send(v4(options=[IPOption_Router_Alert()]) / UDP(sport=53, dport=7) / b"answer")
    x.expect(0, v6(src=address) / UDP(sport=53, dport=7) / b"answer")
    x.send(v4() / ICMP(type=3, code=3) / IP(src=TO, dst=FROM) / UDP(sport=7, dport=53))
    x.expect(0, v6(src=address) / ICMPv6DestUnreach(code=4) / IPv6(src=HOST, dst=address) / UDP(sport=7, dport=53))
    y = started(translator(f"ProtocolTranslator46(DST {prefix})"))
    y.gives(v4(src=TO, dst=FROM) / UDP(sport=53, dport=7) / b"answer", v6(src=HOST, dst=address) / UDP(sport=53, dport=7) / b"answer")


@pytest.mark.parametrize("offset, more", [(0, 1), (100, 1), (100, 0)])
def test_fragments(started, offset, more):
    x = started(translator())
    whole = IP(bytes(v4() / UDP(sport=1, dport=2) / bytes(1000)))[UDP]
    other = IPv6(bytes(v6() / UDP(sport=1, dport=2) / bytes(1000)))[UDP]
    piece = slice(0, 800) if not offset else slice(800, None)
    x.send(v4(flags="MF" if more else 0, frag=offset, id=0x1234, proto=17) / bytes(whole)[piece])
    seen = x.expect(0, v6() / IPv6ExtHdrFragment(offset=offset, m=more, id=0x1234, nh=17) / bytes(other)[piece])
    assert seen.carried.transport == 48


#: RFC 7915, 4.2.
CODES = {0: 0, 1: 0, 3: 4, 5: 0, 6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 0, 12: 0, 13: 1, 15: 1}


@pytest.mark.parametrize(
    "before, after",
    [
        *((ICMP(type=3, code=code), ICMPv6DestUnreach(code=new)) for code, new in CODES.items()),
        (ICMP(type=3, code=2), ICMPv6ParamProblem(code=1, ptr=6)),
        (ICMP(type=3, code=4, nexthopmtu=1400), ICMPv6PacketTooBig(mtu=1420)),
        (ICMP(type=3, code=4, nexthopmtu=576), ICMPv6PacketTooBig(mtu=1280)),
        (ICMP(type=11, code=0), ICMPv6TimeExceeded(code=0)),
        (ICMP(type=11, code=1), ICMPv6TimeExceeded(code=1)),
        *((ICMP(type=12, code=code, ptr=ptr), ICMPv6ParamProblem(code=0, ptr=new)) for code in (0, 2) for ptr, new in
          ((0, 0), (1, 1), (2, 4), (3, 4), (8, 7), (9, 6), (12, 8), (15, 8), (16, 24), (19, 24))),
    ],
)  # fmt: skip
@pytest.mark.parametrize("inner", [TCP(sport=7, dport=80), UDP(sport=7, dport=53) / b"question"])
def test_errors(started, before, after, inner):
    """The packet within went the other way, so the host's prefix is its source's."""
    x = started(translator())
    quoted4, quoted6 = IP(src=TO, dst=FROM, ttl=9) / inner, IPv6(src=HOST, dst=SERVER, hlim=9) / inner
    x.gives(v4() / before / bytes(quoted4), v6() / after / bytes(quoted6))


@pytest.mark.parametrize("source", ["0.0.0.0", "127.0.0.1"])
def test_errors_come_from_anywhere(started, source):
    """RFC 7915, 4.1: who looks for a fault sees what reported it."""
    x = started(translator())
    quoted4, quoted6 = IP(src=TO, dst=FROM, ttl=9) / UDP(sport=7, dport=53), IPv6(src=HOST, dst=SERVER, hlim=9) / UDP(sport=7, dport=53)
    x.gives(v4(src=source) / ICMP(type=11) / bytes(quoted4), v6(src=f"64:ff9b::{source}") / ICMPv6TimeExceeded() / bytes(quoted6))


def test_an_error_with_eight_bytes_of_the_packet(started):
    """Routers needn't quote more (RFC 792); TCP's checksum isn't there then."""
    x = started(translator())
    tcp = bytes(TCP(sport=7, dport=80, seq=99))[:8]
    x.send(v4() / ICMP(type=11) / bytes(IP(src=TO, dst=FROM, ttl=9, len=1500, proto=6)) / tcp)
    x.expect(0, v6() / ICMPv6TimeExceeded() / bytes(IPv6(src=HOST, dst=SERVER, hlim=9, plen=1480, nh=6)) / tcp)


@pytest.mark.parametrize("length, mtu", [(1500, 1492 + 20), (1492, 1280), (4000, 2022)])
def test_routers_that_dont_tell_the_mtu(started, length, mtu):
    """Then it is RFC 1191's plateau below the packet's length."""
    x = started(translator())
    quoted = bytes(IP(src=TO, dst=FROM, len=length) / UDP(sport=7, dport=53, len=length - 20, chksum=0xABCD))
    x.send(v4() / ICMP(type=3, code=4) / quoted)
    assert IPv6(x.expect(0).data)[ICMPv6PacketTooBig].mtu == mtu


def test_an_error_about_a_ping(started):
    x = started(translator())
    x.send(v4() / ICMP(type=11) / bytes(IP(src=TO, dst=FROM) / ICMP(type=8, id=3, seq=4) / b"data"))
    x.expect(0, v6() / ICMPv6TimeExceeded() / bytes(IPv6(src=HOST, dst=SERVER, hlim=64) / ICMPv6EchoRequest(id=3, seq=4, data=b"data")))


def quotes(data):
    """A packet as errors quote it, in both versions: it went the other way."""
    message = UDP(sport=7, dport=53) / data
    return bytes(IP(src=TO, dst=FROM, ttl=9) / message), bytes(IPv6(src=HOST, dst=SERVER, hlim=9) / message)


EXTENSION = b"\x20\0\0\0 objects"


@pytest.mark.parametrize("data, units", [(100, 18), (104, 19), (992, 130)])
def test_extensions_of_errors_stay(started, data, units):
    """RFC 7915, 4.2: the length in units of 4 bytes is now one of 8 (RFC 4884, 4.4); what is left over is cut."""
    x = started(translator())
    quoted4, quoted6 = quotes(bytes(i % 255 + 1 for i in range(data)))
    for error4, error6 in (({"type": 11}, ICMPv6TimeExceeded), ({"type": 3, "code": 1}, ICMPv6DestUnreach)):
        x.send(v4() / ICMP(**error4, length=len(quoted4) // 4) / quoted4 / EXTENSION)
        x.expect(0, v6() / error6(length=units) / quoted6[: units * 8] / EXTENSION)


@pytest.mark.parametrize("extension, units", [(300, 116), (1104, 16), (1105, None)])
def test_extensions_have_room_within_the_least_mtu(started, extension, units):
    """The packet before has 128 bytes at least (RFC 4884, 5.1)."""
    x = started(translator())
    quoted4, quoted6 = quotes(bytes(992))
    x.send(v4() / ICMP(type=11, length=255) / quoted4 / bytes(extension))
    rest = bytes(extension) if units else b""
    x.expect(0, v6() / ICMPv6TimeExceeded(length=units or 0) / quoted6[: units * 8 if units else 1040] / rest)


@pytest.mark.parametrize(
    "data, before, after",
    [(96, ICMP(type=11, length=31), ICMPv6TimeExceeded()), (100, ICMP(type=12, length=32), ICMPv6ParamProblem(ptr=0))],
)
def test_extensions_that_cant_be_are_left_out(started, data, before, after):
    """Where the packet before is too short (RFC 4884, 5.1), or the other message has no length (5.5)."""
    x = started(translator())
    quoted4, quoted6 = quotes(bytes(data))
    x.gives(v4() / before / quoted4 / EXTENSION, v6() / after / quoted6)


WITHIN = bytes(IP(src=TO, dst=FROM) / UDP())
REFUSED = {
    **{f"from {source}": v4(src=source) / UDP() for source in ("0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255")},
    "a ping from 127.0.0.1": v4(src="127.0.0.1") / ICMP(),
    "a fragment of a ping from 127.0.0.1": v4(src="127.0.0.1", frag=1) / bytes([11, *bytes(27)]),
    "no destination": v4(dst="0.0.0.0") / UDP(),
    "a route on its way": v4(options=[IPOption_LSRR(pointer=4, routers=["9.9.9.9"])]) / UDP(),
    "a lying option": v4(ihl=6) / b"\x83\x09\x04\0" / bytes(UDP()),
    "a short header": v4(proto=6) / bytes(19),
    "a lying length": v4(len=100) / UDP(),
    "a length below the header's": v4(len=19) / UDP(),
    "a lying header": v4(ihl=15) / UDP(),
    "a piece of a ping": v4(flags="MF") / ICMP(),
    "a piece without a checksum": v4(flags="MF") / UDP(chksum=0),
    "a timestamp": v4() / ICMP(type=13),
    "a precedence": v4() / ICMP(type=3, code=14) / WITHIN,
    "an unknown code": v4() / ICMP(type=3, code=16) / WITHIN,
    "a redirect": v4() / ICMP(type=5) / WITHIN,
    "a source quench": v4() / ICMP(type=4) / WITHIN,
    "a missing option": v4() / ICMP(type=12, code=1) / WITHIN,
    "an identification's problem": v4() / ICMP(type=12, ptr=4) / WITHIN,
    "an error about an error": v4() / ICMP(type=11) / bytes(IP(src=TO, dst=FROM) / ICMP(type=11) / bytes(28)),
    "an error about nothing": v4() / ICMP(type=11) / bytes(19),
    "a wrong error": v4() / ICMP(type=11, chksum=1) / WITHIN,
    "IPv6": v6() / UDP(),
    "half a header": bytes(v4())[:19],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cant_be_translated_stays_as_it_is(started, name):
    x = started(translator(outputs=2))
    x.passes(REFUSED[name], output=1)
    x = started(translator())
    x.drops(REFUSED[name])
    assert x.dropped("FILTERED") == 1


def test_executors_agree():
    ends = "pt[0] -> Queue -> ToDevice(a); pt[1] -> Queue -> ToDevice(b);"
    assert_equivalent(f"FromDevice(in) -> Strip(14) -> CheckIPHeader -> pt :: ProtocolTranslator46(SRC 64:ff9b::/96); {ends}", 2000)
    assert_equivalent(f"FromDevice(in) -> pt :: ProtocolTranslator46; {ends}", 300)


def test_there_and_back(router):
    """What 64 makes of a packet, 46 makes the same packet of."""
    there = "ProtocolTranslator64(PREFIX 64:ff9b::/96) -> ProtocolTranslator46(DST 64:ff9b::/96)"
    x = router(f"FromDevice(in) -> {there} -> Queue -> ToDevice(out);")
    for _, message in MESSAGES:
        packet = IPv6(src=HOST, dst=SERVER, tc=4, hlim=9) / message
        x.forwards("in", packet, "out")


#: As much as may be in front of a frame, so that there is no room for a longer header.
CROWDED = " -> ".join([*["EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)"] * 13, "UDPIPEncap(1.0.0.1, 1, 2.0.0.2, 2)"])

TRIALS = {
    "a source route at its end": translator()
        .gives(v4(options=[IPOption_LSRR(pointer=8, routers=["9.9.9.9"])]) / MESSAGES[2][0], v6() / MESSAGES[2][1]),
    "the prefixes are ipv4 mapped unless others are given": [
        translator("ProtocolTranslator46").gives(v4() / UDP(), v6(src="::ffff:192.0.2.33") / UDP()),
        translator("ProtocolTranslator46(DST 2001:db8::/96)")
            .gives(v4() / UDP(), v6(src="::ffff:192.0.2.33", dst="2001:db8::10.0.0.9") / UDP()),
    ],
    "other protocols": translator()
        .gives(v4(proto=132) / b"SCTP has no addresses in its checksum", v6(nh=132) / b"SCTP has no addresses in its checksum"),
    "udp without a checksum gets one": [
        translator().gives(v4() / UDP(sport=53, dport=7, chksum=0) / bytes(length), v6() / UDP(sport=53, dport=7) / bytes(length))
        for length in [0, 1, 4, 1001]
    ],
    "no error is longer than the least mtu": translator()
        .gives(
            v4() / ICMP(type=11) / bytes(IP(src=TO, dst=FROM) / UDP(sport=7, dport=53) / bytes(1400)),
            v6() / ICMPv6TimeExceeded() / bytes(IPv6(src=HOST, dst=SERVER) / UDP(sport=7, dport=53) / bytes(1400))[:1232]
        ),
}

PUNTS = [Reach(WELL_KNOWN, noutputs=2, headers="ip"), Reach(WELL_KNOWN, noutputs=2, before=CROWDED)]
MISTAKES = {"ProtocolTranslator46(DST 64:ff9b::/95)": "not a prefix of 32, 40, 48, 56, 64 or 96 bits"}
