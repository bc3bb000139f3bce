"""Routers that have learnt something, for some of the classes that do: what shows it is a handler."""

from collections.abc import Sequence
from dataclasses import dataclass

from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether

HOST, OWN = "02:00:00:00:00:09", "02:00:00:00:00:01"


@dataclass(frozen=True)
class Learnt:
    """After these frames on eth0, and handlers written, the handler of element `x` shows what it has learnt: other text than before."""

    text: str
    shown: str
    frames: Sequence[bytes] = ()
    writes: Sequence[tuple[str, str]] = ()


def udp(source: str = "10.0.0.2", ports: tuple[int, int] = (1, 2)) -> bytes:
    return bytes(Ether(src=HOST, dst=OWN) / IP(src=source, dst="10.0.1.2") / UDP(sport=ports[0], dport=ports[1]) / bytes(30))


_UDP = [udp(), udp("10.0.0.3"), udp("10.0.0.4", (3, 4))]
_IP = "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> {} -> Discard;"

LEARNT = {
    "ARPQuerier": Learnt(
        f"FromDevice(eth0) -> [1]x :: ARPQuerier(10.0.0.1/24, {OWN}) -> Discard; Idle -> [0]x;", "count",
        writes=[("insert", f"10.0.0.9 {HOST}")],
    ),
    "ARPTable": Learnt(
        f"x :: ARPTable; FromDevice(eth0) -> [1]a :: ARPQuerier(10.0.0.1/24, {OWN}, TABLE x) -> Discard; Idle -> [0]a;", "count",
        writes=[("insert", f"10.0.0.9 {HOST}")],
    ),
    "IP6NDSolicitor": Learnt(
        f"Idle -> x :: IP6NDSolicitor(fe80::1, {OWN}) -> Discard; FromDevice(eth0) -> [1]x;", "table",
        writes=[("insert", f"2001:db8::9 {HOST}")],
    ),
    "EtherSwitch": Learnt("FromDevice(eth0) -> x :: EtherSwitch -> Discard; Idle -> [1]x[1] -> Discard;", "table", _UDP),
    "IPRewriter": Learnt(_IP.format("x :: IPRewriter(pattern 10.9.9.9 1024-65535 - - 0 0)"), "table_size", _UDP),
    "UDPRewriter": Learnt(_IP.format("x :: UDPRewriter(pattern 10.9.9.9 1024-65535 - - 0 0)"), "table_size", _UDP),
    "IPAddrRewriter": Learnt(_IP.format("x :: IPAddrRewriter(pattern 10.9.9.9 - 0 0)"), "table_size", _UDP),
    "IPAddrPairRewriter": Learnt(_IP.format("x :: IPAddrPairRewriter(pattern 10.9.9.9 - 0 0)"), "table_size", _UDP),
    "TCPRewriter": Learnt(
        "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> x :: TCPRewriter(pattern 10.9.9.9 1024-65535 - - 0 0) -> Discard;", "table_size",
        [bytes(Ether(src=HOST, dst=OWN) / IP(src="10.0.0.2", dst="10.0.1.2") / TCP(sport=5, dport=6, flags="S"))],
    ),
    "ICMPPingRewriter": Learnt(
        "FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> x :: ICMPPingRewriter(pattern 10.9.9.9 - 1024-65535 0 0) -> Discard;",
        "table_size", [bytes(Ether(src=HOST, dst=OWN) / IP(src="10.0.0.2", dst="10.0.1.2") / ICMP(id=5))],
    ),
    "RadixIPLookup": Learnt(_IP.format("x :: RadixIPLookup(10.1.0.0/16 0)"), "table", writes=[("add", "10.2.0.0/16 0")]),
    "AggregateCounter": Learnt(_IP.format("AggregateIP(ip src) -> x :: AggregateCounter"), "nagg", _UDP),
    "NumberPacket": Learnt("FromDevice(eth0) -> x :: NumberPacket(OFFSET 60) -> Discard;", "count", _UDP),
    "StoreUDPTimeSeqRecord": Learnt("FromDevice(eth0) -> x :: StoreUDPTimeSeqRecord(14) -> Discard;", "count", _UDP),
    "TimeRange": Learnt("FromDevice(eth0) -> x :: TimeRange -> Discard;", "range", _UDP),
    "Unqueue": Learnt("FromDevice(eth0) -> Queue -> x :: Unqueue -> Discard;", "count", _UDP),
    "RED": Learnt("FromDevice(eth0) -> x :: RED(5, 50, 0.02, STABILITY 1) -> Queue -> Unqueue(ACTIVE false) -> Discard;",
                  "avg_queue_size", _UDP * 7),
}  # fmt: skip
