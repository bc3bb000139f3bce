"""Three Linux routers with FRR's OSPF and BIRD's BGP between two hosts, in namespaces; `clickbpf accelerate` can be over each of them.

    source -- 10.0.1.0/24 -- eth0 one eth1 -- 10.0.12.0/24 -- eth1 two eth2 -- 10.0.23.0/24 -- eth1 three eth0 -- 10.0.3.0/24 -- sink
                                  eth2 -------------------- 10.0.13.0/24 -------------------- eth2

From `one` to `three` the way through `two` costs as much as the direct one. `three` knows 198.18.0.0/16 behind the sink, and announces it
by BGP between the routers' loopback addresses, to which OSPF knows the ways. With IPv6 it is OSPFv3, and 2001:db8:12::/64 and so on.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from tests import commands
from tests.accelerated import Accelerated
from tests.bench.swaps import Route
from tests.waiting import eventually

from clickbpf.testing.netns import Namespace, Network

#: Of the daemons; Debian's packages have them there.
FRR = Path("/usr/lib/frr")
NEEDS = ("root", "ip", "ethtool", "clang-19", "bird", "vtysh")
NAMES = ("one", "two", "three")
#: The routers' devices, each with the numbers of its link and of its address there.
LINKS = {
    "one": {"eth0": (1, 1), "eth1": (12, 1), "eth2": (13, 1)},
    "two": {"eth1": (12, 2), "eth2": (23, 2)},
    "three": {"eth0": (3, 1), "eth1": (23, 3), "eth2": (13, 3)},
}
CABLES = (("one", "eth1", "two", "eth1"), ("two", "eth2", "three", "eth1"), ("one", "eth2", "three", "eth2"))
COSTS = {("one", "eth2"): 20, ("three", "eth2"): 20}


@dataclass(frozen=True)
class Family:
    """Addresses, by the numbers of a link and of a host, or of a router; and what the family's parts are called."""

    version: int
    #: Of hosts on links, of gateways as OSPF finds them, of loopbacks, and with their lengths; what is behind the sink.
    host: str
    gateway: str
    own: str
    lengths: tuple[int, int]
    behind: str
    #: FRR's daemon and its words.
    daemon: str
    ospf: str
    #: What makes Linux forward, and tell of a new Ethernet address.
    forwards: str
    tells: str
    #: Elements of configs/linuxrouter.click.
    table: str
    next: str


IPV4 = Family(
    4, "10.0.{}.{}", "10.0.{}.{}", "10.255.0.{}", (24, 32), "198.18.0.0/16", "ospfd", "ip ospf",
    "net.ipv4.ip_forward", "net.ipv4.conf.eth0.arp_notify", "rt", "next",
)  # fmt: skip
IPV6 = Family(
    6, "2001:db8:{}::{}", "fe80::{}:{}", "2001:db8:255::{}", (64, 128), "2001:db8:198::/48", "ospf6d", "ipv6 ospf6",
    "net.ipv6.conf.all.forwarding", "net.ipv6.conf.eth0.ndisc_notify", "rt6", "next6",
)  # fmt: skip

OSPF = """
interface lo
 {ospf} area 0
 {ospf} passive
interface eth0
 {ospf} area 0
 {ospf} passive
"""
OSPF_LINK = """interface {device}
 {ospf} area 0
 {ospf} network point-to-point
 {ospf} hello-interval 1
 {ospf} dead-interval 4
 {ospf} cost {cost}
"""
BIRD = """
router id 10.255.0.{number};
protocol device {{ scan time 60; }}
protocol kernel {{
	learn; scan time 60; merge paths on; ipv{version} {{ import all; export where source = RTS_BGP || source = RTS_STATIC; }};
}}
protocol static {{ ipv{version}; {static} }}
"""
BGP = """
protocol bgp {{
	local {own} as 65001; neighbor {other} as 65001; connect delay time 1; connect retry time 1;
	ipv{version} {{ import all; export where source = RTS_STATIC; next hop self; gateway recursive; }};
}}
"""


def with_ipv6(where: Namespace, device: str, own: str | None = None) -> None:
    """Let a device have IPv6 addresses, at once; `own` of its link instead of the one that follows from its Ethernet address."""
    if own:
        where.sysctl(f"net.ipv6.conf.{device}.addr_gen_mode", "1")
    for name in ("accept_dad", "disable_ipv6"):
        where.sysctl(f"net.ipv6.conf.{device}.{name}", "0")
    if own:
        where.address(device, f"{own}/64")


