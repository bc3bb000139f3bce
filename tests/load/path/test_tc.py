"""Routers on TC, between hosts whose offloads are on as Linux sets them: by TCX links, and by classifiers where the kernel has none."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw
from tests import commands
from tests.load.flooding import numbered
from tests.load.lan import NAME, Lan, is_late, transfer
from tests.waiting import eventually, received

from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "tc", "bpftool")

ROUTER = Path(__file__).parents[3] / "configs" / "iprouter.click"


def features(host: Namespace) -> str:
    return host.run("ethtool", "-k", "eth0").stdout


@pytest.mark.whole
def test_tcp_arrives_whole_with_all_offloads_on(lan: Lan) -> None:
    before, offloads = lan.traces(), features(lan.left)
    lan.load(str(ROUTER), "ADVERTISE=false", "MTU0=1500", "MTU1=1500")
    assert features(lan.left) == offloads and "tcp-segmentation-offload: on" in offloads and "tx-checksumming: on" in offloads
    assert ping(lan.left, "10.0.1.2", 2) == 2
    counted = lan.read("in0.count")
    transfer(lan.left, lan.right, "10.0.1.2", 32 << 20)
    transfer(lan.right, lan.left, "10.0.0.2", 32 << 20)
    assert lan.read("in0.count") - counted >= (32 << 20) // 1460, "each segment is counted"
    assert "nothing was dropped" in lan.command("drops", NAME).stdout
    lan.unload()
    assert lan.traces() == before


#: Its own addresses are Linux's; it knows the hosts, and tells them of packets whose time is over.
ROUTED = """
rt :: StaticIPLookup(10.0.0.1/32 0, 10.0.1.1/32 0, 10.0.0.0/24 1, 10.0.1.0/24 2);
FromDevice(eth0) -> c0 :: Classifier(12/0800, -) -> ip :: Strip(14) -> CheckIPHeader -> rt;
FromDevice(eth1) -> c1 :: Classifier(12/0800, -) -> ip;
c0[1] -> host :: ToHost; c1[1] -> host;
rt[0] -> Unstrip(14) -> host;
rt[1] -> dt0 :: DecIPTTL -> EtherEncap(0x0800, 02:00:00:00:00:10, 02:00:00:00:00:02) -> Queue -> ToDevice(eth0);
rt[2] -> dt1 :: DecIPTTL -> EtherEncap(0x0800, 02:00:00:00:01:10, 02:00:00:00:01:02) -> Queue -> ToDevice(eth1);
dt0[1] -> error :: ICMPError(10.0.0.1, timeexceeded) -> rt; dt1[1] -> error;
"""


def test_linux_answers_for_the_router_and_the_runtime_reports_errors(lan: Lan) -> None:
    lan.load("-e", ROUTED)
    assert ping(lan.left, "10.0.0.1", 3) == 3
    assert ping(lan.right, "10.0.1.1", 3) == 3
    with RawPort(lan.left, "eth0") as wire:
        lan.left.run("ping", "-n", "-c1", "-W1", "-t1", "10.0.1.2", check=False)
        frames = received(wire, lambda frames: any(map(is_late, frames)))
    (error,) = map(Ether, filter(is_late, frames))
    assert error[IP].src == "10.0.0.1"
    assert ping(lan.left, "10.0.1.2", 1, size=4000) == 1, "fragments pass"


#: Classes that don't bear offloads, before which all segments have to be such, with checksums that are right.
CHECKING = """
FromDevice(eth0) -> c0 :: Classifier(12/0800, -) -> MarkIPHeader(14) -> ck0 :: CheckTCPHeader -> q1 :: Queue -> ToDevice(eth1);
FromDevice(eth1) -> c1 :: Classifier(12/0800, -) -> MarkIPHeader(14) -> ck1 :: CheckTCPHeader -> q0 :: Queue -> ToDevice(eth0);
c0[1] -> q1; c1[1] -> q0;
"""


@pytest.mark.whole
def test_what_checks_checksums_sees_right_ones(lan_by_tcx: Lan) -> None:
    lan = lan_by_tcx
    lan.one_network()
    lan.load("-e", CHECKING)
    transfer(lan.left, lan.right, "10.0.0.3", 1 << 20)
    assert lan.read("ck0.drops") == lan.read("ck1.drops") == 0


#: A cable, with a mirror that changes addresses, and one more copy that makes the packet itself go on there.
MIRROR = """
FromDevice(eth0) -> t :: Tee(3); t[0] -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);
t[1] -> EtherRewrite(02:00:00:00:0c:01, 02:00:00:00:0c:02) -> tapped :: Counter -> Queue -> ToDevice(eth2);
t[2] -> Strip(14) -> d :: Discard;
"""


def test_tcp_arrives_whole_beside_copies_that_are_changed(lan: Lan) -> None:
    """In joined segments, at the egress of the mirror's device; without TCX the runtime makes the copies."""
    lan.one_network()
    lan.net.veth(lan.router, "eth2", lan.right, "tap")
    lan.load("-e", MIRROR)
    with RawPort(lan.right, "tap") as tap:
        transfer(lan.left, lan.right, "10.0.0.3", 2 << 20)
        transfer(lan.right, lan.left, "10.0.0.2", 2 << 20)
        mirrored = []
        while (frame := tap.receive(0.3)) is not None:
            mirrored += [frame] if frame[6:12] == bytes.fromhex("020000000c01") else []
    assert {frame[:6] for frame in mirrored} == {bytes.fromhex("020000000c02")}
    assert sum(len(frame) for frame in mirrored) > 2 << 20
    assert [line.split()[0] for line in lan.command("drops", NAME).stdout.splitlines() if line] == ["ELEMENT", "d", "all"]


