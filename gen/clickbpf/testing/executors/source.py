"""A configuration to test, and its compilation."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.plan import Options
from clickbpf.testing.record import ELEMENTS
from clickbpf.vocabulary.library import Library

#: The path of a .click file, or a configuration's text.
Configuration = str | Path


@frozen
class Source:
    """A test's description of its router; `options` are arguments of clickbpf.plan.Options."""

    configuration: Configuration
    variables: tuple[tuple[str, str], ...] = ()
    library: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    threads: int = 1

    @property
    def file(self) -> Path | None:
        """The configuration's file; None if it was given as text. A text that ends in .click is a file's path."""
        if isinstance(self.configuration, Path) or self.configuration.endswith(".click"):
            return Path(self.configuration)
        return None

    def compile(self) -> Compilation:
        """A new compilation, with elements of its own for the executor. ClickError if there are mistakes."""
        library, variables = _library(self.library), dict(self.variables)
        text = str(self.configuration)
        checked = check_file(self.file, library, variables) if self.file else check_text(text, library, variables)
        return Compilation(checked, Options(**dict(self.options)))


@cache
def _library(directories: tuple[str, ...]) -> Library:
    """The element classes of the user, the harness and the library."""
    return Library.standard((*directories, ELEMENTS))


def addresses(devices: tuple[str, ...], given: Mapping[str, str]) -> dict[str, bytes]:
    """An Ethernet address, 6 bytes, for each device: the given one, or a local one with the device's number from 1 on.

    ClickError if an address is given for a device that the router doesn't have, or is not an Ethernet address.
    """
    unknown = [device for device in given if device not in devices]
    if unknown:
        raise ClickError(f"the router has no device {unknown[0]}", hint=f"its devices are {', '.join(devices)}")
    return {
        device: _address(given[device]) if device in given else bytes((2, 0, 0, 0, 0, number)) for number, device in enumerate(devices, 1)
    }


def _address(text: str) -> bytes:
    if not re.fullmatch(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}", text):
        raise ClickError(f"'{text}' is not an Ethernet address")
    return bytes.fromhex(text.replace(":", ""))
