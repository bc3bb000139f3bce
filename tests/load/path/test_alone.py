"""What the kernel path does for itself while no runtime is there to do it."""

import signal
import time

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import ICMPv6ND_NS, ICMPv6NDOptSrcLLAddr, IPv6
from scapy.layers.l2 import Ether
from tests import commands
from tests.axes import axis
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.files.process import Process, ended
from clickbpf.testing.netns import PATIENCE, Network
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

OURS, HOST, OTHER = "02:00:00:00:01:10", "02:00:00:00:01:02", "02:00:00:00:01:03"
ROUTER = f"""
FromDevice(eth0) -> c :: Classifier(12/0800, 12/86dd, -);
c[0] -> Strip(14) -> CheckIPHeader -> GetIPAddress(16) -> arp :: ARPQuerier(10.0.1.1, {OURS}, POLL_TIMEOUT 1)
	-> out :: Queue -> ToDevice(eth1);
c[1] -> Strip(14) -> CheckIP6Header -> GetIP6Address(24) -> nd :: IP6NDSolicitor(fe80::1, {OURS}) -> out;  nd[1] -> out;
FromDevice(eth1) -> e :: Classifier(12/0806, 12/86dd, -);
e[0] -> [1] arp;  e[1] -> [1] nd;  c[2], e[2] -> Discard;
"""
#: Packets for the neighbour at eth1.
FOUR = Ether(dst=OURS) / IP(src="10.0.0.2", dst="10.0.1.2") / UDP(dport=9) / b"for a host"
SIX = Ether(dst=OURS) / IPv6(src="2001:db8::2", dst="2001:db8:1::2") / UDP(dport=9) / b"for a host"


@pytest.fixture
def wire(net: Network):
    """The router's namespace, and ports at the other ends of its devices."""
    router, *hosts = (net.namespace(each) for each in ("router", "near", "far"))
    for number, host in enumerate(hosts):
        net.veth(router, f"eth{number}", host, "eth0")
        host.offload("eth0", gro=True)
    with RawPort(hosts[0], "eth0") as near, RawPort(hosts[1], "eth0") as far:
        yield router, near, far


def solicitation(link: str) -> bytes:
    """By which a known neighbour says its address: that is where packets go now, but it isn't known whether it receives them."""
    head = Ether(src=link, dst=OURS) / IPv6(src="2001:db8:1::2", dst="fe80::1", hlim=255)
    return bytes(head / ICMPv6ND_NS(tgt="fe80::1") / ICMPv6NDOptSrcLLAddr(lladdr=link))


@pytest.mark.parametrize("options", axis((), ("--hook", "tc")), ids=["xdp", "tc"])
def test_neighbours_that_would_be_asked_again_are_still_sent_to(wire, options):
    """Those who had been idle for a while when the runtime died, who aren't in the caches."""
    router, near, far = wire
    name = f"alone{router.name.replace('-', '')}"
    commands.run(router, "load", *options, "-n", name, "-e", ROUTER, check=True)
    try:
        commands.run(router, "write", "-r", name, "arp.insert", f"10.0.1.2 {HOST}", check=True)
        commands.run(router, "write", "-r", name, "nd.insert", f"2001:db8:1::2 {OTHER}", check=True)
        far.send(solicitation(HOST))
        assert eventually(lambda: HOST.replace(":", "-") in commands.read(name, "nd.table"))
        time.sleep(1.5)  # POLL_TIMEOUT
        with Process.in_file(RunFolder.of(name).pid).opened() as process:
            signal.pidfd_send_signal(process, signal.SIGKILL)
            assert ended(process, PATIENCE)
        for packet in (FOUR, SIX):
            near.send(bytes(packet))
            sent = eventually(lambda: next((frame for frame in iter(far.receive, None) if frame.endswith(b"for a host")), None))
            assert Ether(sent).dst == HOST, packet.summary()
    finally:
        commands.run(router, "unload", name, check=True)
