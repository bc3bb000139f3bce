"""Routers between Linux hosts in network namespaces, for configurations whose claim is about hosts."""

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests import commands
from tests.configs.traffic import CONFIGS

from clickbpf.observe.snapshot import RUNTIME, Observer
from clickbpf.testing.netns import Namespace, Network

#: The three ways into the kernel that devices have, as options of `load`.
WAYS = [(), ("--mode", "generic"), ("--hook", "tc")]

_numbers = itertools.count(1)


class Loaded:
    """A configuration that runs in a namespace, which has the devices that it names."""

    def __init__(self, where: Namespace, configuration: Path, options: Sequence[str] = (), **variables: str):
        self.name, self.where = f"conf{os.getpid()}-{next(_numbers)}", where
        settings = [f"{name}={value}" for name, value in variables.items()]
        self.clickbpf("load", "-n", self.name, *options, str(configuration), *settings)

    def clickbpf(self, *arguments: str) -> str:
        return commands.run(self.where, *arguments, check=True).stdout

    def read(self, handler: str) -> str:
        return commands.read(self.name, handler)

    def write(self, handler: str, *value: str) -> None:
        self.clickbpf("write", "-r", self.name, handler, *value)

    def by_runtime(self) -> float:
        """All that the runtime has counted of packets."""
        counts = Observer(self.name).snapshot().counts
        return sum(number.value for number in counts if number.executor == RUNTIME and number.name in ("count", "byte_count"))

    def dropped(self, element: str) -> dict[str, int]:
        """The packets that an element dropped, by reason."""
        return {reason: int(count) for count, reason in (line.split() for line in self.read(f"{element}.drop_reasons").splitlines())}

    def unload(self) -> None:
        self.clickbpf("unload", self.name)


class Gateways:
    """The gateways of two sites, 1 and 2, with eth1 of each at a cable between them."""

    def __init__(self, network: Network, load: Callable[..., Loaded], configuration: str):
        self._load, self._path = load, CONFIGS / configuration
        self.places = {side: network.namespace(f"gateway{side}") for side in (1, 2)}
        network.veth(self.places[1], "eth1", self.places[2], "eth1", macs=(self.net_mac(1), self.net_mac(2)))

    @staticmethod
    def site_mac(side: int) -> str:
        """The address of a gateway's eth0."""
        return f"02:00:00:00:00:{side}0"

    @staticmethod
    def net_mac(side: int) -> str:
        """The address of a gateway's eth1."""
        return f"02:00:00:00:01:{side}0"

    def load(self, side: int, **variables: str) -> Loaded:
        """Run the configuration, which ends the tunnel of a side."""
        return self._load(self.places[side], self._path, SITE_MAC=self.site_mac(side), NET_MAC=self.net_mac(side), **variables)


@pytest.fixture
def gateways(network: Network, load: Callable[..., Loaded]) -> Callable[[str], Gateways]:
    """gateways("tunnel.click"): those of a configuration."""
    return lambda configuration: Gateways(network, load, configuration)


@pytest.fixture
def load(network: Network) -> Iterator[Callable[..., Loaded]]:
    """load(namespace, path, options=["-j", "2"], NAME="value"): loaded routers, which are unloaded after the test."""
    running: list[Loaded] = []

    def make(where: Namespace, configuration: Path, **given: Any) -> Loaded:
        running.append(Loaded(where, configuration, **given))
        return running[-1]

    try:
        yield make
    finally:
        while running:
            running.pop().unload()