@pytest.mark.whole
@pytest.mark.parametrize("text, off", [("", ()), (CHECKING, ("tx", "tso", "gso", "gro"))], ids=["joined segments", "whole frames"])
def test_tcp_arrives_whole_in_jumbo_frames(lan_by_tcx: Lan, text: str, off: tuple[str, ...]) -> None:
    """Also where each frame is by itself, with a checksum of all of its bytes, which the kernel path computes."""
    lan, text = lan_by_tcx, text or CABLE.format("Counter")
    lan.one_network()
    for host, device in ((lan.left, "eth0"), (lan.right, "eth0"), (lan.router, "eth0"), (lan.router, "eth1")):
        host.ip("link", "set", device, "mtu", "9000")
        for feature in off:
            host.run("ethtool", "-K", device, feature, "off")
    lan.load("-e", text)
    sent = int(lan.router.run("cat", "/sys/class/net/eth0/statistics/rx_packets").stdout)
    transfer(lan.left, lan.right, "10.0.0.3", 8 << 20)
    transfer(lan.right, lan.left, "10.0.0.2", 8 << 20)
    sent = int(lan.router.run("cat", "/sys/class/net/eth0/statistics/rx_packets").stdout) - sent
    assert sent < 2 * (8 << 20) // 1460, "frames are long"
    assert "nothing was dropped" in lan.command("drops", NAME).stdout


def ours(frames: list[bytes]) -> list[bytes]:
    return [frame for frame in frames if frame[:6] == bytes.fromhex("020000000099")]


