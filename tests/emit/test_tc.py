"""TC: VLAN tags beside the frame, and TCP segments that the kernel has joined to one packet, which pass as one where that is the
same as each by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet
from tests.axes import few

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.plan import Options
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import DROPPED, HANDED, SENT
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

ROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"
SEGMENT = 1000
LEFT = Ether(src="02:00:00:00:01:01", dst="02:00:00:00:00:01")
HEADERS = {
    "ip": LEFT / IP(src="10.0.0.2", dst="10.0.1.2", id=7, ttl=9) / TCP(sport=80, dport=4711, seq=100, flags="PA"),
    "ip options": LEFT / IP(src="10.0.0.2", dst="10.0.1.2", id=7) / TCP(sport=80, options=[("NOP", None)] * 12),
    "ip6": LEFT / IPv6(src="fd00::2", dst="fd00::3") / TCP(sport=80, dport=4711, flags="A"),
    "tagged": LEFT / Dot1Q(vlan=5) / IP(src="10.0.0.2", dst="10.0.1.2") / TCP(flags="A"),
    "tagged twice": LEFT / Dot1Q(vlan=5) / Dot1Q(vlan=6) / IP(src="10.0.0.2", dst="10.0.1.2") / TCP(flags="A"),
}
FORWARD = """
FromDevice(eth0) -> all :: Counter -> c :: Classifier(12/0806 20/0001, 12/0800, -)
    -> Discard;
c[1] -> Strip(14) -> CheckIPHeader -> rt :: StaticIPLookup(10.0.1.0/24 0, 0/0 1)
    -> DropBroadcasts -> dt :: DecIPTTL -> fr :: IPFragmenter(%d) -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3)
    -> sent :: Counter -> Queue -> to :: ToDevice(eth1);
rt[1] -> gone :: Discard;
c[2] -> others :: Counter -> Queue -> ToDevice(eth2);
"""


def joined(headers: Packet, length: int) -> bytes:
    return bytes(headers / bytes(number % 251 for number in range(length)))


def split(packet: bytes, each: int = SEGMENT) -> Iterator[bytes]:
    """The segments, as RFC 9293 and the kernel have them: IPv4's identification counts, PSH and FIN are the last one's."""
    whole = Ether(packet)
    data, flags = bytes(whole[TCP].payload), int(whole[TCP].flags)
    whole[TCP].remove_payload()
    for number, start_ in enumerate(range(0, len(data), each)):
        segment = Ether(bytes(whole))
        segment[TCP].seq += start_
        segment[TCP].flags = flags if start_ + each >= len(data) else flags & ~0x09
        del segment[TCP].chksum
        if IP in segment:
            segment[IP].id += number
            del segment[IP].len, segment[IP].chksum
        else:
            del segment[IPv6].plen
        yield bytes(segment / data[start_ : start_ + each])


def checksummed(packet: bytes) -> bytes:
    """With TCP's checksum recomputed, as splitting does."""
    whole = Ether(packet)
    del whole[TCP].chksum
    return bytes(whole)


@pytest.mark.parametrize("length", few([3000, 2999, 1001, 1000, 999], 2))
@pytest.mark.parametrize("name", HEADERS)
def test_forwarding_joined_segments_is_forwarding_each(name: str, length: int) -> None:
    packet = joined(HEADERS[name], length)
    with start(FORWARD % 1500, "tc") as kernel, start(FORWARD % 1500, "native") as native:
        kernel.joined = SEGMENT
        verdict, device, frame = kernel.run("eth0", packet)
        assert verdict == SENT
        outputs = [output for segment in split(packet) for output in native.send("eth0", segment)]
        assert [output.device for output in outputs] == [kernel.devices[device]] * len(outputs)
        assert [output.data for output in outputs] == list(split(checksummed(frame)))
        for handler in ("all.count", "all.byte_count", "sent.count", "sent.byte_count", "others.byte_count", "to.count"):
            assert kernel.read(handler) == native.read(handler), handler


def test_drops_of_joined_segments_are_drops_of_each() -> None:
    packet = joined(LEFT / IP(dst="10.9.9.9") / TCP(), 2500)
    with start(FORWARD % 1500, "tc") as kernel, start(FORWARD % 1500, "native") as native:
        kernel.joined = SEGMENT
        assert kernel.run("eth0", packet)[0] == DROPPED
        for segment in split(packet):
            native.send("eth0", segment)
        assert kernel.read("gone.count") == native.read("gone.count") == "3"


