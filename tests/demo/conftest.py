"""A Linux host, configs/iprouter.click between two interfaces of a namespace, and another Linux host.

    left                      router                           right
    eth0 10.0.0.2/24  ------  eth0 10.0.0.1 . 10.0.1.1 eth1  ------  eth0 10.0.1.2/24
"""

import itertools
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests import commands

from clickbpf.testing.netns import Namespace, Network, ip
from demo.work import Work, work

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "configs" / "iprouter.click"

#: For each side: the router's device, address and Ethernet address as the configuration has them; the host's address.
SIDES = (
    ("eth0", "10.0.0.1", "02:00:00:00:00:10", "10.0.0.2"),
    ("eth1", "10.0.1.1", "02:00:00:00:01:10", "10.0.1.2"),
)
#: Of the two links. A router with others would be another one to compile.
MTUS = (1500, 1000)
PINS = Path("/sys/fs/bpf/clickbpf")
RUN = Path("/run/clickbpf")

_numbers = itertools.count(1)


class Lan:
    """The three namespaces, and the commands that load the router into the middle one and take it out again."""

    def __init__(self, network: Network):
        self.name = f"lan{os.getpid()}-{next(_numbers)}"
        self.router = network.namespace("router")
        self.router.sysctl("net.ipv4.ip_forward", "0")
        self.left, self.right = (
            self._host(network, label, side, mtu) for label, side, mtu in zip(("left", "right"), SIDES, MTUS, strict=True)
        )

    def _host(self, network: Network, label: str, side: tuple[str, str, str, str], mtu: int) -> Namespace:
        """A host as it comes: what a veth pair needs for XDP is the loader's business."""
        device, gateway, mac, address = side
        host = network.namespace(label)
        network.veth(self.router, device, host, "eth0", mtu=mtu)
        self.router.ip("link", "set", device, "address", mac)
        self.router.address(device, f"{gateway}/24")
        host.address("eth0", f"{address}/24")
        host.route("default", gateway)
        return host

    def clickbpf(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess:
        """Run the command in the router's namespace."""
        return commands.run(self.router, *arguments, check=check)

    def load(self, *options: str) -> None:
        """Without IPv6, whose advertisements nobody here needs: so the runtime only counts the test's packets."""
        settings = ["ADVERTISE=false", *(f"MTU{number}={mtu}" for number, mtu in enumerate(MTUS))]
        self.clickbpf("load", "-n", self.name, *options, str(CONFIGURATION), *settings)

    def unload(self) -> None:
        self.clickbpf("unload", self.name)

    def read(self, handler: str) -> str:
        return commands.read(self.name, handler)

    def work(self) -> Work:
        return work(PINS / self.name)

    def kill_runtime(self) -> None:
        """As the kernel does when memory is short, and wait for its end."""
        pid = int((RUN / self.name / "pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}/ns/net").exists():
            time.sleep(0.01)

    def traces(self) -> dict[str, object]:
        """Everything that a router changes on a machine: pins, folders, processes, attachments, devices' features."""
        return {
            "pins": sorted(PINS.rglob(f"*{self.name}*")),
            "folders": sorted(RUN.rglob(f"*{self.name}*")),
            "processes": ip("netns", "pids", self.router.name),
            "namespaces": [line for line in ip("netns", "list").splitlines() if self.name in line],
            "attached": self.router.run("bpftool", "-j", "net").stdout,
            "flags": [host.ip("link", "show", device) for host, device in self.interfaces()],
            "offloads": [host.run("ethtool", "-k", device).stdout for host, device in self.interfaces()],
        }

    def interfaces(self) -> Iterator[tuple[Namespace, str]]:
        """Both ends of both cables."""
        yield from ((self.left, "eth0"), (self.router, "eth0"), (self.router, "eth1"), (self.right, "eth0"))

    def neighbours(self) -> set[str]:
        """The addresses that the hosts have Ethernet addresses for."""
        known = "".join(host.ip("neighbour", "show") for host in (self.left, self.right))
        return set(re.findall(r"^(\S+) dev \S+ lladdr", known, re.MULTILINE))


@pytest.fixture
def cabled() -> Iterator[Callable[..., Lan]]:
    """Makes `Lan`s without a router in them; all is removed after the test."""
    with ExitStack() as stack:
        network = stack.enter_context(Network())
        yield lambda: Lan(network)


@pytest.fixture
def routed(cabled: Callable[..., Lan]) -> Iterator[Callable[..., Lan]]:
    """Makes `Lan`s with the router running, loaded with the given options; it is unloaded after the test."""
    loaded: list[Lan] = []

    def make(*options: str) -> Lan:
        lan = cabled()
        lan.load(*options)
        loaded.append(lan)
        return lan

    try:
        yield make
    finally:
        for lan in loaded:
            lan.unload()


@pytest.fixture
def lan(routed: Callable[..., Lan]) -> Lan:
    """The router as it is loaded by default."""
    return routed()
