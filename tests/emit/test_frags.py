"""XDP frames in several buffers, of which programs see the first: what needs other bytes is computed by helpers, or handed over."""

from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import GRE, Dot1Q, Ether
from scapy.packet import Packet
from tests.axes import axis
from tests.testing.firstbuffer import set_first_buffer

from clickbpf.compile import Compilation, check_text
from clickbpf.plan import Options
from clickbpf.testing.equivalence import Twins, assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED, DROPPED, HANDED, SENT
from clickbpf.testing.packets import Mix, generate
from clickbpf.testing.packets.mix import weights
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

ROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"
#: Frames of up to 9,014 bytes: an MTU of 9000.
JUMBO = Mix(payload=8932, links=weights(ethernet=30, vlan=1), damaged=5)
LEFT = Ether(src="02:00:00:00:01:01", dst="02:00:00:00:00:01") / IP(src="10.0.0.2", dst="10.0.1.2", ttl=9)
DATA = bytes(number % 251 for number in range(8900))
#: A kernel path that has to have such bytes; each sends its packets on or drops them.
CLASSES = {
    "tcp": "MarkIPHeader(14) -> CheckTCPHeader",
    "udp": "MarkIPHeader(14) -> CheckUDPHeader",
    "icmp": "MarkIPHeader(14) -> CheckICMPHeader",
    "set tcp": "Strip(14) -> CheckIPHeader -> IPClassifier(tcp) -> SetTCPChecksum -> Unstrip(14)",
    "set udp": "Strip(14) -> CheckIPHeader -> IPClassifier(udp) -> SetUDPChecksum -> Unstrip(14)",
    "gre": "Strip(14) -> CheckIPHeader -> GREEncap(0x0800, CHECKSUM true) -> CheckGREHeader",
    "error": "Strip(14) -> CheckIPHeader -> ICMPError(10.0.0.1, timeexceeded, transit) -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3)",
    "cut": "Truncate(5000) -> Strip(3)",
    "short": "Strip(14) -> Truncate(60)",
    "deep": "MarkIPHeader(14) -> c :: Classifier(5000/30%f0, -); c[1] -> Discard; c",
    "counts": "a :: AverageCounter -> CheckLength(4000)",
    "mirror": "Strip(14) -> CheckIPHeader -> IPMirror -> Unstrip(14) -> EtherMirror",
    "padded": "Pad(6000)",
}


def packet(transport: Packet, length: int = 8900) -> bytes:
    return bytes(LEFT / transport / DATA[:length])


@pytest.fixture(params=axis(None, 160))
def linear(request, monkeypatch) -> int | None:
    """The bytes in the first buffer, or None if it is full."""
    set_first_buffer(monkeypatch, request.param)
    return request.param


@pytest.mark.parametrize("name", CLASSES)
def test_elements_do_what_the_runtime_does(name: str, linear: int | None) -> None:
    text = f"FromDevice(eth0) -> {CLASSES[name]} -> Queue -> ToDevice(eth1);"
    assert_equivalent(text, 200, mix=JUMBO, executors=("native", "frags"), seed=linear or 0)


@pytest.mark.whole
@pytest.mark.parametrize("linear", [160], indirect=True)
def test_the_ip_router_does_what_the_runtime_does(linear: int | None) -> None:
    variables = {"ADVERTISE": "false", "MTU0": "9000", "MTU1": "4000"}
    assert_equivalent(ROUTER, 600, mix=JUMBO, executors=("native", "frags"), variables=variables)


def test_all_bytes_are_printed() -> None:
    text = "FromDevice(eth0) -> Print(MAXLENGTH -1) -> MarkIPHeader(14) -> IPPrint(CONTENTS hex) -> Queue -> ToDevice(eth1);"
    with Twins(text, ("native", "frags"), printed=True) as both:
        for frame in generate(60, mix=JUMBO):
            both.send("eth0", frame)


def handed_to(configuration: str, packet: bytes, linear: int | None = None) -> str | None:
    """The element at which the runtime goes on."""
    with start(configuration, "frags") as router:
        router.linear = linear
        verdict, _, crossing = router.run("eth0", packet)
        assert verdict in (SENT, COPIED, DROPPED, HANDED)
        return router.elements[int.from_bytes(crossing[4:6], "little")] if verdict == HANDED else None


