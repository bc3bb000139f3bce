"""The runtime on AF_XDP sockets of real (veth) devices, after the kernel path."""

import json
import socket
import struct
import time
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.load.tagging import TAG, tag_what_is_sent
from tests.waiting import eventually, received, standing_still

from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel.fds import Map
from clickbpf.load.process.service import alive
from clickbpf.testing.router import Router
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip")

#: Everything after the first Queue runs in the runtime: what arrives crosses, what leaves is sent by AF_XDP.
THROUGH = "FromDevice(eth0) -> Queue -> u :: Unqueue(BURST 8) -> Queue -> ToDevice(eth1);"

HOST = "02:00:00:00:00:09"


def frame(number: int, length: int = 60) -> bytes:
    return bytes.fromhex("020000000002020000000001") + b"\x90\x00" + number.to_bytes(4, "big") + bytes(length - 18)


@pytest.fixture(scope="module")
def router():
    """One for all that only send through it."""
    with Router(THROUGH, "live") as made:
        yield made


def test_frames_of_all_lengths_cross_and_leave_unchanged_in_order(router):
    frames = [frame(i, length) for i, length in enumerate((18, 60, 61, 1000, 1513, 1514))]
    for sent in frames:
        router.send("eth0", sent)
    for sent in frames:
        router.expect("eth1", sent)
    router.expect_nothing()


def test_a_burst_larger_than_the_rings_of_one_call_arrives(router):
    """Copy mode sends some 32 frames a system call: the runtime has to go on by itself."""
    port, wire = router.executor._wires["eth0"], router.executor._wires["eth1"]
    before = int(router.executor.read("u.count"))
    for number in range(300):
        port.send(frame(number))
    assert numbers(wire, 300) == list(range(300))
    assert int(router.executor.read("u.count")) == before + 300


def numbers(wire, count: int) -> list[int]:
    """The numbers of this many frames, and of those that come after them."""
    return [int.from_bytes(found[14:18], "big") for found in received(wire, lambda frames: len(frames) >= count)]


