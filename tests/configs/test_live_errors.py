"""configs/iprouter.click in a flood of packets whose time is over: the kernel makes the errors, as many as are permitted, and the
runtime doesn't notice.

10.0.0.2 ---- eth0 10.0.0.1 . 10.0.1.1 eth1 ---- 10.0.1.2
"""

import json
import time

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.compile import check_file
from clickbpf.graph.router import Port
from clickbpf.testing.traffic import RawPort, ping
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

MACS = ("02:00:00:00:00:10", "02:00:00:00:01:10")
#: Errors that the router may send to one host about packets whose time is over: at once, and in a second.
HOST_RATE = 100
FLOOD, GOOD_EACH = 8_000, 20
#: The second device's MTU, for each way into the kernel.
MTU1 = {(): "1000", ("--hook", "tc"): "1500"}


@pytest.fixture(params=axis(*MTU1), ids=lambda way: "-".join(way) or "native")
def routed(request, network, load):
    """The router, and the hosts on both sides, which it knows the addresses of."""
    place, hosts = network.namespace("router"), []
    for side, mac in enumerate(MACS):
        hosts.append(host := network.namespace(f"host{side}"))
        network.veth(place, f"eth{side}", host, "eth0", macs=(mac, f"02:00:00:00:0{side}:02"))
        host.offload("eth0", tx=False, gro=True)
        host.ip("address", "add", f"10.0.{side}.2/24", "dev", "eth0")
        host.ip("route", "add", "default", "via", f"10.0.{side}.1")
    # As tests/demo and tests/load/path/test_tc.py, which have it compiled.
    router = load(place, CONFIGS / "iprouter.click", options=request.param, ADVERTISE="false", MTU0="1500", MTU1=MTU1[request.param])
    assert ping(hosts[0], "10.0.1.2", 3) == 3
    return router, *hosts


def reports_expiry() -> str:
    """The element that reports that the time of packets for the second device is over: where dt1's second output leads."""
    checked = check_file(CONFIGS / "iprouter.click", Library.standard())
    (found,) = (each.target.element for each in checked.router.connections if each.source == Port("dt1", 1))
    assert type(checked.instances[found]).__name__ == "ICMPError"
    return found


def frame(side: int, ttl: int, number: int) -> bytes:
    """From the host of one side to the other one's, of 18 bytes of data that begin with a number."""
    ether = Ether(src=f"02:00:00:00:0{side}:02", dst=MACS[side])
    ip = IP(src=f"10.0.{side}.2", dst=f"10.0.{1 - side}.2", ttl=ttl, id=number & 0xFFFF)
    return bytes(ether / ip / UDP(sport=9, dport=9) / number.to_bytes(18, "big"))


def is_error(packet: bytes) -> bool:
    return packet[12:14] == b"\x08\x00" and packet[23] == 1 and packet[34] == 11


def is_good(packet: bytes) -> bool:
    return packet[12:14] == b"\x08\x00" and packet[23] == 17 and packet[22] == 7


def refused_by(port: RawPort) -> int:
    """Frames that a device was given and did not send."""
    (link,) = json.loads(port.namespace.ip("-j", "-s", "link", "show", "dev", port.device))
    return link["stats64"]["tx"]["dropped"]


@pytest.mark.whole
def test_a_flood_of_packets_whose_time_is_over_is_the_kernels(routed):
    router, left, right = routed
    old, good = frame(0, 1, 0), [frame(1, 8, number) for number in range(FLOOD // GOOD_EACH)]
    received: list[bytes] = []
    with RawPort(left, "eth0") as flood, RawPort(right, "eth0") as other:
        before, refused, start = router.by_runtime(), refused_by(flood) + refused_by(other), time.monotonic()
        for number in range(FLOOD):
            flood.send(old)
            if number % GOOD_EACH == 0:
                other.send(good[number // GOOD_EACH])
                received += drain(flood)
        eventually(lambda: received.extend(drain(flood)) or sum(map(is_good, received)) == len(good))
        seconds = time.monotonic() - start
        refused = refused_by(flood) + refused_by(other) - refused
    errors = [packet for packet in received if is_error(packet)]
    assert sum(map(is_good, received)) + refused >= len(good), "the flood takes nothing from what comes by another wire"
    assert HOST_RATE <= len(errors) <= HOST_RATE * (1 + seconds) + 1
    dropped = router.dropped(reports_expiry())
    assert set(dropped) == {"LIMITED"}
    assert FLOOD - refused <= dropped["LIMITED"] + len(errors) <= FLOOD
    for packet in (errors[0], errors[-1]):
        seen = Ether(packet)[IP]
        assert (seen.src, seen.dst, seen.ttl) == ("10.0.0.1", "10.0.0.2", 199)
        assert bytes(seen[ICMP].payload) == old[14:], "with the packet within"
        assert checksum_is_right(bytes(seen))
    assert router.by_runtime() == before


def drain(port: RawPort) -> list[bytes]:
    """What has arrived so far."""
    found = []
    while (one := port.receive()) is not None:
        found.append(one)
    return found


def checksum_is_right(packet: bytes) -> bool:
    """Of an IP header and of the ICMP message after it."""
    again = IP(packet)
    del again.chksum, again[ICMP].chksum
    return bytes(again) == packet