@pytest.mark.whole
@pytest.mark.parametrize("how", ["Strip(20)", "Truncate(36)", "Strip(4) -> Truncate(40)"])
def test_small_frames_get_another_start_and_end(lan_by_tcx: Lan, how: str) -> None:
    """Of a tunnelled packet Linux takes the inner transport header, which is byte 54 of the frame, for that of the frame."""
    lan, tunnel = lan_by_tcx, IP(src="192.0.2.1", dst="192.0.2.2") / IP(src="10.9.0.1", dst="10.9.0.2")
    lan.load("-e", f"FromDevice(eth0) -> {how} -> Queue -> ToDevice(eth1)")
    sent = [
        bytes(Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / packet)
        for length in (0, 7, 8, 30, 900)
        for packet in (tunnel / UDP() / Raw(bytes(range(1, 1 + length % 250))), Dot1Q(vlan=5) / tunnel / UDP() / Raw(bytes(length)))
    ]
    sent.append(bytes(Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02", type=0x88B5)) + bytes(range(100)))
    with RawPort(lan.left, "eth0") as left, RawPort(lan.right, "eth0") as right:
        for frame in sent:
            left.send(frame)
        found = received(right, lambda frames: len(frames) >= len(sent))
    first, last = {"Strip(20)": (20, None), "Truncate(36)": (0, 36), "Strip(4) -> Truncate(40)": (4, 44)}[how]
    assert sorted(found) == sorted(frame[first:last] for frame in sent)


def test_tags_cross(lan_by_tcx: Lan) -> None:
    lan_by_tcx.load("-e", "FromDevice(eth0) -> Counter -> Queue -> ToDevice(eth1);")
    frames = [
        bytes(Ether(dst="02:00:00:00:00:99", src="02:00:00:00:00:02") / tags / IP(dst="10.9.9.9") / b"text")
        for tags in (Dot1Q(vlan=7, prio=5), Dot1Q(vlan=7, type=0x8100) / Dot1Q(vlan=8), Raw())
    ]
    with RawPort(lan_by_tcx.left, "eth0") as left, RawPort(lan_by_tcx.right, "eth0") as right:
        for frame in frames:
            left.send(frame)
        arrived = received(right, lambda seen: len(ours(seen)) >= len(frames))
    assert ours(arrived) == frames


def answered(frame: bytes) -> str | None:
    """Whom an ICMP message is for."""
    return packet[IP].dst if ICMP in (packet := Ether(frame)) else None


#: <asm-generic/socket.h>, since Linux 5.19.
SO_RCVMARK = 75


def listening_for_marks() -> socket.socket:
    """A socket of all ICMP messages, which hears their marks (SO_RCVMARK), too."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    opened.settimeout(60)
    opened.setsockopt(socket.SOL_SOCKET, SO_RCVMARK, 1)
    return opened


@pytest.mark.parametrize(
    "change, head",
    [
        ("VLANDecap", Ether(dst="02:00:00:00:00:10") / Dot1Q(vlan=7)),
        ("SetPacketType(HOST)", Ether(dst="02:00:00:00:00:99")),
    ],
    ids=["a tag less", "another address"],
)
def test_linux_reads_a_frame_again_that_was_changed(lan_by_tcx: Lan, change: str, head: Packet) -> None:
    """Frames are tagged for the router, which takes the tags away before it gives them to Linux; or they are for another host, for
    whom the router answers. The mark by which it knows them again is not for others."""
    lan_by_tcx.router.neighbour("eth0", "10.0.0.2", "02:00:00:00:00:02")
    lan_by_tcx.load("-e", f"FromDevice(eth0) -> {change} -> ToHost;")
    head.src = "02:00:00:00:00:02"
    with RawPort(lan_by_tcx.left, "eth0") as left, lan_by_tcx.router.call(listening_for_marks) as marks:
        left.send(bytes(head / IP(src="10.0.0.2", dst="10.0.0.1") / ICMP()))
        answers = received(left, lambda frames: any(map(answered, frames)))
        _, ((_, kind, mark),), _, _ = marks.recvmsg(2000, socket.CMSG_SPACE(4))
    assert [answer for frame in answers if (answer := answered(frame))] == ["10.0.0.2"]
    assert (kind, int.from_bytes(mark, sys.byteorder)) == (socket.SO_MARK, 0)


CABLE = """
in0 :: FromDevice(eth0) -> {} -> Queue -> ToDevice(eth1);
FromDevice(eth1) -> Queue -> ToDevice(eth0);
"""


@pytest.mark.whole
def test_replacing_loses_nothing(lan: Lan) -> None:
    """What the old router's programs have handed over, its runtime works off."""
    lan.load("-e", CABLE.format("c :: Counter"))
    with RawPort(lan.left, "eth0") as left, RawPort(lan.right, "eth0") as right:
        with numbered(left, lambda number: b"\x02\0\0\0\0\x99\x02\0\0\0\0\x02\x88\xb5" + number.to_bytes(4, "big") + bytes(46)) as sent:
            lan.load("--replace", "-e", CABLE.format("c :: Counter -> Paint(3)"))
            lan.load("--replace", "-e", CABLE.format("c :: Counter -> i :: Print(TEST, ACTIVE false)"))
            lan.load("--replace", "-e", CABLE.format("c :: Counter -> Paint(4)"))
        frames = received(right, lambda found: len(found) >= len(sent))
        arrived = [int.from_bytes(frame[14:18], "big") for frame in frames if frame[12:14] == b"\x88\xb5"]
    assert sorted(arrived) == sent


def test_a_device_that_is_left_out_is_left_alone(lan: Lan) -> None:
    before = lan.traces()
    lan.load("-e", CABLE.format("Counter"))
    lan.load("--replace", "-e", "FromDevice(eth1) -> Discard;")
    assert ping(lan.left, "10.0.0.1", 1) == 1, "Linux has eth0 again"
    lan.unload()
    assert lan.traces() == before


def test_without_a_runtime_its_packets_are_counted_drops(lan_by_tcx: Lan) -> None:
    lan = lan_by_tcx
    lan.load("-e", "FromDevice(eth0) -> p :: TimeRange -> Discard; FromDevice(eth1) -> Discard;")
    lan.command("write", "-r", NAME, "stop")
    assert eventually(lambda: "stopped" in lan.command("list").stdout)
    with RawPort(lan.left, "eth0") as left:
        left.send(bytes(60))
    assert eventually(lambda: re.search(r"\bp +TimeRange .* but none is listening", lan.command("drops", NAME).stdout))


def test_two_routers_on_a_device_are_refused(lan: Lan) -> None:
    lan.load("-e", "FromDevice(eth0) -> Discard;")
    done = lan.command("load", "-n", f"{NAME}-other", "--hook", "tc", "-e", "FromDevice(eth0) -> Discard;", check=False)
    assert done.returncode == 1
    assert f"eth0 is used by the router {NAME}" in done.stderr


def test_packets_for_a_device_that_is_gone_are_counted_drops(lan_by_tcx: Lan) -> None:
    """Some seconds after it has gone."""
    lan = lan_by_tcx
    lan.load("-e", "FromDevice(eth0) -> Queue -> out :: ToDevice(eth1); FromDevice(eth1) -> Discard;")
    lan.router.ip("link", "delete", "eth1")
    with RawPort(lan.left, "eth0") as left:

        def are_counted() -> bool:
            left.send(bytes(60))
            return "out      ToDevice" in lan.command("drops", NAME).stdout

        assert eventually(are_counted)


def test_a_router_on_each_hook_of_a_device(lan_by_tcx: Lan) -> None:
    """The later one is loaded, and says what there is for whom."""
    lan, other, text = lan_by_tcx, f"{NAME}-other", "FromDevice(eth0) -> Discard;"
    lan.load("-e", text)
    done = lan.command("load", "-n", other, "-e", text)
    assert f"eth0: the router {NAME}, on TC, gets only what this one leaves to Linux\n" in done.stderr
    lan.unload()
    done = lan.command("load", "-n", NAME, "--hook", "tc", "-e", text)
    assert f"eth0: the router {other}, on XDP, comes first, and leaves to this one only what it leaves to Linux\n" in done.stderr
    lan.command("unload", other)


def test_sockets_of_another_routers_device(lan_by_tcx: Lan) -> None:
    """A queue takes one AF_XDP socket, which a router on XDP can't do without."""
    lan_by_tcx.net.veth(lan_by_tcx.router, "eth2", lan_by_tcx.left, "eth2")
    lan_by_tcx.command("load", "-n", NAME, "-e", "FromDevice(eth0) -> Queue -> ToDevice(eth1);")
    done = lan_by_tcx.command("load", "-n", f"{NAME}-other", "-e", "FromDevice(eth2) -> Queue -> ToDevice(eth1);", check=False)
    assert f"error: eth1 is used by the router {NAME}\n" in done.stderr


def refused(lan: Lan, *words: str) -> str:
    done = lan.command(*words, check=False)
    assert done.returncode
    return done.stderr


def test_what_does_not_fit_the_hook_is_refused(lan_by_tcx: Lan) -> None:
    lan, cable = lan_by_tcx, ("-e", CABLE.format("Counter"))
    assert "invalid choice: 'tcp' (choose from 'xdp', 'tc')" in refused(lan, "load", "--hook", "tcp", *cable)
    assert "--mode generic is an XDP mode, but the router runs on TC" in refused(lan, "load", "--hook", "tc", "--mode", "generic", *cable)
    lan.load(*cable)
    assert f"{NAME} is on tc, which replacing does not change" in refused(lan, "load", "-n", NAME, "--replace", *cable)


def built(lan: Lan, text: str, folder: Path) -> str:
    lan.command("build", "--hook", "tc", "-o", str(folder / "router.o"), "-e", text)
    return str(folder / "router.o")


def by_tc(run: Callable, made: str, _pins: Path) -> None:
    run("tc", "filter", "add", "dev", "eth0", "ingress", "bpf", "direct-action", "object-file", made, "section", "tc")


def by_bpftool(run: Callable, made: str, pins: Path) -> None:
    run("bpftool", "prog", "loadall", made, str(pins))
    run("tc", "filter", "add", "dev", "eth0", "ingress", "bpf", "direct-action", "object-pinned", str(pins / "tc_eth0"))


@pytest.mark.parametrize("attach", [by_tc, by_bpftool])
def test_objects_run_where_another_loads_them(lan_by_tcx: Lan, attach: Callable, pins: Path, tmp_path: Path) -> None:
    run = lan_by_tcx.router.run
    assert ping(lan_by_tcx.left, "10.0.0.1", 1) == 1
    run("tc", "qdisc", "add", "dev", "eth0", "clsact")
    attach(run, built(lan_by_tcx, "FromDevice(eth0) -> Counter -> Discard;", tmp_path), pins)
    assert ping(lan_by_tcx.left, "10.0.0.1", 1, wait=1) == 0
    run("tc", "qdisc", "del", "dev", "eth0", "clsact")
    assert ping(lan_by_tcx.left, "10.0.0.1", 1) == 1


def test_a_cable_that_others_load(lan_by_tcx: Lan, pins: Path, tmp_path: Path) -> None:
    lan = lan_by_tcx
    lan.one_network()
    made = built(lan, CABLE.format("Counter"), tmp_path)
    lan.router.run("bpftool", "prog", "loadall", made, str(pins), "pinmaps", str(pins / "maps"))
    for number, device in enumerate(("eth0", "eth1")):
        index = lan.router.ifindex(device).to_bytes(4, "little")
        words = ("key", str(number), "0", "0", "0", "value", *map(str, index))
        lan.router.run("bpftool", "map", "update", "pinned", str(pins / "maps" / "tx"), *words)
        lan.router.run("tc", "qdisc", "add", "dev", device, "clsact")
        program = str(pins / f"tc_{device}")
        lan.router.run("tc", "filter", "add", "dev", device, "ingress", "bpf", "direct-action", "object-pinned", program)
    transfer(lan.left, lan.right, "10.0.0.3", 8 << 20)


def test_a_router_in_the_foreground_leaves_nothing(lan: Lan) -> None:
    before = lan.traces()
    words = ("run", "--hook", "tc", "-e", ROUTED)
    with commands.start(lan.router, *words, prepare=lan.prepare, stdout=subprocess.DEVNULL) as running:
        end = time.monotonic() + 60
        while ping(lan.left, "10.0.1.2", 1, wait=0.2) == 0 or lan.traces() == before:
            assert time.monotonic() < end and running.poll() is None
        running.terminate()
        assert running.wait(60) == 0
    assert lan.traces() == before
