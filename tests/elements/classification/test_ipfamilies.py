"""IPv6 in IPFilter's and IPClassifier's patterns: which packets of both families each pattern is true of.

What is expected follows from what scapy was asked to build, not from its bytes.
"""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    ICMPv6PacketTooBig,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)
from scapy.layers.ipsec import AH
from scapy.layers.l2 import Ether

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6, Mix

SIX, FOUR = IPv6(src="2001:db8:1::1", dst="fd00::2"), IP(src="10.0.0.1", dst="10.0.0.2")
OPTION = PadN(optdata=bytes(4))
#: Packets by names that say what is in them: the family, what they carry, and how far away that is.
PACKETS = {
    "4 tcp syn": FOUR / TCP(sport=1000, dport=80, flags="S"),
    "4 udp": FOUR / UDP(sport=53, dport=1000),
    "4 icmp": FOUR / ICMP(type=8),
    "4 proto58": IP(src="10.0.0.1", dst="10.0.0.2", proto=58) / b"\x80\0\0\0",
    "4 later tcp": IP(src="10.0.0.1", dst="10.0.0.2", proto=6, frag=5) / bytes(TCP(dport=80, flags="S")),
    "6 tcp syn": SIX / TCP(sport=1000, dport=80, flags="S"),
    "6 udp": SIX / UDP(sport=53, dport=1000),
    "6 echo": SIX / ICMPv6EchoRequest(),
    "6 toobig": IPv6(src="2001:db9::1", dst="2001:db8::5", tc=0xB9, fl=77, hlim=9) / ICMPv6PacketTooBig(mtu=1300),
    "6 far tcp syn": SIX / IPv6ExtHdrHopByHop(options=OPTION) / IPv6ExtHdrDestOpt() / TCP(sport=1000, dport=80, flags="S"),
    "6 routed udp": SIX / IPv6ExtHdrRouting(addresses=["2001:db8::9"], segleft=0) / UDP(sport=53, dport=1000),
    "6 signed tcp syn": SIX / AH(nh=6, payloadlen=4, icv=bytes(12)) / TCP(sport=1000, dport=80, flags="S"),
    "6 first tcp syn": SIX / IPv6ExtHdrFragment(m=1) / IPv6ExtHdrDestOpt() / TCP(sport=1000, dport=80, flags="S"),
    "6 atomic tcp syn": SIX / IPv6ExtHdrFragment() / TCP(sport=1000, dport=80, flags="S"),
    "6 later tcp": SIX / IPv6ExtHdrFragment(offset=9, nh=6) / bytes(TCP(dport=80, flags="S")),
    "6 eight udp": SIX / (IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt())
    / (IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt()) / UDP(sport=53, dport=1000),
    "6 cut tcp": IPv6(src="2001:db8:1::1", dst="fd00::2", nh=60) / b"\x06\x07\0\0\0\0\0\0",
    "6 nothing": IPv6(src="2001:db8:1::1", dst="fd00::2", nh=59),
}  # fmt: skip
#: One header more than is looked at, and one that isn't whole, so that nobody knows what follows.
LOST = {
    "6 nine": SIX / (IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt()) / (IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt())
    / (IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt() / IPv6ExtHdrDestOpt()) / UDP(sport=53, dport=1000),
    "6 cut": IPv6(src="2001:db8:1::1", dst="fd00::2", nh=60) / b"\x06\0\0\0",
}  # fmt: skip
ALL = {**PACKETS, **LOST}


def said(*words: str, unless: str | None = None, among: dict = PACKETS) -> set[str]:
    """The packets whose names have these words, and not that one."""
    return {name for name in among if set(words) <= set(name.split()) and unless not in name.split()}


