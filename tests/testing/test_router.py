"""What users write: packets into a router, packets expected; on every executor."""

from pathlib import Path

import pytest
from scapy.fields import ByteField
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Packet

from clickbpf.errors import ClickError
from clickbpf.testing.router import Router

#: Element classes for tests of the harness.
ELEMENTS = str(Path(__file__).parent / "elements")

WIRE = "FromDevice(eth0) -> c :: Counter -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"
ETHER = Ether(src="02:00:00:00:00:11", dst="02:00:00:00:00:01")
PACKET = ETHER / IP(src="10.0.0.1", dst="10.0.1.2", ttl=9) / UDP(sport=4321, dport=4322) / (b"x" * 30)


def test_a_packet_and_nothing_else(router):
    wire = router(WIRE)
    wire.send("eth0", PACKET)
    assert wire.expect("eth1", PACKET)[IP].ttl == 9
    wire.expect_nothing()
    wire.send("eth1", bytes(PACKET))
    wire.expect("eth0", bytes(PACKET))
    wire.expect_nothing()
    assert wire.read("c.count") == "1"


def test_packets_of_one_device_keep_their_order(router):
    wire = router(WIRE)
    packets = [PACKET / bytes([n]) for n in range(5)]
    wire.send("eth0", packets)
    for packet in packets:
        wire.expect("eth1", packet)
    wire.expect_nothing()


def test_a_wrong_field_is_told(router):
    wire = router(WIRE)
    other = PACKET.copy()
    other[IP].ttl = 8
    wire.send("eth0", PACKET)
    with pytest.raises(AssertionError) as failure:
        wire.expect("eth1", other)
    rows = [line.split() for line in str(failure.value).splitlines() if line.endswith("<-")]
    assert ["IP", "ttl", "8", "9", "<-"] in rows
    assert [row[1] for row in rows] == ["ttl", "chksum"]


def test_ignored_fields_may_differ(router):
    wire = router(WIRE)
    other = PACKET.copy()
    other[IP].ttl = 8
    wire.send("eth0", PACKET)
    wire.expect("eth1", other, ignore=["IP.ttl", "IP.chksum"])


def test_an_unexpected_packet_fails(router):
    wire = router(WIRE)
    wire.send("eth0", PACKET)
    wire.expect_nothing("eth0")
    with pytest.raises(AssertionError, match=r"eth1: 72 bytes, .*10\.0\.0\.1.* > 10\.0\.1\.2"):
        wire.expect_nothing()


def test_a_missing_packet_fails_and_says_what_happened_instead(router):
    filter_ = router("FromDevice(eth0) -> p :: Paint(3) -> d :: Discard; Idle -> ToDevice(eth1);")
    filter_.send("eth0", [PACKET, PACKET])
    with pytest.raises(AssertionError, match=r"expected a packet on eth1.*\n.*d dropped 2 \(DISCARDED\)"):
        filter_.expect("eth1", PACKET)
    assert filter_.dropped() == filter_.dropped("d", "DISCARDED") == 2
    assert filter_.dropped("p") == 0


def test_a_packet_on_another_device_is_shown(router):
    wire = router(WIRE)
    wire.send("eth0", PACKET)
    with pytest.raises(AssertionError, match=r"expected a packet on eth0.*\n +eth1: 72 bytes"):
        wire.expect("eth0", PACKET)


def test_variables_reach_the_configuration(router):
    painted = router("define($OUT eth1); FromDevice(eth0) -> Queue -> ToDevice($OUT);", variables={"OUT": "eth7"})
    painted.send("eth0", PACKET)
    painted.expect("eth7", PACKET)


def test_a_file_is_read(router, tmp_path):
    file = tmp_path / "wire.click"
    file.write_text(WIRE)
    for configuration in (file, str(file)):
        wire = router(configuration)
        wire.send("eth0", PACKET)
        wire.expect("eth1", PACKET)


