"""DecIPTTL: RFC 1812, 5.3.1, with checksums updated by RFC 1624."""

from scapy.layers.inet import ICMP, IP

from clickbpf.testing.cases import Case


def packet(**fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", **fields}) / ICMP()


def test_every_ttl(element):
    dec = element("DecIPTTL", noutputs=2, headers="ip")
    for ttl in range(256):
        dec.send(packet(ttl=ttl))
        if ttl <= 1:
            dec.expect(1, packet(ttl=ttl))
        else:
            dec.expect(0, packet(ttl=ttl - 1))
    assert dec.read("drops") == "2"


def test_every_checksum(element):
    """HC' = ~(~HC + ~m + m') in ones' complement, m the word of TTL and protocol: right or wrong, it is updated."""
    dec = element("DecIPTTL", headers="ip")
    for old in (*range(0, 0x10000, 251), 0xFFFF, 0xFEFF, 0xFEFE, 0x0100):
        before, after = 64 << 8 | 1, 63 << 8 | 1
        new = (~old & 0xFFFF) + (~before & 0xFFFF) + after
        new = ~((new & 0xFFFF) + (new >> 16)) & 0xFFFF
        dec.gives(packet(chksum=old), packet(ttl=63, chksum=new))


def test_multicast_can_be_left_alone(element):
    dec = element("DecIPTTL(MULTICAST false)", headers="ip")
    for destination, new in (("224.0.0.1", 9), ("239.255.255.255", 9), ("223.255.255.255", 8), ("240.0.0.1", 8)):
        dec.gives(packet(dst=destination, ttl=9), packet(dst=destination, ttl=new))


CASES = [
    Case(f"DecIPTTL({arguments})", noutputs=2, headers="ip-in-ethernet", packets=2000, handlers=["x.*"])
    for arguments in ["", "MULTICAST false"]
]
