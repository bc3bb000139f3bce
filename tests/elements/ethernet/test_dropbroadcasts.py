"""DropBroadcasts: goes by the packet type, which FromDevice finds in the Ethernet header."""

from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case

HOST, OTHER, BROADCAST, MULTICAST = (
    Ether(dst=dst, src="02:00:00:00:00:09", type=0x0800) / bytes(46)
    for dst in ("02:00:00:00:00:01", "02:00:00:00:00:77", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:05")
)


def test_broadcasts_and_multicasts_leave_by_output_1(element):
    x = element("DropBroadcasts", noutputs=2)
    for packet, output in ((HOST, 0), (OTHER, 0), (BROADCAST, 1), (MULTICAST, 1)):
        x.send(packet)
        x.expect(output, packet)
    assert x.read("drops") == "2"


CASES = [Case("DropBroadcasts", noutputs=2, packets=1000)]