class Lab:
    """The routers, with their daemons."""

    def __init__(self, undo: ExitStack, family: Family = IPV4):
        network = undo.enter_context(Network())
        self.family = family
        self.folder = Path(tempfile.mkdtemp(prefix="routed"))
        undo.callback(shutil.rmtree, self.folder)
        self.at = {name: network.namespace(name) for name in NAMES}
        self.daemons: dict[tuple[str, str], subprocess.Popen] = {}
        for name, device, other, peer in CABLES:
            network.veth(self.at[name], device, self.at[other], peer)
        self.source, self.sink = (network.host(label, self.at[name], "eth0") for label, name in (("source", "one"), ("sink", "three")))
        for name, links in LINKS.items():
            self._address(self.at[name], "lo", family.own.format(NAMES.index(name) + 1), family.lengths[1])
            for device, numbers in links.items():
                self._connect(self.at[name], device, *numbers)
                self.at[name].offload(device, tx=False, gro=True)
            for each in {"net.ipv4.ip_forward", family.forwards}:  # accelerate asks for the first
                self.at[name].sysctl(each, "1")
        self._connect(self.source, "eth0", 1, 2)
        self._connect(self.sink, "eth0", 3, 2)
        self.sink.sysctl(family.tells, "1")
        for name in NAMES:
            self.start(name)

    def _connect(self, where: Namespace, device: str, link: int, host: int) -> None:
        own = self.family.gateway.format(link, host) if self.family is IPV6 else None
        self._address(where, device, self.family.host.format(link, host), self.family.lengths[0], own)

    def _address(self, where: Namespace, device: str, address: str, length: int, own: str | None = None) -> None:
        if self.family is IPV6:
            with_ipv6(where, device, own)
        where.address(device, f"{address}/{length}")

    @property
    def route(self) -> Route:
        """The way of numbered flows to the prefix that BGP tells of."""
        mac = bytes.fromhex(self.at["one"].mac("eth0").replace(":", ""))
        return Route(mac, ip_address(self.family.host.format(1, 2)), ip_address(self.family.behind.partition("/")[0]) + 1)

    def gateway(self, link: int, host: int) -> str:
        """As OSPF finds it."""
        return self.family.gateway.format(link, host)

    # -- daemons ------------------------------------------------------------------------------------------------------

    def start(self, name: str) -> None:
        """A router's daemons."""
        self._start(name, "zebra")
        assert eventually((self.folder / name / "zserv").exists)
        self._start(name, self.family.daemon)
        self._start_bird(name)

    def _start(self, name: str, daemon: str) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for path in (self.folder, folder):
            shutil.chown(path, "frr", "frr")  # whom FRR's daemons become
        words = self.family.ospf
        links = [device for device in LINKS[name] if device != "eth0"]
        text = OSPF.format(ospf=words)
        text += "".join(OSPF_LINK.format(ospf=words, device=device, cost=COSTS.get((name, device), 10)) for device in links)
        which = words.split()[1]
        text += f"router {which}\n {which} router-id 10.255.0.{NAMES.index(name) + 1}\n"
        config = folder / f"{daemon}.conf"
        config.write_text(text if daemon == self.family.daemon else "")
        places = {"-f": config, "-z": folder / "zserv", "-i": folder / f"{daemon}.pid", "--vty_socket": folder, "-P": 0}
        self._run(name, daemon, str(FRR / daemon), *(str(word) for each in places.items() for word in each))

    def _start_bird(self, name: str) -> None:
        family, own = self.family, {each: self.family.own.format(number) for number, each in enumerate(NAMES, 1)}
        static = f"route {family.behind} via {family.host.format(3, 2)};" if name == "three" else ""
        text = BIRD.format(number=NAMES.index(name) + 1, version=family.version, static=static)
        text += "".join(BGP.format(own=own[name], other=own[other], version=family.version) for other in NAMES if other != name)
        config = self.folder / name / "bird.conf"
        config.write_text(text)
        self._run(name, "bird", "bird", "-f", "-c", str(config), "-s", str(self.folder / name / "bird.ctl"))

    def _run(self, name: str, daemon: str, *command: str) -> None:
        with (self.folder / name / f"{daemon}.log").open("w") as log:
            self.daemons[name, daemon] = self.at[name].popen(*command, stdout=log, stderr=log)

    def kill(self, name: str) -> None:
        """A router's daemons, with SIGKILL."""
        for daemon in ("bird", self.family.daemon, "zebra"):
            process = self.daemons.pop((name, daemon))
            process.kill()
            process.wait()
        (self.folder / name / "zserv").unlink()

    # -- routes -------------------------------------------------------------------------------------------------------

    def ways(self, name: str) -> set[str]:
        """The gateways in Linux to what is behind the sink."""
        words = self.at[name].ip(f"-{self.family.version}", "route", "show", self.family.behind).split()
        return {after for word, after in zip(words, words[1:]) if word == "via"}

    def converges(self, *gateways: str) -> bool:
        """Whether `one` gets these gateways to what is behind the sink."""
        return eventually(lambda: self.ways("one") == set(gateways))


@contextmanager
def accelerated(lab: Lab) -> Iterator[dict[str, Accelerated]]:
    """All routers, accelerated."""
    with ExitStack() as undo:
        made = {}
        for name in NAMES:
            made[name] = Accelerated(lab.at[name], f"{name}{os.getpid()}", tuple(LINKS[name]))
            undo.callback(commands.run, None, "unload", made[name].name)  # unless the test has done that
        yield made