def test_handlers_are_written(router):
    wire = router(WIRE)
    wire.send("eth0", PACKET)
    assert wire.read("c.count") == "1"
    wire.write("c.reset")
    assert wire.read("c.count") == "0"
    with pytest.raises(ClickError, match="no element named 'nope'"):
        wire.read("nope.count")


def test_packets_for_linux(router):
    r = router("FromDevice(eth0) -> ToHost;")
    r.send("eth0", PACKET)
    r.expect_host(PACKET)
    r.expect_nothing()


def test_mistakes_have_a_place():
    with pytest.raises(ClickError) as failure:
        Router("FromDevice(eth0) -> Countr -> Discard;")
    assert "config:1:21" in failure.value.render()
    with pytest.raises(ClickError, match="no device eth5"):
        Router(WIRE).send("eth5", PACKET)
    with pytest.raises(ClickError, match="no device eth5"):
        Router(WIRE, devices={"eth5": "02:00:00:00:00:05"})
    with pytest.raises(ClickError, match="'2:0' is not an Ethernet address"):
        Router(WIRE, devices={"eth0": "2:0"})


@pytest.mark.executors("native", "bpf")
@pytest.mark.parametrize("length", [14, 3520, 3521, 9000])
def test_frames_of_any_length(router, length):
    """Those that the kernel's test runs refuse take the way through user space."""
    wire = router(WIRE)
    frame = bytes(n % 251 for n in range(length))
    wire.send("eth0", frame)
    wire.expect("eth1", frame)
    assert wire.read("c.count") == "1"


@pytest.mark.executors("native", "bpf")
@pytest.mark.parametrize("length", [0, 1, 13])
def test_no_device_sends_less_than_an_ethernet_header(router, length):
    wire = router(WIRE)
    wire.send("eth0", bytes(length))
    wire.expect_nothing()
    assert wire.read("c.count") == "1"
    assert wire.dropped(reason="DEVICE") == 1


@pytest.mark.executors("native", "bpf")
def test_time_is_simulated(router):
    """A packet that an element holds for a second leaves after a second, however long that takes."""
    held = router("FromDevice(eth0) -> Holds(1) -> Queue -> ToDevice(eth1);", simtime=True, library=(ELEMENTS,))
    assert held.send("eth0", PACKET) == []
    assert held.advance(0.999) == []
    assert len(held.advance(0.001)) == 1
    held.expect("eth1", PACKET)


@pytest.mark.parametrize(
    "ask, message, hint",
    [
        (lambda r: r.dropped("cc"), "no element cc", "'c'"),
        (lambda r: r.dropped("c", "FILTRED"), "no drop reason FILTRED", "'FILTERED'"),
        (lambda r: r.expect_nothing("eth9"), "no device eth9", "eth"),
        (lambda r: r.expect("eth9"), "no device eth9", "eth"),
        (lambda r: r.expect("eth1", PACKET, ignore=("BOGUS",)), "no layer BOGUS", None),
        (lambda r: r.expect("eth1", PACKET, ignore=("ip.ttl",)), "no layer ip", "'IP'"),
        (lambda r: r.expect("eth1", PACKET, ignore=["IP.tttl"]), "no field of IP tttl", "'ttl'"),
    ],
)
@pytest.mark.executors("native")
def test_names_that_nothing_has_are_mistakes(router, ask, message, hint):
    """Even where the packets are equal, or there is none."""
    wire = router(WIRE)
    wire.send("eth0", PACKET)
    with pytest.raises(ClickError, match=message) as failure:
        ask(wire)
    assert (hint or "") in (failure.value.diagnostics[0].hint or "")


@pytest.mark.executors("native")
def test_layers_of_a_test_of_its_own_can_be_ignored(router):
    class Own(Packet):
        fields_desc = [ByteField("mark", 0)]

    wire = router(WIRE)
    wire.send("eth0", PACKET)
    with pytest.raises(AssertionError, match="packets differ"):
        wire.expect("eth1", Own(mark=1), ignore=["Own.mark"])
