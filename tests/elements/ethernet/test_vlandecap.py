"""VLANDecap: frames without their tag (IEEE 802.1Q)."""

from socket import htons

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

ADDRESSES = {"src": "02:00:00:00:00:99", "dst": "02:00:00:00:00:01"}
PACKET = IP(dst="10.0.0.2") / UDP()
PLAIN = Ether(**ADDRESSES, type=0x800) / PACKET
TAGGED = Ether(**ADDRESSES, type=0x8100) / Dot1Q(vlan=5, prio=3, type=0x800) / PACKET

TRIALS = {
    "the tag is taken out and noted": Trial("VLANDecap").gives(TAGGED, PLAIN, VLAN_TCI=htons(0x6005), mac=0, network=14),
    "a frame without tag stays": Trial("VLANDecap", before="SetVLANAnno(9)").passes(PLAIN, VLAN_TCI=0),
    "the annotation stays if it is not wanted": Trial("VLANDecap(false)", before="SetVLANAnno(9)")
        .each(((frame, PLAIN) for frame in (TAGGED, PLAIN)), VLAN_TCI=htons(9)),
    "other kinds of tags": Trial("VLANDecap(ETHERTYPE 0x88a8)")
        .passes(TAGGED, VLAN_TCI=0).gives(Ether(**ADDRESSES, type=0x88A8) / bytes(TAGGED)[14:], PLAIN, VLAN_TCI=htons(0x6005)),
}

CASES = [
    Case("VLANDecap"),
    Case("VLANDecap(false)", before="Strip(2)", packets=500),
]
