"""Warnings of elements that can use none of the packets that reach them, and silence wherever one packet may be of use."""

from pathlib import Path

import pytest

from clickbpf.compile import check_file, check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
RELAY = "Strip(14) -> CheckIPHeader -> r :: DHCPRelay(10.1.0.1, 2:0:0:0:0:1, 10.9.0.2)"
SERVER = "Strip(14) -> CheckIPHeader -> s :: DHCPServer(10.1.0.1, 2:0:0:0:0:1, 10.1.0.0/24, 10.1.0.2, 10.1.0.9)"
CONFIGS = Path(__file__).parents[2] / "configs"
UNMARKED, UNADDRESSED = "the IP header of packets that come here isn't marked", "the destination address annotation"
NO_SA = "packets that come here have no IPsec security association"
FRAME, NO_FRAME = "packets that come here begin with their Ethernet header", "packets that come here have no Ethernet header"


def told(text: str) -> list[str]:
    """The warnings about packets, without their beginning."""
    warnings = check_text(text, LIBRARY).warnings
    return [w.message.split(" can use no packet: ")[1] for w in warnings if " can use no packet: " in w.message]


@pytest.mark.parametrize(
    "line, said",
    [
        ("DecIPTTL", UNMARKED),
        ("Classifier(12/0800) -> Strip(14) -> IPFilter(allow tcp)", UNMARKED),
        ("Strip(14) -> q :: Queue -> Unqueue -> ICMPError(10.0.0.1, unreachable)", UNMARKED),
        ("Strip(14) -> Tee -> CheckTCPHeader", UNMARKED),
        ("CheckIPHeader", FRAME),
        ("Counter -> CheckIP6Header", FRAME),
        ("CheckIPHeader(14) -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1); Idle -> [1] q", FRAME),
        ("Strip(14) -> MarkIPHeader -> StaticIPLookup(0/0 0)", UNADDRESSED),
        ("GetIPAddress(16) -> StaticIPLookup(0/0 0)", FRAME),
        ("Strip(14) -> Unstrip(2) -> StaticIP6Lookup(::/0 0)", UNADDRESSED),
        ("Strip(14) -> CheckIPHeader -> IPsecESPEncap -> IPsecDES(1, IGNORE 0)", NO_SA),
        ("Strip(14) -> Queue -> ToDevice(eth1); Idle", NO_FRAME),
        ("Strip(14) -> CheckIPHeader -> i :: IPRewriter(keep 0 1, drop) -> Queue -> ToDevice(eth1); Idle -> [1] i; i[1]", NO_FRAME),
        ("SetTimestamp -> RatedSplitter(10) -> PaintSwitch -> DecIPTTL", UNMARKED),
        (f"{RELAY} -> Queue -> ToDevice(eth1); Idle -> [1] r; r[1]", NO_FRAME),
        (f"{RELAY}; Idle -> [1] r; r[0] -> Discard; r[1] -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1); Idle -> [1] q", FRAME),
        (f"{SERVER} -> q :: ARPQuerier(10.0.0.1, 2:0:0:0:0:1); Idle -> [1] q", FRAME),
        (f"{SERVER} -> Discard; s[1] -> Queue -> ToDevice(eth1); Idle", NO_FRAME),
    ],
)
def test_what_loses_everything(line, said):
    (message,) = told(f"FromDevice(eth0) -> {line} -> Discard;")
    assert message.startswith(said)


@pytest.mark.parametrize(
    "line, said",
    [
        ("Strip(14) -> DecIPTTL -> Paint(x)", True),
        ("DecIPTTL -> Strip(abc) -> Discard; Idle -> Conuter", True),
        ("Strip(abc) -> DecIPTTL", False),
        ("CheckIPHeadr(14) -> DecIPTTL", False),
        ("Paint(x) -> DecIPTTL", False),
        ("t :: DecIPTTL -> Paint(x) -> Discard; Idle -> a :: CheckIPHeader; b[0] -> t", False),
        ("t :: DecIPTTL -> Paint(x) -> Discard; a -> ; t ->", False),
    ],
)
def test_beside_mistakes(line, said):
    """What a mistake has to do with isn't followed; all else is."""
    with pytest.raises(ClickError) as raised:
        check_text(f"FromDevice(eth0) -> {line} -> Discard;", LIBRARY)
    warnings = [each for each in raised.value.diagnostics if "can use no packet" in each.message]
    assert [each.message.startswith("'DecIPTTL@") for each in warnings] == ([True] if said else [])


