"""An ARPQuerier between hosts: what arrives, and what it sends."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether

MY_IP, MY_MAC = "10.0.0.1", "02:00:00:00:00:01"
BROADCAST = "ff:ff:ff:ff:ff:ff"
#: What no executor can do otherwise: it happens after the handover.
NATIVE = pytest.mark.executors("native")


def configuration(arguments: str = "", ip: str = "10.0.0.1/24", noutputs: int = 2) -> str:
    """IP packets arrive on `ip`, ARP on `arp`; what ARPQuerier sends leaves by `out`, its requests by `asks`."""
    queries = "q[1] -> Queue -> ToDevice(asks);" if noutputs == 2 else ""
    return f"""
        q :: ARPQuerier({ip}, {MY_MAC}{arguments and ", "}{arguments});
        FromDevice(ip) -> Strip(14) -> MarkIPHeader -> GetIPAddress(16) -> [0]q;
        FromDevice(arp) -> [1]q;
        q -> Queue -> ToDevice(out); {queries}
    """


def packet(to: str, ident: int = 1) -> IP:
    return IP(src="192.0.2.7", dst=to, id=ident, ttl=9) / UDP(sport=1, dport=2)


def arrives(to: str, ident: int = 1) -> Ether:
    return Ether(src="02:00:00:00:00:99", dst=MY_MAC) / packet(to, ident)


def sent(mac: str, to: str, ident: int = 1) -> Ether:
    return Ether(src=MY_MAC, dst=mac, type=0x0800) / packet(to, ident)


def query(about: str, to: str = BROADCAST, mine: str = MY_IP) -> Ether:
    """RFC 826: the sender's addresses, the target's IP address, and zeros for what is asked."""
    arp = ARP(op=1, hwsrc=MY_MAC, psrc=mine, hwdst="00:00:00:00:00:00", pdst=about)
    return Ether(src=MY_MAC, dst=to) / arp


def reply(ip: str, mac: str) -> Ether:
    return Ether(src=mac, dst=MY_MAC) / ARP(op=2, hwsrc=mac, psrc=ip, hwdst=MY_MAC, pdst=MY_IP)


def table(router) -> list[list[str]]:
    """IP, known, Ethernet address of each line; and the age, which stands last, apart."""
    return [line.split() for line in router.read("q.table").splitlines()]
