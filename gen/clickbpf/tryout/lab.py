"""A router in a namespace of its own, and on each of its devices a Linux host in another.

    host of eth0                        router                        host of eth1
    eth0 10.0.0.2/24  ------  eth0 10.0.0.1   10.0.1.1 eth1  ------  eth0 10.0.1.2/24
"""

import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.interrupts import uninterrupted
from clickbpf.load.files import places
from clickbpf.load.kernel.namespaces import call_inside
from clickbpf.load.life.unload import unload
from clickbpf.testing import netns
from clickbpf.testing.netns import Namespace, Network
from clickbpf.tryout.addresses import Address, Host, Interface

#: The prefix of the namespaces' names; the router's name is this and the id of the process that made it.
PREFIX = "try"
#: The name of the router's own namespace; a host's namespace has the name of its device.
ROUTER = "router"
#: The first byte of hosts' Ethernet addresses, locally administered and unusual in configurations. Zeros, the device's number and a 2
#: follow.
HOSTS = 0x06
#: The longest name of a device: IFNAMSIZ less the terminating zero.
LONGEST = 15
#: Seconds that processes in a namespace have to end after a signal.
END = 2.0


class Lab:
    """Namespaces for a router and its hosts; leaving the `with` block ends the processes inside and removes the namespaces."""

    def __init__(self, interfaces: Mapping[str, Interface], hosts: Mapping[str, Host]):
        remove_stale()
        self.name = f"{PREFIX}{os.getpid()}"
        self.interfaces, self.hosts = interfaces, hosts
        self.network = Network(PREFIX)
        self.namespaces: dict[str, Namespace] = {}

    def __enter__(self) -> Self:
        try:
            self._make()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def _make(self) -> None:
        _check_names(self.hosts)
        router = self.namespaces[ROUTER] = self.network.namespace(ROUTER)
        router.sysctl("net.ipv4.ip_forward", "0")
        for number, (device, host) in enumerate(self.hosts.items()):
            mac = bytes((HOSTS, 0, 0, *number.to_bytes(2), 2)).hex(":")
            made = self.namespaces[device] = self.network.host(device, router, device, mac=mac)
            interface = self.interfaces[device]
            if interface.ether:
                router.ip("link", "set", device, "address", interface.ether.hex(":"))
            for address in (interface.ip, interface.ip6):
                if address:
                    _give(router, device, address)
            for address in host.addresses:
                _give(made, "eth0", address)
            for gateway in host.gateways:
                made.ip("-6" if gateway.version == 6 else "-4", "route", "replace", "default", "via", str(gateway))

    def load(self, loading: Callable[[str], None]) -> None:
        """Call a function that loads the router under a given name, in a thread inside the router's namespace."""
        call_inside(self.namespaces[ROUTER].path, loading, self.name)

    def where(self, host: str | None) -> Namespace:
        """The namespace of the host on a device, of the first host for None, or of the router for ROUTER."""
        wanted = host if host is not None else next(iter(self.hosts), ROUTER)
        if wanted not in self.namespaces:
            raise ClickError(f"no host is on '{wanted}'", hint=f"there are {', '.join((*self.hosts, ROUTER))}")
        return self.namespaces[wanted]

    def close(self) -> None:
        with uninterrupted():
            clean(os.getpid())
        self.network.namespaces.clear()


def _check_names(devices: Iterable[str]) -> None:
    """ClickError for names that devices or namespaces can't have. (Other commands can use devices with other names instead.)"""
    wrong = [name for name in devices if not re.fullmatch(r"[^\s/:]+", name) or len(os.fsencode(name)) > LONGEST or name in (".", "..")]
    hint = f"a name has at most {LONGEST} bytes, none of them a space, '/' or ':'"
    if wrong:
        raise ClickError([Diagnostic(None, f"no device can have the name '{name}'", hint) for name in wrong])


def _give(host: Namespace, device: str, address: Address) -> None:
    """Give a host's device an address; for IPv6 without duplicate address detection, which takes a second."""
    if address.version == 6:
        host.sysctl(f"net/ipv6/conf/{device}/disable_ipv6", "0")
        host.ip("-6", "address", "add", str(address), "dev", device, "nodad")
    else:
        host.address(device, str(address))


# -- cleaning up --------------------------------------------------------------------------------------------------------


def clean(owner: int) -> None:
    """Remove what the process with this id has made: its router, the processes in its namespaces, and the namespaces. Tries everything,
    then raises a ClickError with all failures."""
    failures: list[Diagnostic] = []
    name = f"{PREFIX}{owner}"
    try:
        if name in places.loaded():
            unload(name, lambda text: None)
    except ClickError as error:
        failures += error.diagnostics
    paths = [path for path, made_by in netns.made_under(PREFIX) if made_by == owner]
    end_inside(paths)
    for path in paths:
        netns.remove(path)
    left = [path.name for path in paths if path.exists()]
    failures += [Diagnostic(None, f"{each} is left", f"ip netns delete {each}") for each in left]
    if failures:
        raise ClickError(failures)


def remove_stale() -> None:
    """Remove what killed processes have left behind."""
    routers = (re.fullmatch(rf"{PREFIX}(\d+)", name) for name in places.loaded())
    owners = {int(found[1]) for found in routers if found} | {owner for _, owner in netns.made_under(PREFIX)}
    for owner in owners:
        if not Path("/proc", str(owner)).exists():
            clean(owner)


def end_inside(namespaces: list[Path]) -> None:
    """End the processes in these namespaces by SIGHUP and SIGTERM, and kill those that remain."""
    inodes = {path.stat().st_ino for path in namespaces if path.exists()}
    for number, patience in ((signal.SIGHUP, 0.0), (signal.SIGTERM, END), (signal.SIGKILL, END)):
        inside = _inside(inodes)
        for pid in inside:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        end = time.monotonic() + patience
        while _inside(inodes) and time.monotonic() < end:
            time.sleep(0.02)


def _inside(inodes: set[int]) -> list[int]:
    """The processes in these namespaces, without zombies."""
    found = []
    for entry in Path("/proc").iterdir() if inodes else ():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                found += [int(entry.name)] if (entry / "ns" / "net").stat().st_ino in inodes else []
    return found
