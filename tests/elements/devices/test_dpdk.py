"""FromDPDKDevice and ToDPDKDevice: FastClick's configurations, on the kernel's devices."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

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


@pytest.mark.parametrize(
    "text, message",
    [
        ("FromDPDKDevice(0, RSS_AGGREGATE 1) -> Discard", "RSS_AGGREGATE isn't supported"),
        ("FromDPDKDevice(0, PAINT_QUEUE true) -> Discard", "PAINT_QUEUE isn't supported"),
        ("FromDPDKDevice(0, 3) -> Discard", "all queues of the device are used"),
        ("FromDPDKDevice(0, MODE flow, FLOW_RULES_FILE rules) -> Discard", "a device's own rules aren't supported"),
        ("FromDPDKDevice(0) -> Queue -> ToDPDKDevice(1)", "push"),
    ],
)
def test_what_would_change_packets_is_refused(refused_router, text, message):
    assert message in refused_router(text)


def test_packets_come_and_go(router):
    running = router("in :: FromDPDKDevice(0) -> out :: ToDPDKDevice(1)")
    for _ in range(3):
        running.send("0", FRAME)
        running.expect("1", FRAME)
    assert [running.read(f"{element}.{handler}") for element in ("in", "out") for handler in ("count", "hw_count")] == ["3"] * 4
    running.write("out.reset_counts", "")
    assert [running.read("in.count"), running.read("out.count"), running.read("out.dropped")] == ["3", "0", "0"]


def test_frame_that_no_device_sends(router):
    running = router("FromDPDKDevice(0) -> Strip(40) -> out :: ToDPDKDevice(1)")
    running.send("0", FRAME)
    assert (running.dropped("out"), running.read("out.dropped"), running.read("out.count")) == (1, "1", "0")
