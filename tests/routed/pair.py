"""Two Linux routers that keepalived moves an address between; `clickbpf accelerate` can be over both.

    host 10.0.1.9 -- 10.0.1.0/24 -- eth0 first, second eth1 -- 10.0.2.0/24 -- sink 10.0.2.9, 198.18.0.1

The host's gateway is 10.0.1.1, which `first` has as long as it is there, and else `second`.
"""

import shutil
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from clickbpf.testing.netns import Network

NAMES = ("first", "second")
GATEWAY, BEHIND, PORT = "10.0.1.1", "198.18.0.1", 7000
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
    """The routers, and datagrams with numbers from the host to the sink."""

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
        self.at["sink"].address("lo", f"{BEHIND}/32")
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


class Numbered:
    """Datagrams that the host sends, a thousand a second, and those that have arrived."""

    def __init__(self, pair: Pair, undo: ExitStack):
        self.sent, self.arrived = 0, set[int]()
        self._ended = False
        self._from, self._to = (undo.enter_context(pair.at[name].socket(kind=2)) for name in ("host", "sink"))
        self._to.bind((BEHIND, PORT))
        self._to.settimeout(0.1)
        self._threads = [threading.Thread(target=each) for each in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()
        undo.callback(self.stop)

    def _send(self) -> None:
        while not self._ended:
            with suppress(OSError):  # what became of an earlier one
                self._from.sendto(self.sent.to_bytes(8), (BEHIND, PORT))
            self.sent += 1
            time.sleep(0.001)

    def _receive(self) -> None:
        while not self._ended:
            try:
                self.arrived.add(int.from_bytes(self._to.recv(16)))
            except TimeoutError:
                continue

    def lost(self, start: int, end: int) -> list[int]:
        """Numbers of this range that have not arrived."""
        return [number for number in range(start, end) if number not in self.arrived]

    def stop(self) -> None:
        self._ended = True
        for thread in self._threads:
            thread.join()
