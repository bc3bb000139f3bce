"""A configuration to test, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Union

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.library import Library
from clickbpf.plan import Options
from clickbpf.testing.record import ELEMENTS

#: The path of a .click file, or a configuration's text.
Configuration = Union[str, Path]


@dataclass(frozen=True)
class Source:
    """What a test says of its router; `options` are those of clickbpf.plan.Options."""

    configuration: Configuration
    variables: tuple[tuple[str, str], ...] = ()
    library: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def file(self) -> Path | None:
        """The configuration's file; None if it was given as text. A text that ends in .click is a file's path."""
        if isinstance(self.configuration, Path) or self.configuration.endswith(".click"):
            return Path(self.configuration)
        return None

    def compile(self) -> Compilation:
        """A compilation of its own: the elements in it belong to whoever runs it. ClickError if there are mistakes."""
        library, variables = _library(self.library), dict(self.variables)
        if self.file:
            checked = check_file(self.file, library, variables)
        else:
            checked = check_text(str(self.configuration), library, variables)
        return Compilation.of(checked, Options(**dict(self.options)))


@cache
def _library(directories: tuple[str, ...]) -> Library:
    """Element classes: the user's, the harness's own, the library's."""
    return Library.standard((*directories, ELEMENTS))


def addresses(devices: tuple[str, ...], given: Mapping[str, str]) -> dict[str, bytes]:
    """An Ethernet address, 6 bytes, for each device: the given one, or a local one with the device's number from 1 on."""
    made = {device: bytes((2, 0, 0, 0, 0, number)) for number, device in enumerate(devices, 1)}
    return {device: bytes.fromhex(given[device].replace(":", "")) if device in given else made[device] for device in devices}
