"""Network namespaces, veth pairs and Linux hosts for tests; their names contain the process id, and they are always removed.

    with Network() as net:
        left, right = net.namespace("left"), net.namespace("right")
        net.veth(left, "eth0", right, "eth0")
        left.address("eth0", "10.0.0.1/24")
        right.address("eth0", "10.0.0.2/24")
        left.run("ping", "-c1", "10.0.0.2")

Needs root (or CAP_NET_ADMIN and CAP_SYS_ADMIN), iproute2 and util-linux.
"""

import itertools
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.load.files.process import own_environment
from clickbpf.load.kernel.namespaces import call_inside

PREFIX = "cbt"
FOLDER = Path("/run/netns")
#: Seconds that a command in a namespace may take; and `clickbpf`, which may compile.
PATIENCE, COMPILING = 30.0, 180.0
#: The command line of this package.
CLICKBPF = (sys.executable, "-m", "clickbpf.cli.main")

_numbers = itertools.count(1)
Result = TypeVar("Result")


class Namespace:
    """A named network namespace with loopback up, and IPv6 off, since its neighbour discovery would disturb tests."""

    def __init__(self, label: str = "ns", prefix: str = PREFIX):
        self.name = f"{prefix}{os.getpid()}-{next(_numbers)}-{label}"
        self.path = FOLDER / self.name
        self._children: list[subprocess.Popen] = []
        ip("netns", "add", self.name)
        try:
            for which in ("all", "default"):
                self.sysctl(f"net.ipv6.conf.{which}.disable_ipv6", "1")
            self.ip("link", "set", "lo", "up")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the processes started inside, and remove the namespace with its devices."""
        for child in self._children:
            if child.poll() is None:
                child.kill()
            child.wait()
        self._children.clear()
        if self.path.exists():
            ip("netns", "delete", self.name)

    # -- commands ---------------------------------------------------------------------------------------------------

    def ip(self, *arguments: str) -> str:
        """Run `ip` on this namespace; returns its output."""
        return ip("-n", self.name, *arguments)

    def run(self, *command: str, check: bool = True, timeout: float = PATIENCE, **options: Any) -> subprocess.CompletedProcess:
        """Run a command inside and wait for it; its output is text. ClickError if it fails and `check` is set.

        Only the network differs: mounts, including /sys/fs/bpf, are the caller's.
        """
        return _run(self.command(*command), check, timeout, **options)

    def clickbpf(self, *words: str, **options: Any) -> str:
        """Run `clickbpf` inside; returns its output."""
        return self.run(*CLICKBPF, *words, timeout=COMPILING, env=own_environment(), **options).stdout

    def popen(self, *command: str, **options: Any) -> subprocess.Popen:
        """Start a command inside; if it is still running when the namespace is closed, it is killed."""
        child = subprocess.Popen(self.command(*command), **options)
        self._children.append(child)
        return child

    def command(self, *command: str) -> list[str]:
        """The command line that runs `command` inside."""
        return ["nsenter", f"--net={self.path}", "--", *command]

    # -- threads and sockets ----------------------------------------------------------------------------------------

    def call(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function in a separate thread inside; the caller's thread stays in its own namespace."""
        return call_inside(self.path, function, *arguments)

    def socket(self, family: int = socket.AF_INET, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> socket.socket:
        """A socket of this namespace, for any thread."""
        return self.call(socket.socket, family, kind, protocol)

    # -- configuration ----------------------------------------------------------------------------------------------

    def sysctl(self, name: str, value: str) -> None:
        """Set a `net.*` variable of this namespace."""
        self.call(Path("/proc/sys", name.replace(".", "/")).write_text, value)

    def address(self, device: str, address: str) -> None:
        """Give a device an address with its prefix length, `10.0.0.1/24`."""
        self.ip("address", "add", address, "dev", device)

    def route(self, destination: str, gateway: str) -> None:
        """Route a prefix, or `default`, through a gateway."""
        self.ip("route", "replace", destination, "via", gateway)

    def neighbour(self, device: str, address: str, mac: str) -> None:
        """Add a permanent ARP entry."""
        self.ip("neighbour", "replace", address, "lladdr", mac, "dev", device, "nud", "permanent")

    def mac(self, device: str) -> str:
        """A device's Ethernet address."""
        found = re.search(r"link/ether (\S+)", self.ip("-o", "link", "show", "dev", device))
        if not found:
            raise ClickError(f"{device} in {self.name} has no Ethernet address")
        return found[1]

    def ifindex(self, device: str) -> int:
        return self.call(socket.if_nametoindex, device)

    def offload(self, device: str, **features: bool) -> None:
        """Switch offloads by ethtool's short names: `offload("eth0", tx=False)` makes the host compute its checksums."""
        words = [word for name, on in features.items() for word in (name, "on" if on else "off")]
        self.run("ethtool", "-K", device, *words)


class Network(Closing):
    """Namespaces and veth pairs between them; leaving the `with` block always removes everything."""

    def __init__(self, prefix: str = PREFIX) -> None:
        """`prefix` begins the namespaces' names; namespaces left under it by killed processes are removed."""
        remove_stale(prefix)
        self.prefix = prefix
        self.namespaces: list[Namespace] = []

    def namespace(self, label: str = "ns") -> Namespace:
        made = Namespace(label, self.prefix)
        self.namespaces.append(made)
        return made

    def veth(
        self,
        one: Namespace,
        device: str,
        other: Namespace,
        peer: str,
        *,
        macs: tuple[str, str] | None = None,
        mtu: int = 1500,
    ) -> None:
        """Make a veth pair, `device` in `one` and `peer` in `other`, both up."""
        ip("link", "add", device, "netns", one.name, "type", "veth", "peer", "name", peer, "netns", other.name)
        for end, (namespace, name) in enumerate(((one, device), (other, peer))):
            if macs:
                namespace.ip("link", "set", name, "address", macs[end])
            namespace.ip("link", "set", name, "mtu", str(mtu), "up")

    def host(
        self,
        label: str,
        router: Namespace,
        device: str,
        address: str | None = None,
        gateway: str | None = None,
        mac: str | None = None,
    ) -> Namespace:
        """Make a Linux host connected to `device` of the router by its interface `eth0`, perhaps with an address and a default route.

        Checksum offload is off: nobody would compute the checksums of packets that XDP forwards over veth.
        """
        made = self.namespace(label)
        self.veth(router, device, made, "eth0")
        if mac:
            made.ip("link", "set", "eth0", "address", mac)
        made.offload("eth0", tx=False, gro=True)
        if address:
            made.address("eth0", address)
        if gateway:
            made.route("default", gateway)
        return made

    def close(self) -> None:
        """Try to remove everything, then raise the first failure."""
        failures: list[ClickError] = []
        while self.namespaces:
            try:
                self.namespaces.pop().close()
            except ClickError as error:
                failures.append(error)
        if failures:
            raise failures[0]


@contextmanager
def namespace(label: str = "ns") -> Iterator[Namespace]:
    """A single namespace for a `with` block."""
    with Network() as network:
        yield network.namespace(label)


def available() -> str | None:
    """The reason why this process can't make namespaces; None if it can."""
    try:
        with namespace("probe"):
            return None
    except (ClickError, OSError) as error:
        return str(error)


def ip(*arguments: str) -> str:
    """Run iproute2's `ip`; returns its output. ClickError with its message if it fails."""
    return _run(["ip", *arguments], True, PATIENCE).stdout


def remove_stale(prefix: str = PREFIX) -> None:
    """Remove namespaces left behind by killed processes."""
    for path, owner in made_under(prefix):
        if not Path("/proc", str(owner)).exists():
            remove(path)


def made_under(prefix: str = PREFIX) -> Iterator[tuple[Path, int]]:
    """The namespaces with this prefix, each with the id of the process that made it."""
    for path in sorted(FOLDER.iterdir()) if FOLDER.is_dir() else ():
        named = re.match(rf"{re.escape(prefix)}(\d+)-\d+-", path.name)
        if named:
            yield path, int(named[1])


def remove(path: Path) -> None:
    """Remove a namespace's name, if it is still there; processes inside keep the namespace until they end."""
    _run(["ip", "netns", "delete", path.name], False, PATIENCE)


def _run(command: list[str], check: bool, timeout: float, **options: Any) -> subprocess.CompletedProcess:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)
    except FileNotFoundError as error:
        raise ClickError(f"{error.filename} is not installed", hint="network namespaces need iproute2, ethtool and util-linux") from None
    except subprocess.TimeoutExpired:
        raise ClickError(f"'{' '.join(command)}' took more than {timeout:g} seconds") from None
    if check and done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise ClickError(f"'{' '.join(command)}' failed with status {done.returncode}: {said}")
    return done