@pytest.mark.parametrize(
    "line",
    [
        "CheckIPHeader(14) -> DecIPTTL",
        "MarkIPHeader(14) -> DecIPTTL",
        "Strip(14) -> GetIPAddress(16) -> StaticIPLookup(0/0 0)",
        "IPClassifier(-)",
        "IPFilter(allow ether src 2:0:0:0:0:1)",
        "Strip(14) -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(eth1); Idle",
        "Strip(18) -> CheckIPHeader",
        "GetIPAddress(30) -> Strip(14) -> StaticIPLookup(0/0 0)",
        "Strip(14) -> CheckIP6Header -> Unstrip(2) -> LookupIP6Route(::/0 0)",
        "IPsecESPEncap(0x1001) -> IPsecDES(1, \\<0123456789abcdef>, IGNORE 0)",
    ],
)
def test_what_is_right(line):
    assert told(f"FromDevice(eth0) -> {line} -> Discard;") == []


def test_one_mistake_is_one_warning():
    assert len(told("FromDevice(eth0) -> DecIPTTL -> IPFragmenter(1500) -> StaticIPLookup(0/0 0) -> Discard")) == 1


def test_one_sound_packet_is_enough():
    text = "d :: DecIPTTL -> Discard; FromDevice(eth0) -> d; FromDevice(eth1) -> MarkIPHeader(14) -> d;"
    assert told(text) == []
    assert told(text.replace("MarkIPHeader(14)", "Null")) != []


def test_nothing_is_said_where_nothing_is_known():
    """A device's name may hide a tunnel, whose packets are marked; StoreData writes anything."""
    assert told("FromDevice(vpn) -> DecIPTTL -> Discard") == []
    assert told("FromDevice(eth0) -> Strip(14) -> SetIPAddress(1.2.3.4) -> StaticIPLookup(0/0 0) -> Discard") == []
    assert told("Idle -> DecIPTTL -> Discard") == []


@pytest.mark.parametrize(
    "text, column",
    [
        ("FromDevice(a) -> c :: Classifier(12/0800, -); c[0] -> c; c[1] -> Discard;", 52),
        ("FromDevice(a) -> c :: Classifier(12/0800, -); c[0] -> Counter -> Null -> c; c[1] -> Discard;", 52),
        ("FromDevice(a) -> n :: Null -> t :: Tee -> n; t[1] -> Discard;", 28),
        # What is painted may leave; two elements may send different packets round; DecIPTTL ends the third.
        ("FromDevice(a) -> c :: CheckPaint(1); c[0] -> Discard; c[1] -> Paint(1) -> c;", None),
        ("FromDevice(a) -> c :: Classifier(12/0800, -) -> d :: Classifier(12/0806, -) -> c; c[1], d[1] -> Discard;", None),
        ("FromDevice(a) -> CheckIPHeader(14) -> c :: IPClassifier(tcp, -) -> DecIPTTL -> c; c[1] -> Discard;", None),
    ],
)
def test_loops_that_no_packet_leaves(text, column):
    found = [w.place.column for w in check_text(text, LIBRARY).warnings if "loop forever" in w.message]
    assert found == [column] * (column is not None)


def test_the_place_is_the_elements():
    (warning,) = check_text("FromDevice(eth0)\n  -> ttl :: DecIPTTL -> Discard", LIBRARY).warnings
    assert (warning.place.line, warning.place.column) == (2, 6) and warning.message.startswith("'ttl'")


def test_no_false_alarm_in_the_routers_to_start_from():
    for path in sorted([*CONFIGS.glob("*.click"), *(CONFIGS / "papers").glob("*.click")]):
        warnings = check_file(path, LIBRARY, {"FILE": "x"} if path.name.startswith("pcap-") else {}).warnings
        assert not warnings, path
