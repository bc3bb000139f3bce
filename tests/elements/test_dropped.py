"""What elements drop, and the reasons that they give: packets that have nowhere else to go, or aren't what an element is for.

What leaves by a second output, where there is one, is in the classes' own tests.
"""

from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from tests.elements.beside import Tried, beside

from clickbpf.testing.diff import PacketLike

AES, DES = "00112233445566778899aabbccddeeff", "0123456789abcdef"
#: An option whose pointer is before the route that it begins.
WRONG_ROUTE = bytes(IP(ihl=7, len=36, options=b"\x07\x07\x03" + bytes(5)) / ICMP())
PACKET, PACKET6 = IP(dst="10.0.1.2") / UDP() / bytes(80), IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP() / bytes(80)
TAGGED = Ether(dst="02:00:00:00:00:01") / Dot1Q(vlan=5) / PACKET
BROADCAST = Ether(dst="ff:ff:ff:ff:ff:ff") / PACKET
#: In front of a frame that a driver has sent, with all flags (<clicknet/wifi.h>).
ALL_FLAGS = (0x7492001).to_bytes(4, "little") + b"\xff" * 4 + bytes(16)

DROPPED: dict[str, list[tuple[Tried, PacketLike]]] = {
    "UNMARKED": [
        *((Tried(text), bytes(60)) for text in ("DecIPTTL", "DecIP6HLIM", "SetIPDSCP(1)", "SetIP6DSCP(1)", "IP6Mirror")),
        *((Tried(f"{way}{what}"), bytes(60)) for what in ("IPHeader", "IP6Header", "TransportHeader") for way in ("Strip", "Unstrip")),
        *((Tried(text), bytes(60)) for text in ("HostRateLimiter(1)", "IPReassembler", "ICMPError(10.0.0.1, unreachable)")),
    ],
    "NO_ASSOCIATION": [
        (Tried(text), bytes(64))
        for text in ("IPsecAES(1)", "IPsecDES(1)", "IPsecAuthHMACSHA1(0)", "IPsecESPEncap", "IPsecESPUnencap")
    ],
    "EXPIRED": [(Tried("DecIPTTL", "ip"), IP(ttl=1) / UDP()), (Tried("DecIP6HLIM", "ip6"), IPv6(hlim=1) / UDP())],
    "NO_ROUTE": [(Tried("StaticIP6Lookup(2001:db8::/48 0)", "ip6-checked"), PACKET6)],
    "UNCONNECTED": [(Tried("Search(nowhere)"), bytes(60))],
    "DISCARDED": [(Tried("RandomSample(DROP 1)"), bytes(60))],
    "NO_MEMORY": [
        (Tried(text), bytes(60))
        for text in (
            "Pad(4000000000)", "Resize(1000000)", "NumberPacket(100000)", "StoreTimestamp(100000)", "StoreAnno(2147483647, GROW true)"
        )
    ],
    "BAD_CHECKSUM": [
        (Tried("CheckIPHeader(14)"), Ether() / IP(chksum=1)),
        (Tried("IPInputCombo(7)"), Ether() / IP(chksum=1)),
        (Tried("CheckTCPHeader", "ip"), IP() / TCP(chksum=1)),
        (Tried("CheckUDPHeader", "ip"), IP() / UDP(chksum=1)),
        (Tried("CheckGREHeader(CHECKSUM true)"), bytes.fromhex("8000080000010000") + bytes(11)),
        *((Tried("CheckCRC32", before=f"Truncate({length})"), bytes(60)) for length in (0, 3)),
    ],
    "FILTERED": [
        (Tried("CheckPaint(5, 20)", before="Paint(4, 20)"), bytes(60)),
        (Tried("CheckLength(100)"), bytes(101)),
        (Tried("IPInputCombo(7, INTERFACES 10.0.0.1/24)"), Ether() / IP(src="10.0.0.255")),
        (Tried("CheckTCPHeader", "ip"), PACKET),
        (Tried("CheckUDPHeader", "ip"), IP() / TCP()),
        (Tried("CheckGREHeader(KEY 7)"), bytes.fromhex("2000080000000008") + bytes(11)),
        (Tried("ARPResponder(10.0.0.1 02:00:00:00:00:01)"), Ether() / ARP(op=1, pdst="10.0.0.2")),
        (Tried("DropBroadcasts"), BROADCAST),
        (Tried("HostEtherFilter(02:00:00:00:00:05)"), TAGGED),
        (Tried("StripEtherVLANHeader(-5)"), Ether() / PACKET),
        (Tried("ICMPPingResponder", "ip-checked"), IP() / ICMP(type=13)),
        (Tried("CheckIP6Header(OFFSET 14)"), Ether() / IPv6(src="::1") / UDP()),
        (Tried("IP6Fragmenter(100)", "ip6"), PACKET6),
        *((Tried(f"Filter{what}"), ALL_FLAGS + bytes(60)) for what in ("TX", "Failures", "PhyErr")),
    ],
    "MALFORMED": [
        *((Tried(text), Ether() / IP(version=6)) for text in ("CheckIPHeader(14)", "IPInputCombo(7)")),
        (Tried("CheckTCPHeader", "ip"), IP() / TCP(dataofs=4)),
        (Tried("CheckUDPHeader", "ip"), IP() / UDP(len=7)),
        (Tried("CheckGREHeader"), bytes.fromhex("00010800") + bytes(11)),
        (Tried("CheckIP6Header(OFFSET 14)"), Ether() / IPv6(version=4)),
        (Tried("CheckARPHeader(14)"), Ether() / ARP(plen=3)),
        (Tried("IPFragmenter(50)", "ip"), bytes(PACKET)[:90]),
        (Tried("IP6Fragmenter(100, SPLIT true)", "ip6"), bytes(PACKET6)[:-1]),
        (Tried("IPGWOptions(9.8.7.6)", "ip"), WRONG_ROUTE),
        (Tried("IPGWOptions(9.8.7.6)", "ip"), WRONG_ROUTE[:24]),
        *((Tried(text), bytes(60)) for text in ("StoreIPAddress(1.2.3.4, src)", "StripToNetworkHeader")),
        *((Tried(text, before="Strip(41)"), bytes(60)) for text in ("ForceIP", "CheckGREHeader(OFFSET 16)")),
        *((Tried(text, before="Truncate(11)"), bytes(60)) for text in ("EtherMirror", "VLANEncap(5)", "WifiEncap(0)")),
        (Tried("StripEtherVLANHeader", before="Truncate(13)"), bytes(60)),
        *((Tried(text, before="Truncate(17)"), TAGGED) for text in ("VLANDecap", "StripEtherVLANHeader")),
        (Tried("StripGREHeader"), bytes.fromhex("b0000800") + bytes(11)),
        *((Tried(f"IPsecDES(0, {DES})"), bytes(length)) for length in (27, 33)),
        *((Tried(f"IPsecAES(0, {AES})"), bytes(length)) for length in (27, 40)),
        *((Tried(f"IPsecAES(0, {AES}, 0, BLOCK 16)"), bytes(length)) for length in (23, 32)),
        (Tried(f"IPsecAES(0, {AES}, 0)"), bytes(24)),
    ],
}  # fmt: skip
ROWS = [(reason, tried, packet) for reason, rows in DROPPED.items() for tried, packet in rows]


def test_what_has_nowhere_to_go(router):
    r = router(beside(tried for _, tried, _ in ROWS))
    for number, (_, tried, packet) in enumerate(ROWS):
        r.send(f"in{number}", tried.frame(packet))
    r.expect_nothing()
    found = [(tried.element, reason, r.dropped(f"x{number}", reason)) for number, (reason, tried, _) in enumerate(ROWS)]
    assert found == [(tried.element, reason, 1) for reason, tried, _ in ROWS]
    counted = [number for number, (reason, _, _) in enumerate(ROWS) if reason in ("EXPIRED", "FILTERED", "BAD_CHECKSUM")]
    assert [r.read(f"x{number}.drops").strip() for number in counted] == ["1"] * len(counted)
