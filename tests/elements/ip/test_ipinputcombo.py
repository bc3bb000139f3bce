"""IPInputCombo: the same as Paint, Strip, CheckIPHeader and GetIPAddress."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

LINK = bytes(12) + b"\x08\x00"


@pytest.mark.parametrize("options", [0, 40])
def test_a_good_packet(element, options):
    combo = element("IPInputCombo(7)")
    packet = bytes(IP(dst="18.26.4.9", options=[IPOption_NOP()] * options) / UDP() / b"data")
    combo.send(LINK + packet + bytes(9))
    carried = combo.expect(0, packet, PAINT=7, DST_IP=0x121A0409).carried
    assert (carried.network, carried.transport) == (0, 20 + options)


def test_bad_packets_are_dropped(element):
    combo = element("IPInputCombo(7, INTERFACES 10.0.0.1/24)")
    bad = (IP(chksum=1), IP(version=5), IP(ihl=4), IP(src="10.0.0.255"), IP(len=100))
    for packet in (b"", LINK, *(LINK + bytes(packet) for packet in bad)):
        combo.send(packet)
    combo.expect_nothing()
    assert combo.read("drops") == "7"
    assert (combo.dropped("BAD_CHECKSUM"), combo.dropped("FILTERED"), combo.dropped("MALFORMED")) == (1, 1, 5)


def test_the_colour_has_eight_bits(element):
    combo = element("IPInputCombo(258, 10.0.0.9)")
    combo.send(LINK + bytes(IP(dst="10.0.0.9") / UDP()))
    combo.expect(0, IP(dst="10.0.0.9") / UDP(), PAINT=2)


def test_the_four_elements_do_the_same(element):
    """What one lets through the others do, with the same annotations."""
    four = element("GetIPAddress(16)", before="Paint(3) -> Strip(14) -> CheckIPHeader")
    combo = element("IPInputCombo(3)")
    for packet in (IP() / UDP(), IP(chksum=3) / UDP(), IP(options=[IPOption_NOP()] * 8, dst="1.2.3.4") / UDP()):
        outputs = []
        for x in (four, combo):
            x.send(LINK + bytes(packet))
            try:
                outputs.append(x.expect(0).carried)
            except AssertionError:
                outputs.append(None)
        assert outputs[0] == outputs[1]


CASES = [Case("IPInputCombo(1, INTERFACES 10.0.0.1/24 10.0.1.1/24)", mix=Mix(options=30, wrong=30))]