def handed_to(configuration: str, packet: bytes, each: int = SEGMENT) -> str | None:
    """The element at which the runtime goes on."""
    with start(configuration, "tc") as router:
        router.joined = each
        verdict, _, crossing = router.run("eth0", packet)
        return router.elements[int.from_bytes(crossing[4:6], "little")] if verdict == HANDED else None


@pytest.mark.parametrize("mtu, element", [(SEGMENT + 40, None), (SEGMENT + 39, "fr")])
def test_the_length_that_counts_is_that_of_a_segment(mtu: int, element: str | None) -> None:
    assert handed_to(FORWARD % mtu, joined(HEADERS["ip"], 2500)) == element


@pytest.mark.parametrize("limit, element", [(SEGMENT + 54, None), (SEGMENT + 53, "c")])
def test_length_is_checked_of_segments(limit: int, element: str | None) -> None:
    text = f"FromDevice(eth0) -> c :: CheckLength({limit}) -> Queue -> ToDevice(eth1); c[1] -> Discard;"
    assert handed_to(text, joined(HEADERS["ip"], 2500)) == element


@pytest.mark.parametrize("check", ["CheckTCPHeader", "IPClassifier(tcp opt fin, -)"])
def test_classes_that_bear_no_offloads_get_segments(check: str) -> None:
    text = f"in :: FromDevice(eth0) -> MarkIPHeader(14) -> c :: {check} -> Queue -> ToDevice(eth1); c[1] -> Discard;"
    text = text if "Classifier" in check else text.replace(" c[1] -> Discard;", "")
    assert handed_to(text, joined(HEADERS["ip"], 2500)) == "in"
    assert handed_to(text, joined(HEADERS["ip"], 500), each=0) is None


def test_copies_of_segments_go_one_way_only_where_nothing_chooses() -> None:
    """Where something does, one segment may go another way than the next."""
    text = "FromDevice(eth0) -> t :: Tee(2); t[0] -> Queue -> ToDevice(eth1); t[1] -> {} -> Queue -> ToDevice(eth2); {}"
    assert handed_to(text.format("Counter", ""), joined(HEADERS["ip"], 2500)) is None
    choosing = text.format("c :: CheckLength(2000)", "c[1] -> Discard;")
    assert handed_to(choosing, joined(HEADERS["ip"], 2500)) == "t"
    assert handed_to(choosing, joined(HEADERS["ip"], 500), each=0) is None


@pytest.mark.parametrize("name, headers", [("ip", 54), ("ip options", 66), ("tagged", 58)])
def test_segments_that_the_inlet_cannot_take_are_drops(name: str, headers: int) -> None:
    """The kernel splits them there, and a device drops frames above its MTU without a word: 3498 bytes and an Ethernet header, with a
    record of 20 bytes before the segment's own headers."""
    text = "in :: FromDevice(eth0) -> MarkIPHeader(14) -> c :: CheckTCPHeader -> Queue -> ToDevice(eth1);"
    most = 3498 + 14 - 20 - headers
    for each, verdict, dropped in ((most, HANDED, {}), (most + 1, DROPPED, {("in", "DEVICE"): 1})):
        with start(text, "tc") as router:
            router.joined = each
            assert (router.run("eth0", joined(HEADERS[name], 2500))[0], router.drops()) == (verdict, dropped)


def test_what_is_cut_off_in_front_is_cut_off_segments() -> None:
    assert handed_to("FromDevice(eth0) -> Strip(14) -> Queue -> to :: ToDevice(eth1);", joined(HEADERS["ip"], 2500)) == "to"


@pytest.mark.parametrize(
    "spoilt", [(23, b"\x11"), (16, b"\0\0"), (46, b"\x40")], ids=["not TCP", "no length", "a header that is too short"]
)
def test_segments_that_cannot_be_counted_are_split(spoilt: tuple[int, bytes]) -> None:
    place, value = spoilt
    packet = joined(HEADERS["ip"], 2500)
    spoilt_packet = packet[:place] + value + packet[place + len(value) :]
    assert handed_to("in :: FromDevice(eth0) -> Queue -> ToDevice(eth1);", spoilt_packet) == "in"


def bears(element: str) -> bool:
    text = f"FromDevice(eth0) -> MarkIPHeader(14) -> x :: {element}; x[0], x[1] => Discard, Discard;"
    plan = Compilation(check_text(text, Library.standard()), Options(hook="tc")).plan
    return plan.bears_offloads("FromDevice@1")


