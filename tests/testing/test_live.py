"""Comparing loaded routers with and without a kernel path: the comparison's parts, planted differences, and routers without one."""

from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, ICMPv6ND_NS, ICMPv6NDOptSrcLLAddr, IPv6
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet

from clickbpf.testing.live.compare import Comparison
from clickbpf.testing.live.differences import comparable, differences, undetermined
from clickbpf.testing.live.neighbours import address, answer
from clickbpf.testing.live.play import Record, Step
from clickbpf.testing.live.stage import Stage
from clickbpf.testing.live.traffic import Traffic, is_whole, turned
from clickbpf.testing.live.words import mix
from clickbpf.testing.record import Output
from clickbpf.vocabulary.library import PATH_VARIABLE

CONFIGS = Path(__file__).parents[2] / "configs"
ELEMENTS = Path(__file__).with_name("elements")
HERE, THERE = "02:00:00:00:00:01", "02:00:00:00:00:02"
ETHER = Ether(src=HERE, dst=THERE)
TITLES = ("one", "other")

live = pytest.mark.needs("root", "ip", "ethtool", "clang-19")


# -- packets --------------------------------------------------------------------------------------------------------------


def test_packets_have_what_the_configuration_names():
    made = mix(["INTERFACES 10.0.0.1/24", "255.255.255.0 2001:db8::1", "00-50-56-C0-00-01, tcp dst port 8080", "64:ff9b::/96"], [HERE])
    assert {"10.0.0.1", "10.0.0.255"} <= set(made.addresses) and "255.255.255.0" not in made.addresses
    assert {"2001:db8::1", "64:ff9b::a00:1"} <= set(made.addresses6)
    assert made.macs == (HERE, "00:50:56:c0:00:01")
    assert 8080 in made.ports


@pytest.mark.parametrize(
    ("there", "back"),
    [
        (
            IP(src="10.0.0.1", dst="10.0.0.2") / TCP(sport=7, dport=80) / b"x",
            IP(src="10.0.0.2", dst="10.0.0.1") / TCP(sport=80, dport=7) / b"x",
        ),
        (IP(src="10.0.0.1", dst="10.0.0.2") / ICMP(seq=5) / b"x", IP(src="10.0.0.2", dst="10.0.0.1") / ICMP(type=0, seq=5) / b"x"),
        (IPv6(src="::1", dst="::2") / UDP(sport=7, dport=9) / b"x", IPv6(src="::2", dst="::1") / UDP(sport=9, dport=7) / b"x"),
        (IPv6(src="::1", dst="::2") / ICMPv6EchoRequest(seq=1), IPv6(src="::2", dst="::1") / ICMPv6EchoRequest(seq=1, type=129)),
    ],
    ids=["tcp", "ping", "udp6", "ping6"],
)
def test_answers_have_right_checksums(there: Packet, back: Packet):
    assert turned(bytes(ETHER / there)) == bytes(Ether(src=THERE, dst=HERE) / back)


def test_neighbours_answer_requests_and_nothing_else():
    asked = Ether(src=HERE, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, hwsrc=HERE, psrc="10.0.0.1", pdst="10.0.0.2")
    said = Ether(answer(bytes(asked)))
    assert (said.dst, said[ARP].op, said[ARP].psrc, said[ARP].pdst, said[ARP].hwdst) == (HERE, 2, "10.0.0.2", "10.0.0.1", HERE)
    assert said[ARP].hwsrc == said.src == address(bytes((10, 0, 0, 2))).hex(":")
    solicited = (
        Ether(src=HERE) / IPv6(src="2001:db8::1", dst="ff02::1:ff00:2", hlim=255) / ICMPv6ND_NS(tgt="2001:db8::2") / ICMPv6NDOptSrcLLAddr()
    )
    advertised = answer(bytes(solicited))
    again = Ether(advertised)
    del again[IPv6].payload.cksum
    assert bytes(again) == advertised, "the checksum is right"
    assert (again[IPv6].dst, again[IPv6].hlim, again[IPv6].payload.tgt, again[IPv6].payload.S) == ("2001:db8::1", 255, "2001:db8::2", 1)
    assert answer(advertised) is None and answer(bytes(said)) is None and answer(b"") is None


def test_traffic_depends_on_its_seed_and_on_what_came_out():
    def packets(seed: int, left: list[Output]) -> list[tuple[str, bytes]]:
        traffic = Traffic(seed, {"eth0": bytes(6), "eth1": bytes(range(6))}, mix([], [HERE]))
        return [traffic.arrival(step, [left] * step) for step in range(200)]

    sent = Output("eth1", bytes(ETHER / IP(src="10.9.9.9", dst="10.8.8.8") / UDP()))
    assert packets(1, []) == packets(1, []) != packets(2, [])
    assert all(is_whole(frame) for _, frame in packets(1, []))
    assert ("eth1", turned(sent.data)) in packets(1, [sent])


