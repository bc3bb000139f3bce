"""What packets of the most usual way are spared: settings that no handler has changed, and bytes that others have seen."""

from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.axes import axis, few

from clickbpf.testing.equivalence import Twins
from clickbpf.testing.executors import start

pytestmark = pytest.mark.needs("root", "clang-19")

ELEMENTS = str(Path(__file__).parent / "elements")
HOOKS = pytest.mark.parametrize("hook", axis("bpf", "tc"))
ROUTER = """
FromDevice(in) -> paint :: Paint(1) -> Strip(14) -> CheckIPHeader -> tee :: PaintTee(2) -> ttl :: DecIPTTL -> len :: CheckLength(60)
	-> sort :: IPClassifier(udp, -) -> look :: CheckPaint(1) -> Unstrip(14) -> Queue -> ToDevice(a);
tee[1] -> Unstrip(14) -> Queue -> ToDevice(copy); len[1] -> Unstrip(14) -> Queue -> ToDevice(long);
sort[1] -> Unstrip(14) -> Queue -> ToDevice(other); look[1] -> Unstrip(14) -> Queue -> ToDevice(b);
"""
LINK = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02")
PLAIN = bytes(LINK / IP(src="10.0.0.2", dst="10.0.1.2", ttl=9) / UDP() / bytes(22))


def sent(outputs) -> list[tuple[str, bytes]]:
    return sorted((output.device, output.data) for output in outputs)


@HOOKS
@pytest.mark.parametrize(
    ("handler", "value"),
    [
        *(("paint.color", "2"), ("tee.color", "1"), ("look.color", "7")),
        *(("ttl.active", "false"), ("len.length", "30"), ("sort.pattern0", "tcp")),
    ],
)
def test_what_a_handler_changes_is_changed_for_all_packets(hook: str, handler: str, value: str) -> None:
    """And back again."""
    with Twins(ROUTER, ("native", hook)) as both:
        before = sent(both.send("in", PLAIN))
        assert [device for device, _ in before] == ["a"]
        given = both.one.read(handler)
        both.write(handler, value)
        assert sent(both.send("in", PLAIN)) != before
        both.write(handler, given)
        assert sent(both.send("in", PLAIN)) == before


@pytest.mark.needs("ip", "ethtool")
def test_other_arguments_are_for_all_packets_too() -> None:
    """The constant that plain packets have instead of the setting is another one then: a loaded router's kernel path is made anew."""
    text = """FromDevice(in) -> Strip(14) -> CheckIPHeader -> x :: UpTo(60) -> Unstrip(14) -> Queue -> ToDevice(short);
	x[1] -> Unstrip(14) -> Queue -> ToDevice(long);"""
    with start(text, "live", library=(ELEMENTS,)) as router:
        for limit, device in ((None, "short"), ("30", "long"), ("60", "short")):
            if limit:
                router.write("x.config", limit)
            assert [output.device for output in router.send("in", PLAIN)] == [device]


@HOOKS
def test_a_colour_that_is_written_over_is_forgotten(hook: str) -> None:
    text = """FromDevice(in) -> Paint(1) -> GetEtherAddress(12, 0) -> Strip(14) -> CheckIPHeader -> sort :: CheckPaint(1) -> Unstrip(14)
	-> Queue -> ToDevice(a); sort[1] -> Unstrip(14) -> Queue -> ToDevice(b);"""
    with Twins(text, ("native", hook)) as both:
        for byte, device in ((0, "b"), (1, "a"), (2, "b")):
            packet = PLAIN[:4] + bytes([byte]) + PLAIN[5:]
            assert sent(both.send("in", packet)) == [(device, packet)]


@HOOKS
@pytest.mark.parametrize("place", [8, 24])
@pytest.mark.parametrize("address", few(["fe80::1", "febf::1", "fec0::1", "ff02::1", "::1", "2001:db8::1", "fc00::1"]))
def test_addresses_are_common_until_others_are_written(hook: str, place: int, address: str) -> None:
    """Common at first, then any other."""
    side = {8: "src", 24: "dst"}[place]
    text = f"""FromDevice(in) -> Strip(14) -> CheckIP6Header -> one :: IPClassifier({side} net fe80::/10, -)
	-> Unstrip(14) -> Queue -> ToDevice(a); one[1] -> StoreIP6Address({address}, {place})
	-> two :: IPClassifier({side} net fe80::/10, {side} net ff00::/8, {side} host ::1, -) -> Unstrip(14) -> Queue -> ToDevice(b);
	two[1] -> Unstrip(14) -> Queue -> ToDevice(c); two[2] -> Unstrip(14) -> Queue -> ToDevice(d);
	two[3] -> Unstrip(14) -> Queue -> ToDevice(e);"""
    packet = bytes(LINK / IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP() / b"data")
    device = {"fe8": "b", "feb": "b", "ff0": "c", "::1": "d"}.get(address[:3], "e")
    with Twins(text, ("native", hook)) as both:
        assert [output.device for output in both.send("in", packet)] == [device]
        direct = bytes(LINK / IPv6(**{"src": "2001:db8::2", "dst": "2001:db8:1::2", side: "fe80::7"}) / UDP() / b"data")
        assert [output.device for output in both.send("in", direct)] == ["a"]
