"""Routers on XDP between hosts with an MTU of 9000, whose frames are in several buffers."""

import fcntl
import io
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.load import tuns
from tests.load.lan import NAME, Lan, is_late, transfer
from tests.waiting import eventually, received

from clickbpf.load.devices import frags
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel import features
from clickbpf.load.life import loader
from clickbpf.load.path import crossing
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "bpftool")

ROOT = Path(__file__).parents[3]
ROUTER, WORK = ROOT / "configs" / "iprouter.click", ROOT / "demo" / "work.py"
CABLE = "FromDevice(eth0) -> {} Queue -> todev1 :: ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0)"
#: What configs/iprouter.click on the two devices is told.
VALUES = ("ADVERTISE=false", "MTU0=9000", "MTU1=9000")


def without_parts() -> None:
    """As on a kernel before 6.6, whose sockets take no packet in parts."""
    features.takes_parts.cache_clear()
    features._USE_SG = 1 << 15


def old() -> None:
    """As on one before 6.3, which doesn't redirect them either."""
    for module in (features, frags, crossing, loader):
        module.xdp_features = lambda index: None
    without_parts()


class Jumbo(Lan):
    """Two hosts and a router on XDP between them, all with an MTU of 9000."""

    def __init__(self, net: Network):
        super().__init__(net, options=())
        for host, device in ((self.router, "eth0"), (self.left, "eth0"), (self.router, "eth1"), (self.right, "eth0")):
            host.ip("link", "set", device, "mtu", "9000")
            host.offload(device, **dict.fromkeys(("tx", "tso", "gso", "gro"), False))

    def in_runtime(self) -> int:
        """What elements have counted in the runtime."""
        done = self.router.run(sys.executable, str(WORK), str(Pins.of(NAME).root))
        return int(done.stdout.split()[1])


@pytest.fixture
def lan(net: Network) -> Iterator[Jumbo]:
    made = Jumbo(net)
    yield made
    made.unload()


@pytest.mark.whole
def test_tcp_arrives_whole_by_the_kernel_alone(lan: Jumbo) -> None:
    """And nothing crosses to the runtime once the neighbours are known."""
    lan.load(str(ROUTER), *VALUES)
    assert ping(lan.left, "10.0.1.2", 2) == 2
    assert ping(lan.right, "10.0.0.2", 2) == 2
    before, forwarded = lan.in_runtime(), lan.read("in0.count")
    transfer(lan.left, lan.right, "10.0.1.2", size := 16 << 20)
    transfer(lan.right, lan.left, "10.0.0.2", size)
    assert lan.in_runtime() == before
    assert 0 < lan.read("in0.count") - forwarded < 2 * size // 1460, "frames are long"
    assert "nothing was dropped" in lan.drops()


@pytest.mark.whole
@pytest.mark.parametrize("crossing", ["af_xdp", "ring"])
def test_long_packets_cross_to_the_runtime_and_leave_from_there(lan: Jumbo, crossing: str) -> None:
    """The first wait for the neighbour's address; all are longer than two pages. (They are too long for a ring.)"""
    lan.load("--crossing", crossing, str(ROUTER), *VALUES)
    assert ping(lan.left, "10.0.1.2", 5, size=8900) == 5
    assert ping(lan.left, "10.0.0.1", 5, size=8900) == 5
    assert "nothing was dropped" in lan.drops()


@pytest.mark.whole
def test_icmp_errors_quote_long_packets(lan: Jumbo) -> None:
    """As much of them as RFC 1812, 4.3.2.3, allows: errors have up to 576 bytes."""
    lan.load(str(ROUTER), *VALUES)
    with RawPort(lan.left, "eth0") as wire:
        lan.left.run("ping", "-n", "-c1", "-W1", "-t1", "-s8900", "-Mdo", "10.0.1.2", check=False)
        frames = received(wire, lambda frames: any(map(is_late, frames)))
    (error,) = map(Ether, filter(is_late, frames))
    assert (error[IP].src, error[IP].len) == ("10.0.0.1", 576)
    check, error[ICMP].chksum = error[ICMP].chksum, None
    assert Ether(bytes(error))[ICMP].chksum == check


#: What of the IP router cuts packets, or says that they are too long.
SMALLER = """
FromDevice(eth0) -> c0 :: Classifier(12/0800, 12/0806 20/0001, -) -> Strip(14) -> CheckIPHeader -> DecIPTTL -> fr :: IPFragmenter(1500)
	-> EtherEncap(0x0800, 02:00:00:00:01:10, 02:00:00:00:01:02) -> right :: Queue -> ToDevice(eth1);
FromDevice(eth1) -> c1 :: Classifier(12/0800, 12/0806 20/0001, -) -> Strip(14) -> CheckIPHeader -> DecIPTTL
	-> to_left :: EtherEncap(0x0800, 02:00:00:00:00:10, 02:00:00:00:00:02) -> left :: Queue -> ToDevice(eth0);
fr[1] -> ICMPError(10.0.0.1, unreachable, needfrag, PMTU 1500) -> to_left;
c0[1] -> ARPResponder(10.0.0.1 02:00:00:00:00:10) -> left; c1[1] -> ARPResponder(10.0.1.1 02:00:00:00:01:10) -> right;
c0[2] -> Discard; c1[2] -> Discard;
"""


