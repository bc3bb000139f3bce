"""ToHostSniffers: packet sockets see the packets, Linux's stack does not."""

import os
import socket
from contextlib import ExitStack

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether

from clickbpf.vocabulary.library import Library

FRAME = bytes(Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src="10.0.0.2", dst="10.0.0.1") / ICMP())


@pytest.mark.parametrize("element", ["ToHostSniffers", "ToHost(SNIFFERS true)", "ToHostSniffers(eth1)"])
def test_they_go_to_sniffers(router, element):
    r = router(f"FromDevice(eth0) -> t :: {element}; FromDevice(eth1) -> Discard;")
    r.forwards("eth0", FRAME, "sniffers")
    r.expect_nothing()
    assert r.read("t.count") == "1"


def test_ip_packets_get_a_header(router):
    r = router("FromDevice(eth0) -> Strip(14) -> ToHostSniffers(TYPE IP);", devices={"eth0": "02:00:00:00:00:10"})
    r.forwards("eth0", FRAME, "sniffers", bytes.fromhex("020000000010000000000000") + FRAME[12:])


def test_packets_of_no_device_are_dropped(router):
    r = router("RatedSource(x, LIMIT 1, ACTIVE false) -> s :: Null -> t :: ToHostSniffers; FromDevice(eth0) -> Discard;")
    r.write("RatedSource@1.active", "true")
    r.expect_nothing()
    assert r.read("t.drops") == "1"


@pytest.fixture
def loaded(network):
    """Loads a router in a namespace."""
    with ExitStack() as stack:

        def load(box, text: str, mode: str) -> None:
            name = f"sniffers{os.getpid()}"
            box.clickbpf("load", "-n", name, "--mode", mode, "-e", text)
            stack.callback(box.clickbpf, "unload", name)

        yield load


def icmp_seen(seen: socket.socket, count: int) -> list[tuple[int, int]]:
    """Type and packet type of so many ICMP messages that come to a packet socket."""
    found: list[tuple[int, int]] = []
    while len(found) < count:
        data, address = seen.recvfrom(2048)
        if ICMP in Ether(data):
            found.append((Ether(data)[ICMP].type, address[2]))
    return found


@pytest.mark.needs("root", "ip", "ping", "clang-19")
@pytest.mark.parametrize(
    "mode, made", [("native", False), ("generic", False), ("native", True)], ids=["native", "generic", "a made device"]
)
def test_live(network, loaded, mode, made):
    """Pings come to a sniffer on the device, as received, and Linux doesn't answer them: ICMP that it sends would be seen, too."""
    box, far = network.namespace("box"), network.namespace("far")
    network.veth(box, "eth0", far, "eth0")
    box.address("eth0", "10.0.0.1/24")
    far.address("eth0", "10.0.0.2/24")
    far.neighbour("eth0", "10.0.0.1", box.mac("eth0"))
    box.neighbour("eth0", "10.0.0.2", far.mac("eth0"))
    where = "fake0" if made else "eth0"
    ways = f"s :: Switch[0] -> ToHostSniffers({where});" + (" FromHost(fake0, 10.0.0.1/24) -> Discard;" if made else "")
    loaded(box, f"FromDevice(eth0) -> {ways} s[1] -> ToHost;", mode)
    seen = box.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    seen.bind((where, 3))
    seen.settimeout(60)
    assert far.run("ping", "-c2", "-i0.1", "-W0.5", "10.0.0.1", check=False).returncode == 1
    here = socket.PACKET_HOST if not made else None
    assert [(kind, here and how) for kind, how in icmp_seen(seen, 2)] == [(8, here)] * 2
    seen.settimeout(0.2)
    with pytest.raises(TimeoutError):
        icmp_seen(seen, 1)
    seen.close()


def test_name_in_early_versions_of_click():
    find = Library.standard().find
    assert find("ToLinuxSniffers") == find("ToHostSniffers") != find("ToHost")
