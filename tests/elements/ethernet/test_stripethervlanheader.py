"""StripEtherVLANHeader: Ethernet headers of 14 bytes, or 18 with a tag (IEEE 802.1Q)."""

from socket import htons

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether

from clickbpf.testing.cases import Case

PACKET = IP(dst="10.0.0.2") / UDP()
PLAIN = Ether(dst="02:00:00:00:00:01", type=0x800) / PACKET
TAGGED = Ether(dst="02:00:00:00:00:01", type=0x8100) / Dot1Q(vlan=5, prio=3, type=0x800) / PACKET


@pytest.mark.parametrize(("arguments", "native"), [("", 0), ("9", 9), ("4095", 4095)])
def test_headers_are_removed_and_the_vlan_noted(element, arguments, native):
    x = element(f"StripEtherVLANHeader({arguments})")
    x.send(TAGGED)
    assert x.expect(0, VLAN_TCI=htons(0x6005)).data == bytes(PACKET)
    x.send(PLAIN)
    assert x.expect(0, VLAN_TCI=htons(native)).data == bytes(PACKET)


def test_where_no_vlan_is_native(element):
    x = element("StripEtherVLANHeader(-5)", noutputs=2)
    x.passes(PLAIN, output=1, VLAN_TCI=0)
    x.send(TAGGED)
    assert x.expect(0).data == bytes(PACKET)
    alone = element("StripEtherVLANHeader(-5)")
    alone.drops(PLAIN)
    assert alone.router.dropped("x", "FILTERED") == 1


CASES = [
    Case("StripEtherVLANHeader"),
    Case("StripEtherVLANHeader(-1)", noutputs=2, packets=1000),
]

MISTAKES = {"StripEtherVLANHeader(4096)": "bad NATIVE_VLAN"}
