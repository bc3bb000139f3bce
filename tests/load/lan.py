"""A router between two hosts, on TC, where offloads are on as Linux sets them."""

import os
import re
import subprocess

from tests import commands

from clickbpf.load.devices import links
from clickbpf.load.devices.links import attached_tcx
from clickbpf.testing.netns import Network


def without_tcx() -> None:
    links._TC = {way: (9999, number) for way, (_, number) in links._TC.items()}


#: What comes before a command, on this kernel or as on one before 6.6, which refuses TCX with EINVAL as well.
PREPARE = {"tcx": str, "clsact": without_tcx}
NAME = f"tc{os.getpid()}"


class Lan:
    """Two hosts and a router between them."""

    def __init__(self, net: Network, how: str):
        self.left, self.router, self.right = (net.namespace(label) for label in ("left", "router", "right"))
        self.net, self.how = net, how
        net.veth(self.router, "eth0", self.left, "eth0", macs=("02:00:00:00:00:10", "02:00:00:00:00:02"))
        net.veth(self.router, "eth1", self.right, "eth0", macs=("02:00:00:00:01:10", "02:00:00:00:01:02"))
        self.router.address("eth0", "10.0.0.1/24")
        self.router.address("eth1", "10.0.1.1/24")
        self.left.address("eth0", "10.0.0.2/24")
        self.right.address("eth0", "10.0.1.2/24")
        self.left.route("default", "10.0.0.1")
        self.right.route("default", "10.0.1.1")

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return commands.run(self.router, *words, check=check, prepare=PREPARE[self.how])

    def load(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return self.command("load", "-n", NAME, "--hook", "tc", *words, check=check)

    def read(self, handler: str) -> int:
        return int(commands.read(NAME, handler))

    def drops(self) -> str:
        return self.command("drops", NAME).stdout

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
