"""What Linux sees of a packet's address: it would drop what isn't addressed to the device, whatever Click thinks of its type."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

MAC = "02:00:00:00:00:10"
ROUTER = "FromDevice(eth0) -> Strip(14) -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost;"
PAYLOAD = IP(src="10.0.0.2", dst="10.0.0.1") / UDP() / b"x"


def through(router, destination: str) -> str:
    running = router(ROUTER, devices={"eth0": MAC})
    running.send("eth0", Ether(dst=destination, src="02:00:00:00:00:02") / PAYLOAD)
    return running.expect("host")[Ether].dst


def test_packets_for_this_host_are_addressed_to_it(router):
    assert through(router, MAC) == MAC


def test_broadcasts_stay_broadcasts(router):
    assert through(router, "ff:ff:ff:ff:ff:ff") == "ff:ff:ff:ff:ff:ff"


def test_packets_for_groups_stay_a_groups(router):
    """Linux would answer a datagram to a closed port, which it doesn't if many have got it."""
    assert through(router, "01:00:5e:00:00:01") == "03:02:02:02:02:02"


def test_others_packets_keep_what_the_router_wrote(router):
    assert through(router, "02:00:00:00:00:77") == "02:02:02:02:02:02"