@pytest.mark.parametrize("transport", [TCP(), UDP(), ICMP(), GRE()], ids=["tcp", "udp", "icmp", "gre"])
def test_checksums_over_all_buffers_stay_in_the_kernel(transport: Packet) -> None:
    """Also that of an ICMP error about the packet; and a single wrong byte at the end is seen."""
    checked = {TCP: "CheckTCPHeader", UDP: "CheckUDPHeader", ICMP: "CheckICMPHeader", GRE: "CheckLength(65535)"}[type(transport)]
    text = f"in :: FromDevice(eth0) -> MarkIPHeader(14) -> c :: {checked} -> Queue -> ToDevice(eth1);"
    good = packet(transport)
    with start(text, "frags") as router:
        assert router.run("eth0", good)[::2] == (SENT, good)
        if not isinstance(transport, GRE):
            assert router.run("eth0", good[:-1] + bytes([good[-1] ^ 1]))[0] == DROPPED
            assert router.drops() == {("c", "BAD_CHECKSUM"): 1}


def test_an_element_that_asks_for_bytes_in_other_buffers_hands_over() -> None:
    text = "in :: FromDevice(eth0) -> c :: Classifier(%d/00, -) -> Queue -> ToDevice(eth1); c[1] -> Queue -> ToDevice(eth0);"
    assert handed_to(text % 3000, packet(UDP())) is None
    assert handed_to(text % 5000, packet(UDP())) == "c"
    assert handed_to(text % 9500, packet(UDP())) is None, "the packet has no such byte"


@pytest.mark.parametrize("linear", [160], indirect=True)
def test_frames_with_too_little_in_the_first_buffer_are_handed_over_at_once(linear: int) -> None:
    """Elements would count headers as missing. A whole frame may be short."""
    text = "in :: FromDevice(eth0) -> MarkIPHeader(14) -> ck :: CheckUDPHeader -> Queue -> ToDevice(eth1);"
    for first in (14, 60, 159):
        assert handed_to(text, packet(UDP()), first) == "in"
    assert handed_to(text, packet(UDP()), 160) is None
    assert handed_to(text, packet(UDP(), 0), 60) is None


def test_copies_by_several_devices_are_the_runtimes() -> None:
    """The kernel's clones of such a frame would share its buffers, and free them twice."""
    text = "FromDevice(eth0) -> t :: Tee -> Queue -> ToDevice(eth1); t[1] -> Queue -> ToDevice(eth2);"
    assert handed_to(text, packet(UDP())) == "t"
    assert handed_to(text, packet(UDP(), 500)) is None
    assert handed_to("FromDevice(eth0) -> t :: Tee -> Queue -> ToDevice(eth1); t[1] -> Discard;", packet(UDP())) is None


def test_a_chain_of_extension_headers_that_leaves_the_first_buffer_is_handed_over() -> None:
    options = b"".join(bytes([60, 255]) + bytes([1, 254]) + bytes(2044) for _ in range(3))
    chain = options[: 2 * 2048] + bytes([17, 255]) + bytes([1, 254]) + bytes(2044)
    frame = bytes(Ether(dst="02:00:00:00:00:01") / IPv6(src="2001:db8::1", dst="2001:db8::2", nh=60) / chain / UDP() / b"text")
    text = "FromDevice(eth0) -> Strip(14) -> ck :: CheckIP6Header -> c :: IPClassifier(ip6 proto udp, -) -> Discard; c[1] -> Discard;"
    assert handed_to(text, frame) in ("ck", "c")
    assert_equivalent(text, [frame], executors=("native", "frags"))


def test_tags_and_programs_of_a_chain() -> None:
    """Packets keep their length from one program to the next."""
    frame = bytes(Ether(dst="02:00:00:00:00:01") / Dot1Q(vlan=7) / LEFT[IP] / UDP() / DATA)
    text = "FromDevice(eth0) -> VLANDecap -> MarkIPHeader(14) -> CheckUDPHeader -> Queue -> ToDevice(eth1);"
    assert_equivalent(text, [frame, packet(UDP())], executors=("native", "frags"), chain=True)


def test_programs_for_frames_in_one_buffer_have_nothing_of_it() -> None:
    """Their text is what it would be without."""
    made = check_text("FromDevice(eth0) -> MarkIPHeader(14) -> CheckTCPHeader -> Queue -> ToDevice(eth1);", Library.standard())
    whole, parts = (Compilation(made, Options(frags=frags)).bpf_text for frags in (False, True))
    assert "pkt_is_unseen" in parts and "pkt_is_unseen" not in whole
    assert 'SEC("xdp.frags")' in parts and 'SEC("xdp")' in whole
