"""Four namespaces in a line, a host, two for routers, and a host, with cables that can be taken away and laid again."""

import json
import re

from clickbpf.testing.netns import Namespace, Network

LABELS = ("source", "one", "two", "sink")


class Line:
    """`at` has the namespaces. Cable N is between eth1 of namespace N (the source's eth0) and eth0 of the next one."""

    def __init__(self, net: Network):
        self._net, self.at = net, [net.namespace(label) for label in LABELS]
        #: The last that was seen of each counter of each device, those of devices that are gone included.
        self._counted: dict[tuple[str, int, str], int] = {}
        for number in range(len(LABELS) - 1):
            self.lay(number)

    def lay(self, number: int) -> None:
        near, far = self.at[number : number + 2]
        self._net.veth(near, _out_of(number), far, "eth0")
        if number < 2:
            far.run("ethtool", "-K", "eth0", "gro", "on")  # so that Linux takes redirected frames while no router does

    def cut(self, number: int) -> None:
        self.at[number].ip("link", "delete", _out_of(number))

    def renew(self, number: int) -> Namespace:
        """Another namespace with cables in place of one that is gone."""
        self.at[number] = self._net.namespace(LABELS[number])
        for cable in (number - 1, number):
            self.lay(cable)
        return self.at[number]

    def counted(self) -> int:
        """Frames that no router was given, or that none has taken, as far as was seen before the devices went: those that the host's device
        didn't send, and those that came to Linux, which knows nobody for them."""
        self._look(0, "eth0", "tx")
        for number in (1, 2):
            self._look(number, "eth0", "rx")
        return sum(self._counted.values())

    def _look(self, number: int, device: str, way: str) -> None:
        namespace = self.at[number]
        (link,) = json.loads(namespace.ip("-j", "-s", "-s", "link", "show", "dev", device))
        found = link["stats64"][way]["dropped"] + link["stats64"][way].get("otherhost", 0)
        if way == "tx":
            found += _driver(namespace, device, r"tx_queue_\d+_xdp_xmit_errors")
        else:  # what a router's program redirected in vain is dropped here, too, and a drop of the router's
            found -= _driver(namespace, device, r"rx_queue_\d+_drops")
        self._counted[namespace.name, link["ifindex"], way] = found


def _out_of(number: int) -> str:
    return "eth1" if number else "eth0"


def _driver(namespace: Namespace, device: str, counter: str) -> int:
    lines = namespace.run("ethtool", "-S", device).stdout.splitlines()
    return sum(int(line.partition(":")[2]) for line in lines if re.match(rf"\s*{counter}:", line))
