"""Three Linux routers with FRR's OSPF and BIRD's BGP between two hosts, in namespaces; `clickbpf accelerate` can be over each of them.

    source -- 10.0.1.0/24 -- eth0 one eth1 -- 10.0.12.0/24 -- eth1 two eth2 -- 10.0.23.0/24 -- eth1 three eth0 -- 10.0.3.0/24 -- sink
                                  eth2 -------------------- 10.0.13.0/24 -------------------- eth2

From `one` to `three` the way through `two` costs as much as the direct one. `three` knows 198.18.0.0/16 behind the sink, and announces it
by BGP between the routers' loopback addresses, to which OSPF knows the ways.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Address
from pathlib import Path

from tests import commands
from tests.accelerated import Accelerated
from tests.bench.swaps import Route
from tests.waiting import eventually

from clickbpf.testing.netns import Network

#: Of the daemons; Debian's packages have them there.
FRR = Path("/usr/lib/frr")
NEEDS = ("root", "ip", "ethtool", "clang-19", "bird", "vtysh")
NAMES = ("one", "two", "three")
DEVICES = {"one": ("eth0", "eth1", "eth2"), "two": ("eth1", "eth2"), "three": ("eth0", "eth1", "eth2")}
ADDRESSES = {
    "one": {"lo": "10.255.0.1/32", "eth0": "10.0.1.1/24", "eth1": "10.0.12.1/24", "eth2": "10.0.13.1/24"},
    "two": {"lo": "10.255.0.2/32", "eth1": "10.0.12.2/24", "eth2": "10.0.23.2/24"},
    "three": {"lo": "10.255.0.3/32", "eth0": "10.0.3.1/24", "eth1": "10.0.23.3/24", "eth2": "10.0.13.3/24"},
}
CABLES = (("one", "eth1", "two", "eth1"), ("two", "eth2", "three", "eth1"), ("one", "eth2", "three", "eth2"))
COSTS = {("one", "eth2"): 20, ("three", "eth2"): 20}
BEHIND = "198.18.0.0/16"

OSPF = """
interface lo
 ip ospf area 0
 ip ospf passive
interface eth0
 ip ospf area 0
 ip ospf passive
"""
OSPF_LINK = """interface {device}
 ip ospf area 0
 ip ospf network point-to-point
 ip ospf hello-interval 1
 ip ospf dead-interval 4
 ip ospf cost {cost}
"""
BIRD = """
router id {own};
protocol device {{ scan time 60; }}
protocol kernel {{ learn; scan time 60; merge paths on; ipv4 {{ import all; export where source = RTS_BGP || source = RTS_STATIC; }}; }}
protocol static {{ ipv4; {static} }}
"""
BGP = """
protocol bgp {{
	local {own} as 65001; neighbor {other} as 65001; connect delay time 1; connect retry time 1;
	ipv4 {{ import all; export where source = RTS_STATIC; next hop self; gateway recursive; }};
}}
"""


class Lab:
    """The routers, with their daemons."""

    def __init__(self, undo: ExitStack):
        network = undo.enter_context(Network())
        self.folder = Path(tempfile.mkdtemp(prefix="routed"))
        undo.callback(shutil.rmtree, self.folder)
        self.at = {name: network.namespace(name) for name in NAMES}
        self.daemons: dict[tuple[str, str], subprocess.Popen] = {}
        for name, device, other, peer in CABLES:
            network.veth(self.at[name], device, self.at[other], peer)
        for name in NAMES:
            self.at[name].sysctl("net.ipv4.ip_forward", "1")
        self.source = network.host("source", self.at["one"], "eth0", "10.0.1.2/24", "10.0.1.1")
        self.sink = network.host("sink", self.at["three"], "eth0", "10.0.3.2/24", "10.0.3.1")
        for name, devices in ADDRESSES.items():
            for device, address in devices.items():
                self.at[name].address(device, address)
                if device != "lo":
                    self.at[name].offload(device, tx=False, gro=True)
        self.sink.sysctl("net.ipv4.conf.eth0.arp_notify", "1")
        for name in NAMES:
            self.start(name)

    @property
    def route(self) -> Route:
        """The way of numbered flows to the prefix that BGP tells of."""
        mac = bytes.fromhex(self.at["one"].mac("eth0").replace(":", ""))
        return Route(mac, IPv4Address("10.0.1.2"), IPv4Address("198.18.0.1"))

    # -- daemons ------------------------------------------------------------------------------------------------------

    def start(self, name: str) -> None:
        """A router's daemons."""
        self._start(name, "zebra")
        assert eventually((self.folder / name / "zserv").exists)
        self._start(name, "ospfd")
        self._start_bird(name)

    def _start(self, name: str, daemon: str) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for path in (self.folder, folder):
            shutil.chown(path, "frr", "frr")  # whom FRR's daemons become
        own = ADDRESSES[name]["lo"].partition("/")[0]
        links = [device for device in DEVICES[name] if device != "eth0"]
        text = OSPF + "".join(OSPF_LINK.format(device=device, cost=COSTS.get((name, device), 10)) for device in links)
        config = folder / f"{daemon}.conf"
        config.write_text(f"{text}router ospf\n ospf router-id {own}\n" if daemon == "ospfd" else "")
        places = {"-f": config, "-z": folder / "zserv", "-i": folder / f"{daemon}.pid", "--vty_socket": folder, "-P": 0}
        self._run(name, daemon, str(FRR / daemon), *(str(word) for each in places.items() for word in each))

    def _start_bird(self, name: str) -> None:
        own = {each: ADDRESSES[each]["lo"].partition("/")[0] for each in NAMES}
        text = BIRD.format(own=own[name], static=f"route {BEHIND} via 10.0.3.2;" if name == "three" else "")
        text += "".join(BGP.format(own=own[name], other=own[other]) for other in NAMES if other != name)
        config = self.folder / name / "bird.conf"
        config.write_text(text)
        self._run(name, "bird", "bird", "-f", "-c", str(config), "-s", str(self.folder / name / "bird.ctl"))

    def _run(self, name: str, daemon: str, *command: str) -> None:
        with (self.folder / name / f"{daemon}.log").open("w") as log:
            self.daemons[name, daemon] = self.at[name].popen(*command, stdout=log, stderr=log)

    def kill(self, name: str) -> None:
        """A router's daemons, with SIGKILL."""
        for daemon in ("bird", "ospfd", "zebra"):
            process = self.daemons.pop((name, daemon))
            process.kill()
            process.wait()

    # -- routes -------------------------------------------------------------------------------------------------------

    def ways(self, name: str, prefix: str = BEHIND) -> set[str]:
        """The gateways of a prefix in Linux."""
        words = self.at[name].ip("route", "show", prefix).split()
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
            made[name] = Accelerated(lab.at[name], f"{name}{os.getpid()}", DEVICES[name])
            undo.callback(commands.run, None, "unload", made[name].name)  # unless the test has done that
        yield made
