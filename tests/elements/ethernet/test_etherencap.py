"""EtherEncap: 14 bytes in front of a packet."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

PACKET = IP(dst="10.0.0.2") / UDP()
ENCAP = "EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)"

TRIALS = {
    "the header is put in front": Trial(ENCAP, headers="ip")
        .gives(PACKET, Ether(src="01:01:01:01:01:01", dst="02:02:02:02:02:02", type=0x0800) / PACKET, mac=0, network=14),
    "where no header was before": Trial(ENCAP).gives(bytes(64), bytes.fromhex("020202020202 010101010101 0800") + bytes(64)),
}

CASES = [
    Case(ENCAP, headers="ip", packets=1000),
    Case(ENCAP, packets=500),
]

PUNTS = [Reach("EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)", before=FULL)]
