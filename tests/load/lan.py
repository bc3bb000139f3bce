"""A router between two hosts, by default on TC, where offloads are on as Linux sets them."""

import os
import re
import subprocess

from scapy.layers.inet import ICMP
from scapy.layers.l2 import Ether
from tests import commands

from clickbpf.load.devices import links
from clickbpf.load.devices.links import attached_tcx
from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import tcp_transfer


def without_tcx() -> None:
    links._TC = {way: (9999, number) for way, (_, number) in links._TC.items()}


#: What comes before a command, on this kernel or as on one before 6.6, which refuses TCX with EINVAL as well.
PREPARE = {"tcx": str, "clsact": without_tcx}
NAME = f"tc{os.getpid()}"


def transfer(sender: Namespace, receiver: Namespace, address: str, size: int = 4 << 20) -> None:
    payload = os.urandom(size)
    assert tcp_transfer(sender, receiver, address, 5001, payload, patience=60) == payload


def is_late(frame: bytes) -> bool:
    """Whether it reports that a packet's time is over."""
    return ICMP in (packet := Ether(frame)) and packet[ICMP].type == 11


class Lan:
    """Two hosts and a router between them."""

    def __init__(self, net: Network, how: str = "tcx", options: tuple[str, ...] = ("--hook", "tc")):
        self.left, self.router, self.right = (net.namespace(label) for label in ("left", "router", "right"))
        self.net, self.options, self.prepare = net, options, PREPARE[how]
        net.veth(self.router, "eth0", self.left, "eth0", macs=("02:00:00:00:00:10", "02:00:00:00:00:02"))
        net.veth(self.router, "eth1", self.right, "eth0", macs=("02:00:00:00:01:10", "02:00:00:00:01:02"))
        self.router.address("eth0", "10.0.0.1/24")
        self.router.address("eth1", "10.0.1.1/24")
        self.left.address("eth0", "10.0.0.2/24")
        self.right.address("eth0", "10.0.1.2/24")
        self.left.route("default", "10.0.0.1")
        self.right.route("default", "10.0.1.1")

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return commands.run(self.router, *words, check=check, prepare=self.prepare)

    def load(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return self.command("load", "-n", NAME, *self.options, *words, check=check)

    def read(self, handler: str) -> int:
        return int(commands.read(NAME, handler))

    def drops(self) -> str:
        return self.command("drops", NAME).stdout

    def one_network(self) -> None:
        """Have the hosts on one network, with nothing but a cable between them."""
        self.right.ip("address", "flush", "dev", "eth0")
        self.right.address("eth0", "10.0.0.3/24")

    def unload(self) -> None:
        self.command("unload", NAME, check=False)

    def traces(self) -> str:
        """What a router might leave on devices."""
        devices, both = ("eth0", "eth1"), ("qdisc", "filter")
        shown = [self.router.run("tc", show, "show", "dev", device).stdout for device in devices for show in both]
        ways = ((device, way) for device in devices for way in ("ingress", "egress"))
        attached = [str(self.router.call(attached_tcx, self.router.ifindex(device), way)) for device, way in ways]
        addressless = re.sub(r"\d+: ", "", self.router.ip("-o", "link"))
        return "\n".join([*shown, *attached, addressless])
