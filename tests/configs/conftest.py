"""Routers between Linux hosts in network namespaces, for configurations whose claim is about hosts."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from clickbpf.observe.snapshot import RUNTIME, Observer
from clickbpf.testing.netns import Namespace, Network

CLICKBPF = Path(sys.executable).with_name("clickbpf")
#: The three ways into the kernel that devices have, as options of `load`.
WAYS = [(), ("--mode", "generic"), ("--hook", "tc")]
#: Compiling and loading, on a busy machine.
PATIENCE = 120.0

_numbers = itertools.count(1)


class Loaded:
    """A configuration that runs in a namespace, which has the devices that it names."""

    def __init__(self, where: Namespace, configuration: Path, options: Sequence[str] = (), **variables: str):
        self.name, self.where = f"conf{os.getpid()}-{next(_numbers)}", where
        settings = [f"{name}={value}" for name, value in variables.items()]
        self.clickbpf("load", "-n", self.name, *options, str(configuration), *settings)

    def clickbpf(self, *arguments: str) -> str:
        return self.where.run(str(CLICKBPF), *arguments, timeout=PATIENCE).stdout

    def read(self, handler: str) -> str:
        return self.clickbpf("read", "-r", self.name, handler).strip()

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
