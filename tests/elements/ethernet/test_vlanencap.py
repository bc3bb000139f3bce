"""VLANEncap: a tag between addresses and type (IEEE 802.1Q)."""

from socket import htons

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

ADDRESSES = {"src": "02:00:00:00:00:99", "dst": "02:00:00:00:00:01"}
PACKET = IP(dst="10.0.0.2") / UDP()
FRAME = Ether(**ADDRESSES) / PACKET


def tagged(identifier: int, priority: int = 0, ethertype: int = 0x8100) -> bytes:
    return bytes(Ether(**ADDRESSES, type=ethertype)) + bytes(Dot1Q(vlan=identifier, prio=priority, type=0x800) / PACKET)


TRIALS = {
    "the tag is put in": [
        Trial(f"VLANEncap({arguments})").gives(FRAME, frame, mac=0, network=len(frame) - len(PACKET))
        for arguments, frame in [
            ("0x6005", tagged(5, 3)),
            ("5, 3", tagged(5, 3)),
            ("VLAN_ID 5, VLAN_PCP 3, ETHERTYPE 0x88a8", tagged(5, 3, 0x88A8)),
            ("VLAN_ID 5, VLAN_TCI 6", tagged(6)),
            ("NATIVE_VLAN -1", tagged(0)),
            ("0xe005, NATIVE_VLAN 5", bytes(FRAME)),
            ("", bytes(FRAME)),
        ]
    ],
    "the annotation says which vlan": Trial("VLANEncap(ANNO)", before="SetVLANAnno(0x6005)")
        .gives(FRAME, tagged(5, 3), VLAN_TCI=htons(0x6005)),
}

CASES = [
    Case("VLANEncap(0x6005)"),
    Case("VLANEncap(ANNO)", before="VLANDecap", packets=1000),
    Case("VLANEncap(7)", before="Strip(6)", packets=500),
]

PUNTS = [Reach("VLANEncap(7)", before=FULL + " -> VLANEncap(8)")]
