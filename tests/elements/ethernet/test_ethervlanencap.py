"""EtherVLANEncap: an Ethernet header with a tag in front of packets (IEEE 802.1Q)."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

PACKET = IP(dst="10.0.0.2") / UDP()
PLAIN = Ether(src="01:01:01:01:01:01", dst="02:02:02:02:02:02", type=0x800)


def encap(*arguments: str) -> str:
    return f"EtherVLANEncap({', '.join(('0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2', *arguments))})"


def tagged(identifier: int, priority: int = 0):
    return Ether(src=PLAIN.src, dst=PLAIN.dst, type=0x8100) / Dot1Q(vlan=identifier, prio=priority, type=0x800) / PACKET


def test_handlers(element):
    x = element(encap("0x6005"), headers="ip")
    names = ("ethertype", "src", "dst", "vlan_tci", "vlan_id", "vlan_pcp", "native_vlan")
    assert [x.read(name) for name in names] == ["2048", "01-01-01-01-01-01", "02-02-02-02-02-02", "24581", "5", "3", "0"]
    for name, value in (("ethertype", "0x86dd"), ("src", "3:3:3:3:3:3"), ("dst", "4:4:4:4:4:4"), ("vlan_pcp", "1"), ("vlan_id", "7")):
        x.write(name, value)
    x.send(PACKET)
    assert x.expect(0).data[:18] == bytes.fromhex("040404040404 030303030303 8100 2007 86dd")
    x.write("native_vlan", "7")
    x.send(PACKET)
    assert x.expect(0).data[:14] == bytes.fromhex("040404040404 030303030303 86dd")
    x.write("vlan_tci", "ANNO")
    assert [x.read(name) for name in ("vlan_tci", "vlan_id", "vlan_pcp")] == ["ANNO", "", ""]
    for name, value in (("vlan_id", "4096"), ("vlan_pcp", "8"), ("native_vlan", "-2"), ("vlan_tci", "65536"), ("src", "x")):
        x.refuses(name, value, "bound|Ethernet address")


def test_config_has_the_current_values(element):
    """In the words of Click's `config`, but in the order of the arguments."""
    x = element(encap("24583", "1"))
    assert x.read("config") == "2048, 01-01-01-01-01-01, 02-02-02-02-02-02, VLAN_ID 7, VLAN_PCP 3"
    for name, value in (("src", "a:b:c:d:e:f"), ("ethertype", "0x86dd"), ("native_vlan", "4"), ("vlan_tci", "ANNO")):
        x.write(name, value)
    changed = x.read("config")
    assert changed == "34525, 0A-0B-0C-0D-0E-0F, 02-02-02-02-02-02, ANNO, NATIVE_VLAN 4"
    assert element(f"EtherVLANEncap({changed})").read("config") == changed


TRIALS = {
    "the header is put in front": [
        Trial(encap(*arguments), headers="ip").gives(PACKET, frame, mac=0, network=(len(frame) - len(PACKET)))
        for arguments, frame in [
            (("0x6005",), tagged(5, 3)),
            (("5", "3"), tagged(5, 3)),
            (("VLAN_ID 5", "VLAN_PCP 3"), tagged(5, 3)),
            (("0x6005", "VLAN_ID 7"), tagged(5, 3)),
            (("VLAN_TCI 0x1005",), Ether(src=PLAIN.src, dst=PLAIN.dst, type=0x8100) / Dot1Q(vlan=5, dei=1, type=0x800) / PACKET),
            (("5", "NATIVE_VLAN 5"), PLAIN / PACKET),
            (("0xe005", "NATIVE_VLAN 5"), PLAIN / PACKET),
            ((), PLAIN / PACKET),
            (("NATIVE_VLAN -1",), tagged(0)),
        ]
    ],
    "where no header was before": Trial(encap("0x6005"))
        .gives(bytes(64), bytes.fromhex("020202020202 010101010101 8100 6005 0800") + bytes(64), network=18),
    "the annotation says which vlan": [
        Trial(encap("ANNO", "NATIVE_VLAN 9"), headers="ip", before=f"SetVLANAnno({tci})").gives(PACKET, frame)
        for tci, frame in [("0x6005", tagged(5, 3)), ("0x2009", PLAIN / PACKET)]
    ],
}

CASES = [
    Case(encap("0x6005")),
    Case(encap("ANNO"), before="VLANDecap -> Strip(14)", packets=1000),
]

PUNTS = [
    Reach("EtherVLANEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2, 7)", before=FULL),
    Reach("EtherVLANEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2, 7, NATIVE_VLAN 7)", before=FULL),
]