@pytest.mark.whole
def test_long_packets_are_fragmented_for_a_smaller_link(lan: Jumbo) -> None:
    """Those that mustn't be have the sender told."""
    for host, device in ((lan.router, "eth1"), (lan.right, "eth0")):
        host.ip("link", "set", device, "mtu", "1500")
    lan.load("-e", SMALLER)
    with RawPort(lan.right, "eth0") as wire:
        assert ping(lan.left, "10.0.1.2", 3, size=8900, options=("-Mdont",)) == 3
        requests = [frame for frame in received(wire, len) if Ether(frame).src == "02:00:00:00:01:10" and IP in Ether(frame)]
    assert len(requests) == 3 * 7 and max(map(len, requests)) <= 1514
    refused = lan.left.run("ping", "-n", "-c1", "-W2", "-s8900", "-Mdo", "10.0.1.2", check=False)
    assert "mtu = 1500" in refused.stdout + refused.stderr or "mtu=1500" in refused.stdout + refused.stderr


@pytest.mark.whole
def test_a_runtime_whose_sockets_take_no_parts_gets_none(lan: Jumbo) -> None:
    """They are drops of the element that they were meant for, which the loader says before."""
    lan.prepare = without_parts
    assert "before Linux 6.6" in lan.command("plan", "--frags", str(ROUTER)).stderr
    said = lan.load(str(ROUTER), *VALUES)
    assert "packets in several buffers can't be handed over to the runtime before Linux 6.6: they are dropped" in said.stdout + said.stderr
    assert ping(lan.left, "10.0.1.2", 2, size=8900, wait=1) == 0
    assert any("arpq1" in line and "refused it" in line and " 2 " in line for line in lan.drops().splitlines())
    assert ping(lan.left, "10.0.1.2", 2) == 2
    assert ping(lan.left, "10.0.1.2", 2, size=8900) == 2


@pytest.mark.whole
def test_a_kernel_that_sends_none_is_an_error(lan: Jumbo) -> None:
    """Unless the user wants such programs, for packets that aren't sent."""
    lan.one_network()
    lan.prepare = old
    refused = lan.load("-e", CABLE.format(""), check=False)
    assert refused.returncode == 1 and "the MTU of eth0, 9000, is too big" in refused.stderr
    assert "--hook tc" in refused.stderr and "--frags, where" not in refused.stderr
    said = lan.load("--frags", "-e", CABLE.format(""))
    assert "can't be sent by XDP before Linux 6.3, nor handed over" in said.stdout + said.stderr
    assert ping(lan.left, "10.0.0.3", 2) == 2
    assert ping(lan.left, "10.0.0.3", 2, size=8900, wait=1) == 0
    assert any("todev1" in line and "refused it" in line and " 2 " in line for line in lan.drops().splitlines())


def test_objects_take_frames_in_several_buffers_if_they_are_built_for_that(lan: Jumbo, tmp_path: Path) -> None:
    cable, text = str(tmp_path / "cable.o"), CABLE.format("")
    lan.command("build", "-o", cable, "-e", text)
    refused = lan.load(cable, check=False)
    assert refused.returncode == 1 and "the MTU of eth0, 9000, is too big" in refused.stderr and "--frags" in refused.stderr
    lan.command("build", "--frags", "-o", cable, "-e", text)
    lan.one_network()
    lan.load(cable)
    assert ping(lan.left, "10.0.0.3", 3, size=8900) == 3


@pytest.mark.parametrize("prepare", [str, without_parts], ids=["by the runtime", "by nobody"])
def test_what_a_driver_would_send_the_first_buffer_of_is_sent_or_a_drop(lan: Jumbo, prepare: Callable[[], object]) -> None:
    """A tap device's driver has no such frames. Shorter ones are redirected there."""
    lan.prepare = prepare
    with lan.router.call(open_tap) as tap:
        lan.router.ip("link", "set", "tap0", "mtu", "9000", "up")
        lan.load("-e", "FromDevice(eth0) -> c :: Counter -> Queue -> to :: ToDevice(tap0);")
        sent = [bytes(Ether(dst="02:00:00:00:00:10", type=0x88B5) / Raw(bytes([length % 251]) * length)) for length in (9000, 1000, 6000)]
        with RawPort(lan.left, "eth0") as left:
            for frame in sent:
                left.send(frame)
        assert eventually(lambda: lan.read("c.count") >= len(sent))
        expected = sent if prepare is str else sent[1:2]
        found = [eventually(lambda: ours(tap)) for _ in expected]
    assert sorted(found) == sorted(expected)
    lost = [line.split() for line in lan.drops().splitlines() if "ToDevice" in line]
    assert sum(int(words[3]) for words in lost) == len(sent) - len(expected)


def ours(tap: io.FileIO) -> bytes | None:
    """A frame that has come out of the device, unless the kernel itself sent it."""
    frame = tap.read(65536)
    return frame if frame and frame[12:14] == b"\x88\xb5" else None


def open_tap() -> io.FileIO:
    """The user's end of a new device tap0."""
    tap = io.FileIO("/dev/net/tun", "r+")
    fcntl.ioctl(tap, tuns.TUNSETIFF, struct.pack(tuns.IFREQ, b"tap0", tuns.IFF_TAP | tuns.IFF_NO_PI))
    os.set_blocking(tap.fileno(), False)
    return tap


@pytest.mark.whole
def test_the_runtime_gets_long_packets_on_tc(lan: Jumbo) -> None:
    lan.one_network()
    lan.load("--hook", "tc", "-e", CABLE.format("Queue -> Unqueue ->"))
    assert ping(lan.left, "10.0.0.3", 5, size=8900) == 5
    assert "nothing was dropped" in lan.drops()
