"""AnonymizeIPAddr, EraseIPPayload and StoreTimestamp: what else is done to traces."""

import itertools
import random

from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.packet import Raw
from tests.elements.running import ran, running

WITH_HEADER = "FromDevice(a) -> Strip(14) -> MarkIPHeader"


def sent_through(element: str, packets) -> list[bytes]:
    text = f"{WITH_HEADER} -> x :: {element} -> Unstrip(14) -> Queue(10000) -> ToDevice(a);"
    with running(text) as router:
        for packet in packets:
            router.inject("a", bytes(14) + bytes(packet), settle=False)
        router.settle()
        return [frame[14:] for frame in router.collect("a")]


def common_bits(one: int, other: int) -> int:
    return 32 - (one ^ other).bit_length()


def anonymised(element: str, addresses) -> dict[int, int]:
    packets = [IP(src=".".join(map(str, address.to_bytes(4))), dst="255.255.255.255") / b"" for address in addresses]
    found = sent_through(element, packets)
    assert all(packet[16:20] == b"\xff" * 4 for packet in found)
    return {address: int.from_bytes(packet[12:16]) for address, packet in zip(addresses, found)}


RANDOM = random.Random(7)
ADDRESSES = [0, *(RANDOM.getrandbits(32) for _ in range(60))]
ADDRESSES += [address ^ 1 << bit for address, bit in zip(ADDRESSES[1:], range(32))]


def test_prefixes_stay_prefixes():
    names = anonymised("AnonymizeIPAddr", ADDRESSES)
    assert names[0] == 0
    del names[0]
    assert len(set(names.values())) == len(names)
    assert sum(names[address] != address for address in names) > 80
    for one, other in itertools.combinations(names, 2):
        assert common_bits(names[one], names[other]) == common_bits(one, other)


def test_classes_and_networks_stay():
    names = anonymised("AnonymizeIPAddr(CLASS 3, PRESERVE_8 18 200)", [18 << 24 | 5, 19 << 24 | 5, 200 << 24 | 9, *ADDRESSES[1:]])

    def leading_ones(address: int) -> int:
        return min(3, 32 - (address ^ 0xFFFFFFFF).bit_length())

    assert [names[address] >> 24 for address in list(names)[:3]] == [18, 19, 200]
    assert all(leading_ones(address) == leading_ones(name) for address, name in names.items())


def test_checksums_stay_right_and_quoted_headers_change():
    inner = IP(src="1.2.3.4", dst="5.6.7.8") / UDP(sport=1, dport=2)
    error = IP(src="9.9.9.9", dst="1.2.3.4") / ICMP(type=3, code=1) / Raw(bytes(inner))
    plain = IP(src="5.6.7.8", dst="1.2.3.4") / UDP(sport=1, dport=2)
    seen, other = map(IP, sent_through("AnonymizeIPAddr", [error, plain]))
    quoted = IP(bytes(seen[ICMP].payload))
    assert (quoted.dst, quoted.src) == (other.src, other.dst) != ("5.6.7.8", "1.2.3.4")
    for packet in (seen, other):
        again = IP(bytes(packet))
        del again.chksum
        if ICMP in again:
            del again[ICMP].chksum
        assert IP(bytes(again)).chksum == packet.chksum
        assert ICMP not in packet or IP(bytes(again))[ICMP].chksum == packet[ICMP].chksum


def test_a_handler_of_its_own():
    """CLICK_LLRPC_MAP_IPADDRESS, number 7: an address for an address."""
    with running(f"{WITH_HEADER} -> x :: AnonymizeIPAddr -> Discard;") as router:
        address = bytes([10, 0, 0, 1])
        found = router.handlers.llrpc("x", 7, address)
        assert found != address and router.handlers.llrpc("x", 7, address) == found


def test_payloads_are_erased():
    packets = [IP() / TCP(options=[("MSS", 1400)]) / b"secret", IP() / UDP() / b"secret", IP() / ICMP() / b"ping", IP(proto=47) / b"other"]
    tcp, udp, icmp = sent_through("EraseIPPayload", packets)
    assert (tcp[44:], tcp[36:38]) == (bytes(6), bytes(2)) and tcp[:36] == bytes(packets[0])[:36]
    assert (udp[28:], udp[26:28]) == (bytes(6), bytes(2)) and len(udp) == len(packets[1])
    assert icmp == bytes(packets[2])


def test_timestamps_are_stored(tmp_path):
    source = 'FromIPSummaryDump(DATA "!data timestamp proto payload\n1.000000002 U xy") -> t :: Tee;'
    ends = ("t[0] -> StoreTimestamp(28)", "t[1] -> StoreTimestamp(TAIL true)")
    text = source + "".join(
        f"{end} -> ToIPSummaryDump({tmp_path}/{i}, HEADER false, FIELDS wire_len payload);" for i, end in enumerate(ends)
    )
    ran(text)
    # Both are cut off where the IP header says that the packet ends: after two bytes.
    stored = (1_000_000_002).to_bytes(8, "little")
    assert (tmp_path / "0").read_text().split()[0] == "36" and f'"\\{stored[0]:03o}\\{stored[1]:03o}"' in (tmp_path / "0").read_text()
    assert (tmp_path / "1").read_text() == '38 "xy"\n'
