"""FromNetmapDevice and ToNetmapDevice: FastClick's configurations, on the kernel's devices."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.compile import check_text
from clickbpf.testing.reach import Reach
from clickbpf.vocabulary.library import Library

FRAME = bytes(Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP() / UDP())

#: What is too short for a device to send.
PUNTS = [Reach("ToNetmapDevice(netmap:eth0)", noutputs=0, headers="ethernet", before="Strip(60)")]


@pytest.mark.parametrize(
    "text",
    [
        "FromNetmapDevice(netmap:eth0) -> ToNetmapDevice(netmap:eth1)",
        "FromNetmapDevice(eth0, 0, true, N_QUEUES 2, KEEPHAND true, BURST 64) -> ToNetmapDevice(eth1, 3, IQUEUE 1024, BLOCKING true)",
        "FromNetmapDevice(netmap:eth0, MAXTHREADS 2, PROMISC true) -> Queue -> ToNetmapDevice(netmap:eth1, BURST 64)",
    ],
)
def test_what_drives_netmap_is_accepted(text):
    check_text(text, Library.standard())


@pytest.mark.parametrize("way", ["", "Queue ->"], ids=["push", "pull"])
def test_packets_come_and_go(router, way):
    """`netmap:` is no part of a device's name."""
    running = router(f"in :: FromNetmapDevice(netmap:eth0) -> {way} out :: ToNetmapDevice(netmap:eth1)")
    for _ in range(3):
        running.forwards("eth0", FRAME, "eth1")
    assert [running.read(f"{element}.count") for element in ("in", "out")] == ["3"] * 2
    running.write("out.reset_counts", "")
    assert [running.read("in.count"), running.read("out.count"), running.read("out.dropped")] == ["3", "0", "0"]


def test_frame_that_no_device_sends(router):
    running = router("FromNetmapDevice(eth0) -> Strip(40) -> out :: ToNetmapDevice(eth1)")
    running.send("eth0", FRAME)
    assert (running.read("out.dropped"), running.read("out.count")) == ("1", "0")


def test_packets_that_were_sent_go_on(router):
    ends = "out -> sent :: Counter -> Discard; out[1] -> bad :: Counter -> Discard"
    running = router(f"FromNetmapDevice(eth0) -> out :: ToNetmapDevice(eth1); {ends}")
    running.forwards("eth0", FRAME, "eth1")
    running.send("eth0", FRAME[:10])
    assert (running.read("sent.count"), running.read("bad.count")) == ("1", "1")


MISTAKES = {
    "FromNetmapDevice(netmap:eth0, VLAN_STRIP true) -> Discard": "VLAN_STRIP isn't supported",
    "FromNetmapDevice(netmap:eth0, 1) -> Discard": "all queues of the device are used",
}
