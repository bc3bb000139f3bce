"""Tests of one element see its outputs, the annotations and the header offsets, on every executor."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.single import Surroundings

ETHER = Ether(src="02:00:00:00:00:11", dst="02:00:00:00:00:01")
PACKET = IP(src="10.0.0.1", dst="10.0.1.2", ttl=9) / UDP() / b"data"


def test_packets_and_annotations(element):
    paint = element("Paint(7)")
    paint.send(ETHER / PACKET)
    seen = paint.expect(0, ETHER / PACKET, PAINT=7)
    assert seen.packet[IP].dst == "10.0.1.2"
    assert seen.data == bytes(ETHER / PACKET)
    paint.expect_nothing()


def test_outputs_are_told_apart(element):
    ttl = element("DecIPTTL", noutputs=2, headers="ip")
    ttl.send(PACKET)
    ttl.send(IP(dst="10.0.1.2", ttl=1))
    decremented = PACKET.copy()
    decremented.ttl = 8
    ttl.expect(0, decremented)
    ttl.expect(1, IP(dst="10.0.1.2", ttl=1))
    ttl.send(PACKET)
    with pytest.raises(AssertionError, match="on output 1, but it left by output 0"):
        ttl.expect(1)


def test_inputs_are_told_apart(element):
    both = element("Suppressor", ninputs=2, noutputs=2)
    both.send(ETHER / PACKET, input=1)
    both.expect(1, ETHER / PACKET)
    both.send(ETHER / PACKET, input=0)
    both.expect(0, ETHER / PACKET)


@pytest.mark.parametrize(
    "headers, network, transport", [("ethernet", None, None), ("ip", 0, 20), ("ip-checked", 0, 20), ("ip-in-ethernet", 14, 34)]
)
def test_header_offsets(element, headers, network, transport):
    """MarkIPHeader and CheckIPHeader mark the network header, and the transport header after its 20 bytes."""
    nothing = element("Null", headers=headers)
    nothing.send(PACKET if headers in ("ip", "ip-checked") else ETHER / PACKET)
    carried = nothing.expect(0).carried
    assert (carried.network, carried.transport) == (network, transport)
    assert carried.mac == (-14 if headers in ("ip", "ip-checked") else 0)
    assert carried.device == 0


@pytest.mark.parametrize(
    "destination, kind",
    [("02:00:00:00:00:01", 0), ("ff:ff:ff:ff:ff:ff", 1), ("01:00:5e:00:00:01", 2), ("02:00:00:00:00:02", 3)],
)
def test_packet_types(element, destination, kind):
    """PACKET_HOST, _BROADCAST, _MULTICAST and _OTHERHOST of <linux/if_packet.h>, by the device's address."""
    nothing = element("Null")
    nothing.send(Ether(src="02:00:00:00:00:99", dst=destination) / PACKET)
    assert nothing.expect(0).carried.type == kind


def test_addresses_of_devices_are_given(element):
    nothing = element("Null", devices={"in0": "02:00:00:00:77:77"})
    nothing.send(Ether(dst="02:00:00:00:77:77") / PACKET)
    assert nothing.expect(0).carried.type == 0


def test_what_stands_before_it(element):
    painted = element("Null", before="Paint(2) -> SetIPAddress(10.0.0.254)", headers="ip")
    painted.send(PACKET)
    carried = painted.expect(0, PACKET, PAINT=2).carried
    assert carried["DST_IP"] == 0x0A0000FE


def test_handlers_and_drops(element):
    discard = element("Discard", noutputs=0)
    discard.send(ETHER / PACKET)
    discard.expect_nothing()
    assert discard.dropped() == discard.dropped("DISCARDED") == 1
    assert discard.read("class") == discard.read("x.class") == "Discard"


def test_wrong_expectations_fail(element):
    paint = element("Paint(7)")
    paint.send(ETHER / PACKET)
    with pytest.raises(AssertionError, match="expected no packet, but there is one on output 0"):
        paint.expect_nothing()
    with pytest.raises(AssertionError, match=r"annotations \{'PAINT': 7\}, expected \{'PAINT': 8\}"):
        paint.expect(0, ETHER / PACKET, PAINT=8)
    with pytest.raises(AssertionError, match="expected a packet on output 0, but none left"):
        paint.expect(0)


def test_the_configuration_without_records_ends_in_devices():
    text = Surroundings("DecIPTTL", 1, 2, "ip").text(record=False)
    assert "ToDevice(out0)" in text and "ToDevice(out1)" in text and "TestRecorder" not in text
