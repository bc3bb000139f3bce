"""CheckIP6Header: valid headers (RFC 8200, 3; RFC 4291, 2.5.3 and 2.7), and where packets with bad ones go."""

from ipaddress import IPv6Address

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from tests.elements.ip6.packets import chained
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x86\xdd"
DST = "2001:db8:1::2"
REASONS = ("tiny packet", "bad IP version", "bad IP length", "bad source address", "bad destination address")


def changed(**fields) -> bytes:
    return bytes(IPv6(**{"src": "2001:db8::2", "dst": DST, **fields}) / UDP() / bytes(20))


#: Packet -> the reason why it is bad.
BAD = {
    b"": "tiny packet",
    changed()[:39]: "tiny packet",
    changed(version=4): "bad IP version",
    changed(plen=29): "bad IP length",
    changed(plen=65535): "bad IP length",
    changed(src="ff02::1"): "bad source address",
    changed(src="::1"): "bad source address",
    changed(src="ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"): "bad source address",
    changed(dst="::1"): "bad destination address",
}


def words(address: str) -> bytes:
    return IPv6Address(address).packed


def test_a_good_packet_is_marked_and_trimmed(element, chain):
    put, length = chain
    check = element("CheckIP6Header(OFFSET 14)", noutputs=2)
    packet = bytes(put(IPv6(src="2001:db8::2", dst=DST), UDP() / b"data"))
    seen = check.gives(LINK + packet + bytes(11), LINK + packet)
    assert (seen.carried.network, seen.carried.transport) == (14, 54 + length)
    assert seen.carried.annotations[:16] == words(DST)
    assert check.read("drops") == "0"


def test_bad_packets_leave_unchanged_by_the_other_output(element):
    check = element("CheckIP6Header(DETAILS true)", noutputs=2, before="Strip(14)")
    for packet in BAD:
        check.send(LINK + packet)
        assert check.expect(1, packet).carried.network is None
    counts = {reason: sum(why == reason for why in BAD.values()) for reason in REASONS}
    assert check.read("drop_details") == "".join(f"{count}\t{reason}\n" for reason, count in counts.items())
    assert check.read("drops") == str(len(BAD))


def test_a_chain_that_is_cut_off_is_no_mistake(element):
    check = element("CheckIP6Header", before="Strip(14)")
    packet = bytearray(chained(2, b"", 17))
    packet[41] = 200
    check.send(LINK + bytes(packet))
    assert check.expect(0, bytes(packet)).carried.transport == 40 + 8 * 201


TRIALS = {
    "sources that may be": [
        Trial("CheckIP6Header(3ffe:1ce1:2:0:200::ffff 2001:db8::9)", noutputs=2, before="Strip(14)")
            .gives(LINK + changed(src=source), changed(src=source))
            .each((LINK + changed(src=bad), changed(src=bad), 1) for bad in ("2001:db8::9", "3ffe:1ce1:2:0:200::ffff"))
        for source in ["::", "fe80::1", "::ffff:1.2.3.4", "fc00::1"]
    ],
    # 8 extension headers, whatever the packet has; it is good all the same.
    "a long chain is walked to the bound": [
        Trial("CheckIP6Header", before="Strip(14)").gives(LINK + chained(headers, bytes(UDP() / b"x"), 17), transport=found)
        for headers, found in [(7, 40 + 56), (8, 40 + 64), (9, 40 + 64), (30, 40 + 64)]
    ],
}

CASES = [
    Case(f"CheckIP6Header({arguments})", noutputs=2, before="Strip(14)", mix=IPV6)
    for arguments in ["", "2001:db8::1, DETAILS true", "OFFSET 2"]
]

PUNTS = [Reach("CheckIP6Header(VERBOSE true)", before="Strip(14)")]