@pytest.mark.whole
def test_threads_share_the_work():
    """Queues of two devices and the tasks after them, on threads of their own; their ways meet."""
    text = """
        q :: Queue(10000) -> u :: Unqueue(BURST 8) -> c :: Counter -> out :: Queue(10000) -> ToDevice(eth2);
        FromDevice(eth0) -> n0 :: Null -> q;
        FromDevice(eth1) -> n1 :: Null -> q;
        StaticThreadSched(u 2);
    """
    with Router(text, "live", threads=4, user=frozenset({"n0", "n1"})) as router:
        wires = router.executor._wires
        for number in range(500):
            wires["eth0"].send(frame(number))
            wires["eth1"].send(frame(500 + number))
        arrived = numbers(wires["eth2"], 1000)
        assert sorted(arrived) == list(range(1000))
        for device in (0, 1):
            own = [number for number in arrived if number // 500 == device]
            assert own == sorted(own), "packets of one device stay in order"
        assert router.read("c.count") == "1000"
        assert eventually(lambda: ticks_in_a_second(router) <= 5), "and then they sleep"


def test_idle_router_uses_no_cpu(router):
    router.send("eth0", frame(1))
    router.expect("eth1", frame(1))
    assert eventually(lambda: ticks_in_a_second(router) <= 5), "of some hundred"


def ticks_in_a_second(router: Router) -> int:
    process = f"/proc/{alive(RunFolder.of(router.executor._router))}/stat"
    before = cpu_ticks(process)
    time.sleep(1)
    return cpu_ticks(process) - before


def cpu_ticks(process: str) -> int:
    """Clock ticks that a process has used, in user and kernel mode (proc(5))."""
    fields = Path(process).read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_packets_for_linux_come_up_as_if_received():
    """ToHost after a Queue: the runtime gives the packet to Linux."""
    with Router("FromDevice(eth0) -> Queue -> Unqueue -> ToHost;", "live") as router:
        router.send("eth0", frame(5))
        router.expect_host(frame(5))


def test_tags_in_metadata_come_into_the_frame(tmp_path):
    """The runtime sees them by AF_XDP, and sends them."""
    text = "FromDevice(eth0) -> c :: Classifier(12/8100, -) -> Queue -> ToDevice(eth1); c[1] -> d :: Discard;"
    with Router(text, "live", user=frozenset({"c"})) as router:
        tag_what_is_sent(router.executor._wires["eth0"].namespace, "eth0", tmp_path)
        sent = frame(7)[:12] + b"\x90\x00" + bytes(46)
        router.send("eth0", sent)
        router.expect("eth1", sent[:12] + TAG + sent[12:])
        assert router.dropped("d") == 0


@pytest.mark.whole
def test_a_flood_that_the_runtime_does_not_take_is_counted_to_the_last_frame():
    """The runtime stands still at first, so that there is no room for some. What the veth device refuses it counts itself."""
    flood, behind = 100_000, 20_000
    with Router("FromDevice(eth0) -> c :: Counter -> d :: Discard;", "live", user=frozenset({"c"})) as router:
        process = alive(RunFolder.of(router.executor._router))
        wire = router.executor._wires["eth0"]
        refused = refused_by(wire)
        with standing_still(process):
            for number in range(behind):
                wire.send(frame(number))
            early = behind - (refused_by(wire) - refused)
        for number in range(behind, flood):
            wire.send(frame(number))
        arrived = flood - (refused_by(wire) - refused)
        eventually(lambda: counted(router) == arrived)
        assert counted(router) == arrived
        meant, refused = router.dropped("c", "OVERRUN"), router.dropped("FromDevice@1", "OVERRUN")
        assert meant + refused >= early - 2048 - RING, "the socket has room for so many"
        assert meant > early - 2048 - 64 - RING, "the kernel path gave no more than that"
        assert router.dropped() == arrived, "in one total: those that Discard has taken, and those"
        assert router.read("c.drop_reasons") == f"{meant}\tOVERRUN\n"
        assert router.read("FromDevice@1.kernel_drops") == str(refused)


def test_what_the_socket_has_no_room_for_is_counted():
    """The kernel path believes that the runtime has begun another round, as often as it would hand over a socket's room of packets."""
    with Router("FromDevice(eth0) -> c :: Counter -> d :: Discard;", "live", user=frozenset({"c"})) as router:
        name = router.executor._router
        process, wire = alive(RunFolder.of(name)), router.executor._wires["eth0"]
        refused = refused_by(wire)
        with standing_still(process):
            with Map.pinned(Pins.of(name).map("handed")) as handed:
                for turn in range(3):
                    handed.memory()[:4] = struct.pack("=I", 1000 + turn)  # struct handed's round, of the first device's first queue
                    send_slowly(wire, [frame(number) for number in range(1800)])
            arrived = 3 * 1800 - (refused_by(wire) - refused)
        eventually(lambda: counted(router) == arrived)
        assert counted(router) == arrived
        assert router.dropped("FromDevice@1", "OVERRUN") > 500, "the socket's own losses"


#: Frames that a veth device has taken and the other end has not looked at yet, while the processor is another's.
RING = 256


def counted(router: Router) -> int:
    return int(router.read("c.count")) + sum(router.dropped(element) for element in ("c", "FromDevice@1"))


#: Errors for packets whose time is over, and answers to the router's own questions, come by one socket into user space.
ERRORS = """
    FromDevice(eth0) -> kind :: Classifier(12/0806 20/0002, 12/0800);
    arp :: ARPQuerier(10.0.0.1, 02:00:00:00:00:01) -> Queue -> ToDevice(eth0);
    kind[0] -> [1] arp;
    kind[1] -> Strip(14) -> CheckIPHeader -> ttl :: DecIPTTL -> Discard;
    ttl[1] -> error :: ICMPError(10.0.0.1, timeexceeded) -> GetIPAddress(16) -> arp;
"""


def test_a_flood_for_one_element_leaves_room_for_the_others():
    """Everything that the runtime's socket has room for comes while it stands still, and then an answer to an ARP query."""
    with Router(ERRORS, "live", user=frozenset({"error"})) as router:
        process = alive(RunFolder.of(router.executor._router))
        wire = router.executor._wires["eth0"]
        old = bytes(Ether(src=HOST, dst="02:00:00:00:00:01") / IP(src="10.0.0.9", dst="10.9.9.9", ttl=1) / UDP() / bytes(18))
        answer = ARP(op=2, hwsrc=HOST, psrc="10.0.0.9", hwdst="02:00:00:00:00:01", pdst="10.0.0.1")
        with standing_still(process):
            refused = refused_by(wire)
            send_slowly(wire, [old] * 5000)
            arrived = 5000 - (refused_by(wire) - refused)
            send_slowly(wire, [bytes(Ether(src=HOST, dst="02:00:00:00:00:01") / answer)] * 3)
        assert eventually(lambda: HOST.replace(":", "-") in router.read("arp.table")), "the answer was lost"
        assert router.dropped("error", "OVERRUN") >= arrived - 2048 > 0
        assert router.dropped("FromDevice@1") == 0


#: For an AF_PACKET socket: struct virtio_net_hdr comes before each packet, which the kernel then treats as TCP segments that it has joined.
PACKET_VNET_HDR, SOL_PACKET = 15, 263
SEGMENTS, EACH = 40, 1000


def joined(number: int) -> bytes:
    """Segments of a packet whose time is over."""
    ip = IP(src="10.0.0.9", dst="10.9.9.9", ttl=1)
    head = Ether(src=HOST, dst="02:00:00:00:00:01") / ip / TCP(seq=number * SEGMENTS * EACH, flags="A")
    said = struct.pack("=BBHHHH", 1, 1, 54, EACH, 34, 16)  # VIRTIO_NET_HDR_F_NEEDS_CSUM, VIRTIO_NET_HDR_GSO_TCPV4
    return said + bytes(head / bytes(SEGMENTS * EACH))


@pytest.mark.whole
def test_joined_segments_for_one_element_leave_room_for_the_others():
    """As above, on TC: each segment needs room of its own."""
    with Router(ERRORS, "live", user=frozenset({"error"}), hook="tc") as router:
        process = alive(RunFolder.of(router.executor._router))
        wire = router.executor._wires["eth0"]
        answer = ARP(op=2, hwsrc=HOST, psrc="10.0.0.9", hwdst="02:00:00:00:00:01", pdst="10.0.0.1")
        with standing_still(process):
            with wire.namespace.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender:
                sender.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
                for number in range(100):
                    sender.sendto(joined(number), (wire.device, 0))
                    time.sleep(0.002)
            send_slowly(wire, [bytes(Ether(src=HOST, dst="02:00:00:00:00:01") / answer)] * 3)
        assert eventually(lambda: HOST.replace(":", "-") in router.read("arp.table")), "the answer was lost"
        assert router.dropped("error", "OVERRUN") >= 100 * SEGMENTS - 2048


def send_slowly(wire: RawPort, packets: list[bytes]) -> None:
    """So that the veth device has room for them."""
    for number, packet in enumerate(packets):
        wire.send(packet)
        if number % 50 == 0:
            time.sleep(0.002)


def refused_by(wire: RawPort) -> int:
    """Frames that a device was given and did not send."""
    (link,) = json.loads(wire.namespace.ip("-j", "-s", "link", "show", "dev", wire.device))
    return link["stats64"]["tx"]["dropped"]
