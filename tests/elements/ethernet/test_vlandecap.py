"""VLANDecap: frames without their tag (IEEE 802.1Q)."""

from socket import htons

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether

from clickbpf.testing.cases import Case

ADDRESSES = {"src": "02:00:00:00:00:99", "dst": "02:00:00:00:00:01"}
PACKET = IP(dst="10.0.0.2") / UDP()
PLAIN = Ether(**ADDRESSES, type=0x800) / PACKET
TAGGED = Ether(**ADDRESSES, type=0x8100) / Dot1Q(vlan=5, prio=3, type=0x800) / PACKET


def test_the_tag_is_taken_out_and_noted(element):
    x = element("VLANDecap")
    x.send(TAGGED)
    seen = x.expect(0, PLAIN)
    assert seen.carried["VLAN_TCI"] == htons(0x6005)
    assert (seen.carried.mac, seen.carried.network) == (0, 14)


def test_a_frame_without_tag_stays(element):
    x = element("VLANDecap", before="SetVLANAnno(9)")
    x.send(PLAIN)
    x.expect(0, PLAIN, VLAN_TCI=0)


def test_the_annotation_stays_if_it_is_not_wanted(element):
    x = element("VLANDecap(false)", before="SetVLANAnno(9)")
    for frame in (TAGGED, PLAIN):
        x.send(frame)
        x.expect(0, PLAIN, VLAN_TCI=htons(9))


def test_other_kinds_of_tags(element):
    x = element("VLANDecap(ETHERTYPE 0x88a8)")
    x.send(TAGGED)
    x.expect(0, TAGGED, VLAN_TCI=0)
    x.send(Ether(**ADDRESSES, type=0x88A8) / bytes(TAGGED)[14:])
    x.expect(0, PLAIN, VLAN_TCI=htons(0x6005))


CASES = [
    Case("VLANDecap"),
    Case("VLANDecap(false)", before="Strip(2)", packets=500),
]
