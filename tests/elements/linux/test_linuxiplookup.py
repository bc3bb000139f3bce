"""LinuxIPLookup, LinuxIP6Lookup and LinuxNeighbors where there is no Linux to follow. tests/cli/test_accelerate.py has them beside one."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6

PACKET = IP(src="10.0.0.2", dst="10.1.2.3") / UDP()
PACKET6 = IPv6(src="2001:db8::2", dst="2001:db8:1::3") / UDP()
UNREACHED = {
    "LinuxNeighbors": {"linuxneighbors.c: if (!pkt_push(p, ETH_HLEN)) return PUNT;": "only neighbours that Linux knows come so far"}
}


@pytest.mark.parametrize("name, packet, headers", [("LinuxIPLookup", PACKET, "ip-checked"), ("LinuxIP6Lookup", PACKET6, "ip6-checked")])
def test_packets_are_linuxs_as_long_as_nothing_is_known(element, name, packet, headers):
    x = element(f"{name}(eth0)", noutputs=2, headers=headers)
    x.passes(packet, output=1)
    assert x.read("table") == ""
    x.close()
    x = element(f"{name}(eth0)", headers=headers)
    x.drops(packet)
    assert x.dropped("NO_ROUTE") == 1


def test_unknown_neighbours_are_linuxs(element):
    x = element("LinuxNeighbors(eth0)", noutputs=2, headers="ip-checked")
    x.passes(PACKET, output=1)
    assert x.read("table") == "" and x.read("known") == "0"


MISTAKES = {("LinuxIPLookup(eth0, eth1)", 1): "need 2 or 3 output ports", "LinuxIPLookup(eth0, TABLE 7, VRF red)": "VRF has a table"}
