"""Two Linux routers that keepalived moves an address between; `clickbpf accelerate` can be over both.

    host 10.0.1.9 -- 10.0.1.0/24 -- eth0 first, second eth1 -- 10.0.2.0/24 -- sink 10.0.2.9, 198.18.0.1

The host's gateway is 10.0.1.1, which `first` has as long as it is there, and else `second`.
"""

import shutil
import tempfile
from contextlib import ExitStack
from ipaddress import IPv4Address
from pathlib import Path

from tests.bench.swaps import Route, Traffic

from clickbpf.testing.netns import Network

NAMES = ("first", "second")
GATEWAY, BEHIND, RATE = "10.0.1.1", "198.18.0.1", 1000
VRRP = """
global_defs {{ vrrp_version 3 }}
vrrp_instance gateway {{
	interface eth0
	virtual_router_id 7
	priority {priority}
	advert_int 0.1
	garp_master_delay 1
	virtual_ipaddress {{ {gateway}/24 dev eth0 }}
}}
"""


class Pair:
    """The routers, between the host and the sink."""

    def __init__(self, undo: ExitStack):
        network = undo.enter_context(Network())
        self.folder = Path(tempfile.mkdtemp(prefix="routed"))
        undo.callback(shutil.rmtree, self.folder)
        self.switch = network.namespace("switch")
        self.at = {name: network.namespace(name) for name in (*NAMES, "host", "sink")}
        for side in (1, 2):
            self.switch.ip("link", "add", f"br{side}", "up", "type", "bridge")
        for number, name in enumerate(NAMES):
            self.at[name].sysctl("net.ipv4.ip_forward", "1")
            for side in (1, 2):
                self._plug(network, side, name, f"eth{side - 1}", f"10.0.{side}.{2 + number}/24")
            self.at[name].route(f"{BEHIND}/32", "10.0.2.9")
        self._plug(network, 1, "host", "eth0", "10.0.1.9/24")
        self._plug(network, 2, "sink", "eth0", "10.0.2.9/24")
        self.at["host"].route("default", GATEWAY)
        for number, name in enumerate(NAMES):
            config = self.folder / f"{name}.conf"
            config.write_text(VRRP.format(priority=200 - 50 * number, gateway=GATEWAY))
            places = {"-f": config, "-p": self.folder / f"{name}.pid", "-r": self.folder / f"{name}.vrrp.pid"}
            with (self.folder / f"{name}.log").open("w") as log:
                words = (str(word) for each in places.items() for word in each)
                self.at[name].popen("keepalived", "-n", "-l", "-P", *words, stdout=log, stderr=log)

    def _plug(self, network: Network, side: int, name: str, device: str, address: str) -> None:
        network.veth(self.switch, f"{name}{side}", self.at[name], device)
        self.switch.ip("link", "set", f"{name}{side}", "master", f"br{side}")
        self.at[name].offload(device, tx=False, gro=True)
        self.switch.offload(f"{name}{side}", tx=False, gro=True)
        self.at[name].address(device, address)

    def owner(self) -> str | None:
        """Who has the gateway's address, if just one of them has it."""
        having = [name for name in NAMES if f"{GATEWAY}/" in self.at[name].ip("-4", "address", "show", "dev", "eth0")]
        return having[0] if len(having) == 1 else None

    def traffic(self, undo: ExitStack) -> Traffic:
        """A flow from the host to behind the sink, by Linux's gateway."""
        route = Route(None, IPv4Address("10.0.1.9"), IPv4Address(BEHIND))
        made = Traffic(self.at["host"], self.at["sink"], RATE, undo, flows=1, route=route)
        made.start()
        undo.callback(made.stop)
        return made
