"""FromDPDKDevice and ToDPDKDevice: FastClick's configurations, on the kernel's devices."""

import pytest
from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether

from clickbpf.compile import check_text
from clickbpf.testing.reach import Reach
from clickbpf.vocabulary.library import Library

FRAME = bytes(Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP() / UDP())

#: What is too short for a device to send.
PUNTS = [Reach("ToDPDKDevice(0)", noutputs=0, headers="ethernet", before="Strip(60)")]

#: As FastClick's users write them.
ACCEPTED = [
    "FromDPDKDevice(0, PROMISC true, VERBOSE 99) -> ToDPDKDevice(1, BLOCKING true, NDESC 512)",
    "FromDPDKDevice(0000:03:00.0, MAXTHREADS 4, NUMA false, PAUSE none, TIMESTAMP false) -> ToDPDKDevice(1, 0, IQUEUE 1024)",
    "DPDKInfo(NB_MBUF 1048576, MBUF_SIZE 4096); FromDPDKDevice(0, 0, N_QUEUES -1, SCALE parallel, RSS_AGGREGATE false) -> Discard",
    "FromDPDKDevice(0, MAC 02:00:00:00:00:01, MTU 9000, MINTHREADS 1, BURST 32) -> ToDPDKDevice(0, TIMEOUT -1, ALLOC true, TCO 0)",
    "FromDPDKDevice(0, MINQUEUES 1, FLOW_ISOLATE false, MODE rss, PAUSE full) -> ToDPDKDevice(0, 1, IPCO true, TCO true, UCO 1, TSO true)",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_drives_dpdk_is_accepted(text):
    check_text(text, Library.standard())


def test_packets_come_and_go(router):
    running = router("in :: FromDPDKDevice(0) -> out :: ToDPDKDevice(1)")
    for _ in range(3):
        running.forwards("0", FRAME, "1")
    assert [running.read(f"{element}.{handler}") for element in ("in", "out") for handler in ("count", "hw_count")] == ["3"] * 4
    running.write("out.reset_counts", "")
    assert [running.read("in.count"), running.read("out.count"), running.read("out.dropped")] == ["3", "0", "0"]


#: The table in Microsoft's "Verifying the RSS Hash Calculation": source, port, destination, port, hash of the addresses, hash with ports.
KNOWN = [
    ("66.9.149.187", 2794, "161.142.100.80", 1766, 0x323E8FC2, 0x51CCC178),
    ("199.92.111.2", 14230, "65.69.140.83", 4739, 0xD718262A, 0xC626B0EA),
    ("24.19.198.95", 12898, "12.22.207.184", 38024, 0xD2D0A5DE, 0x5C2B394A),
    ("38.27.205.30", 48228, "209.142.163.6", 2217, 0x82989176, 0xAFC7327F),
    ("153.39.163.191", 44251, "202.188.127.2", 1303, 0x5D1809C5, 0x10E828A2),
    ("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, 0x2CC18CD5, 0x40207D3D),
    ("3ffe:501:8::260:97ff:fe40:efab", 14230, "ff02::1", 4739, 0x0F0C461C, 0xDDE51BBF),
    ("3ffe:1900:4545:3:200:f8ff:fe21:67cf", 44251, "fe80::200:f8ff:fe21:67cf", 38024, 0x4B61E985, 0x02D1FEEF),
]
#: The annotation, in the machine's byte order, takes the place of the destination.
SHOWING = "".join(f" -> StoreAnno({byte}, {20 + byte})" for byte in range(4))


def hashes(frames: list[Ether | bytes], router) -> list[int]:
    running = router(f"FromDPDKDevice(0, RSS_AGGREGATE true) {SHOWING} -> ToDPDKDevice(1)")
    found = []
    for frame in frames:
        running.send("0", frame)
        found.append(int.from_bytes(bytes(running.expect("1"))[:4], "little"))
    return found


def test_the_hash_of_receive_side_scaling(router):
    frames, expected = [], []
    for source, sport, destination, dport, addresses, ports in KNOWN:
        ip = (IPv6 if ":" in source else IP)(src=source, dst=destination)
        ether = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02")
        frames += [ether / ip / TCP(sport=sport, dport=dport), ether / ip / UDP(sport=sport, dport=dport), ether / ip / b"no ports"]
        expected += [ports, ports, addresses]
    assert hashes(frames, router) == expected


def test_what_has_no_ports_or_no_hash(router):
    source, sport, destination, dport, addresses, ports = KNOWN[0]
    header = {"src": source, "dst": destination}
    ether, udp = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02"), UDP(sport=sport, dport=dport)
    fragments = [ether / IP(**header, flags="MF") / udp, ether / IP(**header, frag=5) / udp]
    assert hashes(fragments, router) == [addresses] * 2
    assert hashes([ether / IP(**header, options=[IPOption_NOP()] * 4) / udp], router) == [ports]
    others = [ether / Dot1Q() / IP(**header) / udp, ether / ARP(), bytes(ether / IP(**header) / udp)[:30]]
    assert hashes(others, router) == [0] * 3


def test_frame_that_no_device_sends(router):
    running = router("FromDPDKDevice(0) -> Strip(40) -> out :: ToDPDKDevice(1)")
    running.send("0", FRAME)
    assert (running.dropped("out"), running.read("out.dropped"), running.read("out.count")) == (1, "1", "0")


MISTAKES = {
    "FromDPDKDevice(0, PAINT_QUEUE true) -> Discard": "PAINT_QUEUE isn't supported",
    "FromDPDKDevice(0, 3) -> Discard": "all queues of the device are used",
    "FromDPDKDevice(0, MODE flow, FLOW_RULES_FILE rules) -> Discard": "a device's own rules aren't supported",
    "FromDPDKDevice(0) -> Queue -> ToDPDKDevice(1)": "push",
}
