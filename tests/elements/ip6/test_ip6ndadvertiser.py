"""IP6NDAdvertiser: RFC 4861, 7.1.1 and 7.2.4."""

from random import Random

import pytest
from scapy.layers.inet6 import ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptSrcLLAddr, IPv6
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial
from tests.elements.verdicts import verdicts

from clickbpf.testing.equivalence import Twins
from clickbpf.testing.executors.bpf import SENT
from clickbpf.testing.single import Surroundings

OWN, HOST = "02:00:00:00:00:01", "02:00:00:00:00:22"
NODE = {"src": "fe80::22", "dst": "ff02::1:ff00:1"}
NDA = f"IP6NDAdvertiser(2001:db8::1 {OWN}, 2001:db8:7::/64 02:00:00:00:00:07, 2001:db8:7::/80 02:00:00:00:00:08)"


def solicitation(target="2001:db8::1", ip=None, **more):
    option = more.pop("option", ICMPv6NDOptSrcLLAddr(lladdr=HOST))
    made = Ether(src=HOST, dst="33:33:ff:00:00:01") / IPv6(**{**NODE, "hlim": 255, **(ip or {})}) / ICMPv6ND_NS(tgt=target, **more)
    return made / option if option else made


def advertisement(target, ether, to="fe80::22", ether_to=HOST, **flags):
    frame = Ether(src=ether, dst=ether_to) / IPv6(src=target, dst=to, hlim=255)
    return frame / ICMPv6ND_NA(**{"R": 1, "S": 1, "O": 0, **flags}, tgt=target) / ICMPv6NDOptDstLLAddr(lladdr=ether)


def test_who_asks_whether_an_address_is_free_is_answered_by_group(element):
    """RFC 4862, 5.4.3: from ::, so the answer goes to all nodes, and is not said to be solicited."""
    nda = element(NDA)
    nda.send(solicitation(ip={"src": "::"}, option=None))
    nda.expect(0, advertisement("2001:db8::1", OWN, to="ff02::1", ether_to="33:33:00:00:00:01", S=0, O=1))


def test_clicks_example(element):
    """conf/ip6ndadvertiser.click; its expected output is older than its code, which sets the flags R and S, and no option."""
    nda = element("IP6NDAdvertiser(3ffe:1ce1:0002:0000:0200:c0ff:fe43:71ef/128 00:e0:29:05:e5:6f)")
    nda.send(bytes.fromhex(
        "0000c04371ef009027e0231f86dd6000000000203aff3ffe1ce10002000000000000000000023ffe1ce1000200000200c0fffe4371ef"
        "8700af08000000003ffe1ce1000200000200c0fffe4371ef0101009027e0231f"
    ))  # fmt: skip
    target = "3ffe:1ce1:2:0:200:c0ff:fe43:71ef"
    nda.expect(0, advertisement(target, "00:e0:29:05:e5:6f", to="3ffe:1ce1:2::2", ether_to="00:90:27:e0:23:1f", O=1))


def test_mistakes(refused):
    assert "missing ETH" in refused("IP6NDAdvertiser(2001:db8::1)")
    assert "missing IP6/LENGTH" in refused(f"IP6NDAdvertiser({OWN})")
    assert "expected IP6/LENGTH ETH" in refused(f"IP6NDAdvertiser(10.0.0.1 {OWN})")
    assert "more than one ETH" in refused(f"IP6NDAdvertiser(::1 {OWN} {HOST})")


def solicitations(number: int) -> list:
    """Good ones and, as often, others: of other targets, senders and options, cut, padded, damaged."""
    random, made = Random(1), []
    for _ in range(number):
        ip = {"src": random.choice(("fe80::22", "fe80::22", "2001:db8::9", "::", "ff02::9"))}
        target = random.choice(("2001:db8::1", "2001:db8:7::9", "2001:db8:7:0:1::9", "2001:db8::2", "ff02::1"))
        option = random.choice((ICMPv6NDOptSrcLLAddr(lladdr=HOST),) * 3 + (None, ICMPv6NDOptDstLLAddr(lladdr=HOST)))
        raw = bytearray(bytes(solicitation(target, ip, option=option)))
        if random.random() < 0.2:
            raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
        raw = raw[: random.choice((len(raw),) * 9 + (random.randrange(len(raw)),))] + bytes(random.choice((0, 0, 5)))
        made.append(bytes(raw))
    return made


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("hook", ["bpf", "tc"])
def test_the_kernel_path_makes_no_difference(hook, record):
    text = Surroundings(NDA).text(record=record)
    with Twins(text, ("native", hook)) as both:
        seen = verdicts(both.other)
        for packet in solicitations(2000):
            both.send("in0", packet)
    assert seen.count(SENT) > 300 or record


TRIALS = {
    "an address of its own": [
        Trial(NDA).gives(solicitation(option=option), advertisement("2001:db8::1", OWN, O=1), mac=0, network=14, transport=54)
        for option in [ICMPv6NDOptSrcLLAddr(lladdr=HOST), None]
    ],
    "a proxy goes by the longest prefix and overrides nothing": Trial(NDA)
        .each(
            (solicitation(target), advertisement(target, ether))
            for target, ether in (("2001:db8:7:0:1::9", "02:00:00:00:00:07"), ("2001:db8:7::9", "02:00:00:00:00:08"))
        ),
    "what is not valid": [
        Trial(NDA).drops(packet, reason="MALFORMED")
        for packet in [
            solicitation(ip={"hlim": 254}),
            solicitation(cksum=0x1234),
            solicitation(code=1),
            solicitation("ff02::1"),
            solicitation(ip={"src": "::"}),
            solicitation(ip={"src": "ff02::1"}),
            Ether(src="33:33:00:00:00:01", dst=OWN) / solicitation().payload,
            solicitation(ip={"src": "::", "dst": "2001:db8::1"}, option=None),
            solicitation(option=ICMPv6NDOptSrcLLAddr(lladdr=HOST, len=0)),
            solicitation(option=ICMPv6NDOptSrcLLAddr(lladdr=HOST, len=2)),
            bytes(solicitation(option=None))[:-1],
            bytes(solicitation())[:-1],
            Ether(src=HOST, dst=OWN) / IPv6(src="fe80::22", dst="fe80::1", hlim=255) / ICMPv6ND_NA(tgt="2001:db8::1"),
            Ether(src=HOST, dst=OWN, type=0x0800) / bytes(80),
            b"",
        ]
    ],
    "addresses of nobody here": Trial(NDA).drops(solicitation("2001:db8::2"), reason="FILTERED"),
}