SIXES, FOURS = said("6", among=ALL), said("4")
FRAGMENTS = {"6 first tcp syn", "6 later tcp"}
PATTERNS = {
    "ip6": SIXES,
    "not ip6": FOURS,
    "ip6 and tcp": said("6", "tcp"),
    "ip6 tcp": said("6", "tcp"),
    "ip proto tcp and not ip6 proto udp": said("4", "tcp"),
    "ip6 proto udp": said("6", "udp"),
    "ip6 proto 59": {"6 nothing"},
    "ip6 proto != tcp": said("6", unless="tcp"),
    "ip6 and not tcp": SIXES - said("tcp"),
    "ip6 || tcp dst port 80": SIXES | {"4 tcp syn"},
    "ip6 tcp dst port 80": said("6", "syn"),
    "tcp dst port 80 and syn and (ip6 or not ip6)": said("syn"),
    "ip6 syn": said("6", "syn"),
    "ip6 udp src port != 53": set(),
    "udp port 53 and ip6": said("6", "udp"),
    "ip6 dst port < 81": said("6", "syn"),
    "icmp6": {"4 proto58", "6 echo", "6 toobig"},
    "ip6 icmp6 type echo": {"6 echo"},
    "icmp6 type packettoobig": {"6 toobig"},
    "icmp6 type 2 or 128": {"4 proto58", "6 echo", "6 toobig"},
    "icmp6 type unreachable or echo or packettoobig": {"4 proto58", "6 echo", "6 toobig"},
    "icmp6 type unreachable": set(),
    "icmp type echo and not ip6": {"4 icmp"},
    "icmp6[4:4] 1300": {"6 toobig"},
    "src host 2001:db8:1::1": SIXES - {"6 toobig"},
    "dst net 2001:db8::/32": {"6 toobig"},
    "src net 2001:db8::/31": SIXES,
    "net 2001:db8::/32": SIXES,
    "src 2001:db8::/32": SIXES - {"6 toobig"},
    "src host != 2001:db8:1::1": {"6 toobig"},
    "not src host 2001:db8:1::1": FOURS | {"6 toobig"},
    "src net 10.0.0.0/8 or 2001:db9::/32": FOURS | {"6 toobig"},
    "ip6 net ::/0": SIXES,
    "src host 10.0.0.1 and not ip6": FOURS,
    "src host != 10.0.0.2 || icmp6 type 9": FOURS,
    "ip6 class 0xb9": {"6 toobig"},
    "ip6 dscp 46": {"6 toobig"},
    "ip6 ect": {"6 toobig"},
    "ip6 flow 77": {"6 toobig"},
    "ip6 hlim < 10": {"6 toobig"},
    "ip6 ttl 9": {"6 toobig"},
    "ip6 vers 6": SIXES,
    "ip6[7] 9": {"6 toobig"},
    "ip6 len 0": {"6 nothing"},
    "ip6 frag": FRAGMENTS,
    "ip6 unfrag": SIXES - FRAGMENTS,
    "ip frag and not ip6": {"4 later tcp"},
    "ip unfrag and not ip6": FOURS - {"4 later tcp"},
    "ip vers 4 || icmp6 type 9": FOURS,
    "ip6 frag and tcp and not syn": {"6 later tcp"},
}


FRONT = "FromDevice(in) -> c :: Classifier(12/86dd, -) -> Strip(14) -> MarkIP6Header -> x; c [1] -> Strip(14) -> MarkIPHeader -> x;"


def text(element: str) -> str:
    """An element whose packets leave by eth0 and eth1."""
    ends = "-> Unstrip(14) -> Queue -> ToDevice"
    return f"x :: {element}; {FRONT} x [0] {ends}(eth0); x [1] {ends}(eth1);"


def taken(r) -> set[str]:
    """The packets that leave by eth0."""
    return {name for name, packet in ALL.items() if r.send("in", Ether() / packet)[0].device == "eth0"}