# -- differences ----------------------------------------------------------------------------------------------------------

FRAME = bytes(ETHER / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=1, dport=2))
OTHER = bytes(ETHER / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=3, dport=2))


def record(*frames: bytes, **state: str) -> Record:
    """One packet came, and these frames left by eth1."""
    return Record([Step("eth0", FRAME, [Output("eth1", frame) for frame in frames], {})], state)


def texts(ours: Record, theirs: Record) -> list[str]:
    return [each.text for each in differences(ours, theirs, TITLES)]


def test_flows_keep_their_order_and_others_may_overtake():
    late = FRAME[:-1] + b"\1"
    assert texts(record(FRAME, OTHER, a="1"), record(OTHER, FRAME, a="1")) == []
    (said,) = texts(record(FRAME, late), record(late, FRAME))
    assert said.startswith("on eth1, packets differ") and "packet 0 into eth0" in said
    said, shape = texts(record(FRAME), record(FRAME, OTHER))
    assert said.startswith("on eth1, only other sends 42 bytes: Ether / IP / UDP 10.0.0.1:3")
    assert shape.startswith("on eth1\n  other sends 1 more of 42 bytes, 0800")


def test_times_and_what_one_has_not_got_are_no_differences():
    ours, theirs = record(table="10.0.0.2 1 02 3.962000\n exp9", extra="x"), record(table="10.0.0.2 1 02 4.000000\n exp8")
    assert texts(ours, theirs) == []
    assert texts(Record([], {"a.link_rate": "21084.4", "a.time": "1.2"}), Record([], {"a.link_rate": "28456.0", "a.time": "0.9"})) == []
    assert texts(record(count="1"), record(count="2")) == ["count is '1' one, '2' other"]
    assert len(texts(Record([], {"a drops TTL": "1"}), record())) == 1, "no drops are 0 drops"


def test_what_packets_do_not_determine_is_left_out():
    unsure = undetermined(differences(record(FRAME, n="1"), record(OTHER, n="2"), TITLES))
    assert {"n", "flows of eth1"} < unsure
    assert comparable(differences(record(FRAME, n="3"), record(FRAME[:-8], n="4"), TITLES), unsure), "shapes are the same for both"
    third = bytes(ETHER / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=5, dport=2))
    assert comparable(differences(record(FRAME, n="3"), record(third, n="4"), TITLES), unsure) == []


# -- routers --------------------------------------------------------------------------------------------------------------


#: Packets of each device meet an element that breaks the promise in its own way.
PLANTED = {
    "BYTE": "on right0, packets differ in 1 field",
    "DROP": "on right1, only xdp sends ",
    "COUNT": "d2.count is ",
    "REASON": "d3 drops FILTERED is ",
    "NOTHING": None,
}


def path(number: int, what: str) -> str:
    return f"""
        FromDevice(left{number}) -> StoreData(22, \\<07>) -> d{number} :: Differs({what}) -> Queue -> ToDevice(right{number});
        FromDevice(right{number}) -> Discard; d{number}[1] -> Discard;
    """


@pytest.mark.whole
@live
def test_planted_differences_are_found_with_their_packets(tmp_path, monkeypatch):
    monkeypatch.setenv(PATH_VARIABLE, str(ELEMENTS))
    monkeypatch.setenv("CLICKBPF_CFLAGS", "-O0")
    planted = tmp_path / "planted.click"
    planted.write_text("".join(path(number, what) for number, what in enumerate(PLANTED)))
    found = [each.text for each in Comparison(planted, {}, seed=3, packets=60).of("xdp")]
    for number, said in enumerate(PLANTED.values()):
        mine = [text for text in found if said and text.startswith(said)]
        assert bool(mine) == bool(said), found
        assert all("packet " in text and f" into left{number}, " in text for text in mine)
    assert not any(text.startswith(("on right4", "d4")) for text in found), "this one keeps the promise"


@pytest.mark.whole
@live
@pytest.mark.parametrize(
    ("configuration", "variants"),
    [
        ("firewall.click", ("xdp", "tc")),
        pytest.param("papers/diffserv.click", ("replace", "killed"), marks=pytest.mark.whole),
    ],
)
def test_routers_do_the_same_without_a_kernel_path(monkeypatch, configuration, variants):
    monkeypatch.setenv("CLICKBPF_CFLAGS", "-O0")
    comparison = Comparison(CONFIGS / configuration, {}, seed=5, packets=100)
    for variant in variants:
        assert [each.text for each in comparison.of(variant)] == []
        assert comparison.record.sent > 50, "what is compared is something"


@live
def test_devices_that_the_router_makes_have_no_other_wire(tmp_path):
    configuration = tmp_path / "made.click"
    configuration.write_text("FromHost(fake0, 192.0.2.1/24) -> Discard; Idle -> ToHost(fake0);")
    with Stage(configuration, ("--no-kernel",), {}) as stage:
        assert list(stage.entries) == ["fake0"]
