"""DropBroadcasts: goes by the packet type, which FromDevice finds in the Ethernet header."""

from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

HOST, OTHER, BROADCAST, MULTICAST = (
    Ether(dst=dst, src="02:00:00:00:00:09", type=0x0800) / bytes(46)
    for dst in ("02:00:00:00:00:01", "02:00:00:00:00:77", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:05")
)

TRIALS = {
    "broadcasts and multicasts leave by output 1": Trial("DropBroadcasts", noutputs=2)
        .each((packet, packet, output) for packet, output in ((HOST, 0), (OTHER, 0), (BROADCAST, 1), (MULTICAST, 1))).reads(drops="2"),
}

CASES = [Case("DropBroadcasts", noutputs=2, packets=1000)]