@pytest.mark.executors("native")
def test_what_patterns_are_true_of(router):
    lines = [f"x [{i}] -> x{i} :: IPClassifier({p}, -) -> c{i} :: Counter -> Discard; x{i} [1] -> Discard;" for i, p in enumerate(PATTERNS)]
    r = router(f"x :: Tee; {FRONT} " + "\n".join(lines))
    found: dict[str, set[str]] = {pattern: set() for pattern in PATTERNS}
    for name, packet in ALL.items():
        before = [int(r.read(f"c{i}.count")) for i in range(len(PATTERNS))]
        r.send("in", Ether() / packet)
        for i, pattern in enumerate(PATTERNS):
            if int(r.read(f"c{i}.count")) > before[i]:
                found[pattern].add(name)
    assert {pattern: names ^ PATTERNS[pattern] for pattern, names in found.items() if names != PATTERNS[pattern]} == {}


@pytest.mark.parametrize("pattern", ["tcp dst port 80 and syn and (ip6 or not ip6)", "not src host 2001:db8:1::1", "ip6 frag"])
def test_the_same_in_the_kernel(router, pattern):
    assert taken(router(text(f"IPClassifier({pattern}, -)"))) == PATTERNS[pattern]


def test_rules_of_a_firewall(router):
    rules = "deny src net 2001:db8:1::/48 and tcp dst port 80, allow icmp6 type packettoobig or echo, 1 udp, deny all"
    r = router(text(f"IPFilter({rules})"))
    went = {name: [output.device for output in r.send("in", Ether() / packet)] for name, packet in ALL.items()}
    assert {name for name, devices in went.items() if devices == ["eth0"]} == {"4 proto58", "6 echo", "6 toobig"}
    assert {name for name, devices in went.items() if devices == ["eth1"]} == said("udp")


@pytest.mark.executors("native")
def test_patterns_become_ones_of_both_families_while_packets_flow(router):
    """And those about IPv4 lose the packets that only looked like theirs."""
    r = router(text("IPClassifier(udp, -)"))
    r.write("x.pattern0", "udp or icmp6 type echo")
    assert taken(r) == said("udp") | {"4 proto58", "6 echo"}
    r.write("x.pattern0", "udp")
    assert r.send("in", Ether() / PACKETS["4 udp"])[0].device == "eth0"


@pytest.mark.executors("native")
def test_without_a_word_about_it_nothing_changes(router):
    """As in Click, an IPv6 packet is taken for IPv4: byte 9 is the second of its source address."""
    r = router(text("IPClassifier(ip proto 1, -)"))
    assert r.read("x.program").splitlines()[0] == " 0 264/00010000%00ff0000  yes->[0]  no->[1]"
    assert r.send("in", Ether() / IPv6(src="2001:db8::1", dst="::1"))[0].device == "eth0"


@pytest.mark.needs("root")
@pytest.mark.parametrize("mix", [IPV6, Mix()], ids=["six", "mixed"])
def test_both_executors_agree(mix):
    patterns = "src net 2001:db8::/32 and tcp, udp src port > 100 and ip6, icmp6 type != echo, ip6 frag, ip6 proto 59, syn, 10.0.0.0/8, -"
    ends = " ".join(f"x [{i}] -> Queue -> ToDevice(eth{i});" for i in range(8))
    assert_equivalent(f"x :: IPClassifier({patterns}); {FRONT} {ends}", 2000, mix=mix)


MISTAKES = {
    "IPClassifier(ip host 2001:db8::1)": "'2001:db8::1' is not a word",
    "IPClassifier(ip6 host 10.0.0.1)": "'10.0.0.1' is not an IPv6 address",
    "IPClassifier(src host > 2001:db8::1)": "addresses have no order",
    "IPClassifier(src host & 255.0.0.0 2001:db8::1)": "no masks",
    "IPClassifier(ip6 hlim 256)": "out of range",
    "IPClassifier(ip6 id 7)": "not of IPv6",
    "IPClassifier(icmp6 type 256)": "out of range",
    "IPClassifier(icmp type packettoobig)": "packettoobig",
    "IPClassifier(ip6 ip)": "not complete",
}
