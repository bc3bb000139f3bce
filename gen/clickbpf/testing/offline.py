"""Importing this keeps scapy off the network: for a packet without an Ethernet address, scapy would send ARP requests and
neighbour solicitations on this machine's devices, and wait for answers.
"""

from scapy.config import conf
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet

#: Another host's Ethernet address (locally administered, IEEE 802).
ELSEWHERE = "02:00:00:00:00:fe"


def _destination(link: Packet, network: Packet) -> str:
    """ARP requests are broadcast."""
    return "ff:ff:ff:ff:ff:ff" if isinstance(network, ARP) and network.op == 1 else ELSEWHERE


for _layer in (IP, IPv6, ARP):
    conf.neighbor.register_l3(Ether, _layer, _destination)
