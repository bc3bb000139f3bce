"""Switches in a ring, live: no storm, one root, a cut link heals in the standard's time, hosts that move are found again."""

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from tests.waiting import eventually

from clickbpf.load.access.access import Access
from clickbpf.testing.netns import Namespace, Network, ip
from clickbpf.testing.traffic import RawPort, ping

from .ring import tree_switch

#: Seconds. The standard's are 2, 20 and 15.
HELLO, MAX_AGE, DELAY = 0.2, 2.0, 0.6
TIMES = f"HELLO_TIME {HELLO}, MAX_AGE {MAX_AGE}, FORWARD_DELAY {DELAY}"
#: What may come on top of the protocol's times: this machine is slow, and a message may be waited for.
SLACK = 30.0
PORTS = ("eth0", "eth1", "eth2")
WANDERER, OTHER = "02:00:00:00:aa:01", "02:00:00:00:aa:02"

pytestmark = pytest.mark.needs("root")


def frame(to: str, source: str) -> bytes:
    return bytes.fromhex((to + source).replace(":", "")) + b"\x88\xb5" + bytes(46)


class Switch:
    """A clickbpf switch in a namespace of its own: eth0 and eth1 are in the ring, eth2 has a host."""

    def __init__(self, number: int, inside: Namespace):
        self.inside, self.name = inside, f"ring{os.getpid()}-{number}"
        text = tree_switch(3, f"02:00:00:00:00:{number:02x}", f"BRIDGE_PRIORITY {0x1000 * number}, {TIMES}")
        self.inside.clickbpf("load", "-n", self.name, "-e", text)

    def states(self) -> list[str]:
        return [line.split(" ", 1)[1] for line in Access(self.name).read("tree.states").splitlines()]

    def root(self) -> str:
        return Access(self.name).read("tree.msgs").splitlines()[-1].split("-> ")[1].split()[0].zfill(16)

    def close(self) -> None:
        self.inside.clickbpf("unload", self.name)


class LinuxBridge:
    """The same by Linux; its priority makes it the last choice as root."""

    def __init__(self, inside: Namespace):
        self.inside = inside
        times = ("forward_delay", "200", "hello_time", "100", "max_age", "600")
        inside.ip("link", "add", "br0", "type", "bridge", "stp_state", "1", "priority", "61440", *times)
        for device in PORTS:
            inside.ip("link", "set", device, "master", "br0")
        inside.ip("link", "set", "br0", "up")

    def root(self) -> str:
        # sysfs, which `ip netns exec` mounts for the namespace: `ip link` shows the bridge's own identifier as the root's.
        return ip("netns", "exec", self.inside.name, "cat", "/sys/class/net/br0/bridge/root_id").strip().replace(".", "")

    def states(self) -> list[str]:
        links = [json.loads(self.inside.ip("-d", "-j", "link", "show", "dev", device))[0] for device in PORTS]
        return [link["linkinfo"]["info_slave_data"]["state"] for link in links]

    def close(self) -> None:
        """The namespace takes it along."""


class Ring:
    """Three switches, of which the last may be Linux's, and a host on each."""

    def __init__(self, undo: ExitStack, linux: bool):
        net = undo.enter_context(Network())
        inside = [net.namespace(f"switch{i}") for i in range(3)]
        for i in range(3):
            net.veth(inside[i], "eth1", inside[(i + 1) % 3], "eth0")
        self.hosts = [net.host(f"host{i}", inside[i], "eth2", f"10.9.0.{i + 1}/24") for i in range(3)]
        for namespace in inside:
            for device in PORTS:
                namespace.offload(device, gro=True)
        with ThreadPoolExecutor() as pool:
            self.switches = list(pool.map(lambda i: LinuxBridge(inside[i]) if linux and i == 2 else Switch(i + 1, inside[i]), range(3)))
        undo.callback(lambda: [switch.close() for switch in self.switches])
        self.ports = [undo.enter_context(RawPort(host, "eth0")) for host in self.hosts]

    def states(self) -> list[str]:
        return [state for switch in self.switches for state in switch.states()]

    def settled(self) -> bool:
        """One port blocks, all others forward."""
        last = [state.split()[-1] for state in self.states()]
        return last.count("blocking") == 1 and last.count("forwarding") == 8

    def seen(self, sender: int, frame: bytes, expected: int) -> list[int]:
        """How often each host gets a frame that one sends, once this many have arrived and some time has passed in which more
        could."""
        counts = [0, 0, 0]

        def look() -> bool:
            for number, port in enumerate(self.ports):
                counts[number] += sum(got == frame for got in iter(port.receive, None))
            return sum(counts) >= expected

        self.ports[sender].send(frame)
        eventually(look)
        time.sleep(0.3)
        look()
        return counts


def wait(condition: Callable[[], bool], patience: float) -> float:
    """Seconds until the condition holds."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < patience, f"not within {patience} seconds"
        time.sleep(0.05)
    return time.monotonic() - start


@pytest.mark.whole
@pytest.mark.parametrize("linux", [False, True], ids=["alone", "with Linux"])
def test_a_ring(linux):
    with ExitStack() as undo:
        ring = Ring(undo, linux)
        wait(ring.settled, MAX_AGE + 2 * DELAY + SLACK)
        assert {switch.root() for switch in ring.switches} == {"1000020000000001"}
        assert ring.seen(0, frame("ff:ff:ff:ff:ff:ff", WANDERER), 2) == [0, 1, 1]

        # The wanderer is behind another switch now: packets to it follow.
        assert ring.seen(1, frame("ff:ff:ff:ff:ff:ff", WANDERER), 2) == [1, 0, 1]
        assert ring.seen(0, frame(WANDERER, OTHER), 1) == [0, 1, 0]

        assert ping(ring.hosts[0], "10.9.0.2", 3) == 3
        ring.switches[0].inside.ip("link", "set", "eth1", "down")
        healed = wait(lambda: ping(ring.hosts[0], "10.9.0.2", wait=1) == 1, MAX_AGE + 2 * DELAY + SLACK)
        assert healed >= 2 * DELAY
        assert "blocking" not in " ".join(ring.switches[2].states())
        assert ring.seen(2, frame("ff:ff:ff:ff:ff:ff", WANDERER), 2) == [1, 1, 0]