@pytest.mark.parametrize("same", ["12/0800", "12/0806 20/0001", "23/06", "30/0a000102"])
def test_classifiers_by_what_segments_have_in_common(same: str) -> None:
    assert bears(f"Classifier({same}, -)") == (same in ("12/0800", "12/0806 20/0001"))


@pytest.mark.parametrize("pattern", ["dst host 10.0.0.1", "tcp dst port 80", "ip proto tcp", "ip ttl 5"])
def test_patterns_by_what_segments_have_in_common(pattern: str) -> None:
    assert bears(f"IPClassifier({pattern}, -)")


@pytest.mark.parametrize("device", ["in0", "in1"])
def test_the_ip_router_bears_offloads(device: str) -> None:
    """All that a forwarded packet meets: TCP between hosts with offloads on stays in the kernel."""
    made = Compilation(check_file(ROUTER, Library.standard()), Options(hook="tc"))
    assert made.plan.bears_offloads(device)


@pytest.mark.parametrize("pattern", ["tcp opt fin", "tcp opt psh", "ip len 40", "ip id 3"])
def test_patterns_by_what_differs(pattern: str) -> None:
    assert not bears(f"IPClassifier({pattern}, -)")


@pytest.mark.parametrize("tags", range(5))
def test_tags_beside_the_frame_come_back_into_it(tags: int) -> None:
    packet = LEFT
    for number in range(tags):
        packet /= Dot1Q(vlan=100 + number, prio=3, type=0x88A8 if number < tags - 1 else 0x0800)
    with start("FromDevice(eth0) -> Queue -> ToDevice(eth1);", "tc") as router:
        (output,) = router.send("eth0", bytes(packet / IP(src="10.0.0.1", dst="10.0.0.2") / b"text"))
        assert output.data == bytes(packet / IP(src="10.0.0.1", dst="10.0.0.2") / b"text")


def test_more_tags_than_that_are_a_counted_drop() -> None:
    packet = LEFT
    for number in range(5):
        packet /= Dot1Q(vlan=number)
    with start("in :: FromDevice(eth0) -> Queue -> ToDevice(eth1);", "tc") as router:
        assert router.send("eth0", bytes(packet / IP())) == []
        assert router.drops() == {("in", "MALFORMED"): 1}


def short_frames() -> Iterator[bytes]:
    """Frames that end soon after their tags, or in them."""
    body = bytes(IP(src="10.0.0.1", dst="10.0.0.2") / bytes(60))
    for outer in (b"\x88\xa8", b"\x81\x00", b"\x08\x00"):
        for inner in (b"\x08\x00", b"\x81\x00", b"\x88\xa8"):
            whole = bytes(LEFT)[:12] + outer + b"\0\7" + inner + body
            yield from (whole[:length] for length in range(14, 44))


@pytest.mark.parametrize("path", ["", "Strip(4) ->", "Strip(14) ->", "Truncate(20) ->"])
@pytest.mark.parametrize("end", ["Queue -> ToDevice(eth1)", "ToHost"])
def test_what_is_left_of_short_frames_leaves(path: str, end: str) -> None:
    """The kernel itself cuts no frame before what it takes for the network header."""
    assert_equivalent(f"FromDevice(eth0) -> {path} {end};", list(short_frames()), executors=("native", "tc"))


def test_the_start_of_frames_of_any_length_is_taken() -> None:
    """Where the kernel can't take it, the rest moves: 2048 bytes at a time."""
    with start("FromDevice(eth0) -> Strip(30) -> Queue -> ToDevice(eth1);", "tc") as router:
        for rest in (34, 2047, 2048, 2049, 3368):
            frame = bytes(LEFT)[:12] + b"\x88\xb5" + bytes(number % 251 for number in range(16 + rest))
            verdict, _, left = router.run("eth0", frame)
            assert (verdict, left) == (SENT, frame[30:])


@pytest.mark.parametrize("end", ["Queue -> to :: ToDevice(eth1)", "to :: ToHost"])
def test_what_the_runtime_sends_the_kernel_path_has_not_counted(end: str) -> None:
    with start(f"FromDevice(eth0) -> Strip(4) -> {end};", "tc") as router:
        router.joined = SEGMENT
        assert router.run("eth0", joined(HEADERS["ip"], 2500))[0] == HANDED
        assert router.read("to.count") == "0"
