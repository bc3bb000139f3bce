"""ICMP6Error: which packets cause errors, and what these look like (RFC 4443, 2.4 and 3; RFC 4861, 4.5)."""

import pytest
from scapy.layers.inet import TCP, UDP
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
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import FULL, Reach

SRC = "2001:db8::1"
CAUSE = IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP(sport=1000, dport=53) / b"question"
BACK = IPv6(src=SRC, dst="2001:db8::2", hlim=255)


def test_no_message_is_longer_than_the_least_mtu(element):
    """RFC 4443, 2.4 c."""
    error = element(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6")
    long = bytes(IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP() / bytes(1400))
    error.send(long)
    data = error.expect(0, BACK / ICMPv6TimeExceeded() / long[: 1280 - 48]).data
    assert len(data) == 1280


@pytest.mark.parametrize("length, more", [(0, ""), (3, ""), (8, ""), (1400, ""), (1400, ", MTU 1283")])
def test_a_redirect(element, length, more):
    """Not beyond the least MTU (RFC 4861, 4.5), whatever errors may be."""
    error = element(f"ICMP6Error(fe80::1, redirect{more})", headers="ip6", before="SetIP6Address(fe80::9)")
    cause = bytes(CAUSE) + bytes(length)
    cause = cause[:4] + (len(cause) - 40).to_bytes(2, "big") + cause[6:]
    quoted = cause[: min(len(cause), 1280 - 88) // 8 * 8]
    error.send(cause)
    option = ICMPv6NDOptRedirectedHdr(len=1 + len(quoted) // 8, pkt=quoted)
    error.expect(0, IPv6(src="fe80::1", dst="2001:db8::2", hlim=255) / ICMPv6ND_Redirect(tgt="fe80::9", dst="2001:db8:1::2") / option)


@pytest.mark.parametrize("target, sent", [("2001:db8::9", False), ("2001:db8:1::2", True), ("febf::9", True), ("fec0::9", False)])
def test_a_redirect_names_a_router_by_its_address_of_the_link(element, target, sent):
    """RFC 4861, 4.5: or nobody takes it (8.1). The packet's destination may have any address."""
    error = element("ICMP6Error(fe80::1, redirect)", headers="ip6", before=f"SetIP6Address({target})")
    error.send(CAUSE)
    if sent:
        assert error.expect(0).data[48:64] == IPv6(src=target).build()[8:24]
    error.expect_nothing()


REDIRECTS = """FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> SetIP6Address(fe80::9)
    -> ICMP6Error(fe80::1, redirect, NEIGHBOURS nd) -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02)
    -> out :: Queue -> ToDevice(eth0);
FromDevice(eth1) -> nd :: IP6NDSolicitor(fe80::1, 02:00:00:00:00:01) -> Queue -> ToDevice(eth1);  Idle -> [1] nd;"""


@pytest.mark.parametrize("length", [0, 3, 1400])
def test_a_redirect_says_where_its_target_is(router, length):
    """RFC 4861, 4.5, 4.6.1 and 8.2: the target's Ethernet address if it is known, as one more option. The whole doesn't exceed 1280
    bytes, and the option with the packet has a multiple of 8."""
    r = router(REDIRECTS, simtime=True)
    cause = bytes(IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP() / bytes(length))

    def expect(link):
        r.send("eth0", Ether(dst="02:00:00:00:00:01", type=0x86DD) / cause)
        quoted = cause[: min(len(cause), 1280 - 88 - len(link)) // 8 * 8]
        options = link + bytes([4, 1 + len(quoted) // 8, *bytes(6)]) + quoted
        message = ICMPv6ND_Redirect(tgt="fe80::9", dst="2001:db8:1::2") / Raw(options)
        back = IPv6(src="fe80::1", dst="2001:db8::2", hlim=255) / message
        r.expect("eth0", Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / back)

    expect(b"")
    r.write("nd.insert", "fe80::9 02:00:00:00:00:77")
    expect(bytes.fromhex("0201020000000077"))
    r.advance(31)  # what is no longer sure (7.3.2) is still known
    expect(bytes.fromhex("0201020000000077"))


NEVER = [
    IPv6(src="2001:db8::2", dst=SRC) / ICMPv6TimeExceeded(),
    IPv6(src="2001:db8::2", dst=SRC) / ICMPv6ND_Redirect(),
    IPv6(src="2001:db8::2", dst=SRC) / IPv6ExtHdrDestOpt() / ICMPv6TimeExceeded(),
    IPv6(src="2001:db8::2", dst=SRC) / IPv6ExtHdrFragment(nh=58, offset=9) / bytes(20),
    IPv6(src="2001:db8::2", dst=SRC, nh=58) / b"\x80",
    IPv6(src="::", dst=SRC) / UDP(),
    IPv6(src="ff02::1", dst=SRC) / UDP(),
    IPv6(src="::1", dst=SRC) / UDP(),
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
    error.gives(IPv6(src="2001:db8::2", dst=SRC) / ICMPv6EchoRequest())


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
    error = element(f"ICMP6Error({SRC}, timeexceeded, RATE 0, BURST 1, HOST_RATE 0)", headers="ip6", simtime=10**18)
    for _ in range(300):
        error.gives(CAUSE)


def sent(error, count: int, source: str) -> int:
    """How many of so many packets from an address cause messages; `{i}` in the address is a packet's number."""
    before = int(error.read("limited"))
    for i in range(count):
        error.send(IPv6(src=source.format(i=i), dst="2001:db8:1::2") / UDP())
    passed = count - (int(error.read("limited")) - before)
    for _ in range(passed):
        error.expect(0)
    error.expect_nothing()
    return passed


def test_one_sender_takes_a_part_only(element):
    """All addresses of a network of 64 bits may be one host's; on a link everybody has the same network."""
    error = element(f"ICMP6Error({SRC}, packettoobig, RATE 100, BURST 100, HOST_RATE 10)", headers="ip6", simtime=True)
    assert sent(error, 200, "2001:db8::{i:x}") == 10
    assert sent(error, 1, "2001:db8:0:1::1") == 1
    assert sent(error, 20, "fe80::1") == 10
    assert sent(error, 1, "fe80::2") == 1
    error.router.advance(2)
    assert sent(error, 20, "2001:db8::{i:x}") == 10


def test_mistakes(refused):
    assert "ICMP6 type 128 is not an error or redirect type" in refused(f"ICMP6Error({SRC}, 128, 0)")
    assert "is not an error" in refused(f"ICMP6Error({SRC}, echo)")
    assert "unspecified" in refused("ICMP6Error(::, 3, 0)")


def test_only_a_redirect_names_a_neighbours_address(refused_router):
    text = REDIRECTS.replace("redirect", "timeexceeded")
    assert "only a redirect has a neighbour's Ethernet address" in refused_router(text)


CASES = [
    Case(
        f"ICMP6Error({SRC}, {arguments})",
        headers="ip6-checked",
        before="SetIP6Address(fe80::9) -> SetAnnoByte(ICMP_PARAMPROB, 6)",
        packets=2000,
        mix=IPV6,
        hooks=(hook,),
    )
    for arguments, hook in (
        ("timeexceeded", "bpf"),
        ("redirect, RATE 0", "tc"),
        ("packettoobig, PMTU 1400, RATE 0", "bpf"),
        ("parameterproblem, 2, RATE 50, BURST 5", "tc"),
    )
]


#: An IPv6 header at the start of a frame that has no room before it.
NO_ROOM = f"{FULL} -> StoreData(0, \\<{bytes(CAUSE)[:40].hex()}>) -> MarkIP6Header"
#: What the kernel path leaves to the runtime: more bytes than it adds up; frames without room.
PUNTS = [
    Reach(f"ICMP6Error({SRC}, timeexceeded, MTU 5000)", headers="ip6-checked", mix=IPV6),
    Reach(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6-checked", before=NO_ROOM, mix=IPV6),
]


@pytest.mark.parametrize("kernel_path", ["bpf", "tc"])
def test_the_kernel_makes_errors_as_many_as_it_may(kernel_path):
    made = f"x :: ICMP6Error({SRC}, timeexceeded, RATE 10, BURST 2)"
    text = f"FromDevice(a) -> Strip(14) -> CheckIP6Header -> {made} -> Queue -> ToDevice(b);"
    with start(text, kernel_path, simtime=True) as kernel:
        frame = bytes(12) + b"\x86\xdd" + bytes(CAUSE)
        assert [kernel.run("a", frame)[0] for _ in range(4)] == [SENT] * 2 + [DROPPED] * 2
        assert (kernel.drops(), kernel.read("x.limited")) == ({("x", "LIMITED"): 2}, "2")


def test_joined_segments_are_due_an_error_each():
    """On TC Linux has joined them; the runtime gets them one by one."""
    text = f"FromDevice(a) -> Strip(14) -> CheckIP6Header -> x :: ICMP6Error({SRC}, 3, RATE 1, BURST 1) -> Queue -> ToDevice(b);"
    segments = bytes(Ether() / IPv6(src="2001:db8::2", dst="2001:db8:1::2") / TCP(flags="A") / bytes(2500))
    with start(text, "tc", simtime=True) as kernel:
        kernel.joined = 1000
        assert kernel.run("a", segments)[0] == HANDED
        kernel.joined = 0
        assert kernel.run("a", bytes(12) + b"\x86\xdd" + bytes(CAUSE))[0] == SENT
        kernel.joined = 1000
        assert kernel.run("a", segments)[0] == DROPPED
        assert (kernel.drops(), kernel.read("x.limited")) == ({("x", "LIMITED"): 3}, "3")


TRIALS = {
    "errors": [
        Trial(f"ICMP6Error({SRC}, {arguments})", headers="ip6", before="SetAnnoByte(ICMP_PARAMPROB, 6)")
            .gives(CAUSE, BACK / message / CAUSE, network=0, transport=40, DST_IP6=int.from_bytes(bytes(CAUSE)[8:24], "big"), FIX_IP_SRC=1)
        for arguments, message in [
            ("unreachable, 3", ICMPv6DestUnreach(code=3)),
            ("1", ICMPv6DestUnreach(code=0)),
            ("packettoobig, PMTU 1400", ICMPv6PacketTooBig(mtu=1400)),
            ("3, 0", ICMPv6TimeExceeded(code=0)),
            ("parameterproblem, 1", ICMPv6ParamProblem(code=1, ptr=6)),
        ]
    ],
    "what is before the header is left out": Trial(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6-in-ethernet")
        .gives(bytes(12) + b"\x86\xdd" + bytes(CAUSE), BACK / ICMPv6TimeExceeded() / CAUSE),
    "packets to the links groups cause none": Trial(f"ICMP6Error({SRC}, timeexceeded)", headers="ip6", before="SetPacketType(MULTICAST)")
        .drops(CAUSE),
}
