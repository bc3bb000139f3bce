"""A router's record, a file in its folder: how it was loaded, and what was done to devices.

Later commands read it, also those of other versions: a member that an older version didn't write has its default, and one that a later
version has added is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field, fields
from pathlib import Path
from typing import Any, Self, TypeVar

from clickbpf import private
from clickbpf.crossings import AF_XDP
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.devices.lanes import Lanes
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.pair import Pair
from clickbpf.load.devices.settings import Change, Peer
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.causes import explained
from clickbpf.objects.made import MadeDevice

Result = TypeVar("Result")

#: The members that a router has from its request (life/loader.py), and that the next one of its name inherits (life/reload.py).
REQUESTED = ("threads", "affinity", "crossing", "priority", "spread", "queues", "interrupts")


@frozen
class Done:
    """What was done to devices: `changes` of settings, also at veth peers, and TC classifiers (`filters`), which have to be detached one by
    one. `mode` is the XDP mode, or "tc"; it is empty until the programs are attached."""

    mode: str = ""
    changes: tuple[Change, ...] = ()
    filters: tuple[TcFilter, ...] = ()


@frozen
class Record(Done):
    """What is known of a router that is loaded at least partly. The members without a comment are the Request's."""

    #: The folders of its element classes, which may only be imported from trusted_library().
    library: tuple[str, ...] = ()
    threads: int = 1
    affinity: int | None = None
    crossing: str = AF_XDP
    priority: int | None = None
    spread: Lanes | None = None
    queues: int | None = None
    interrupts: tuple[int, ...] = ()
    #: The names and indices of devices by their names in the configuration; an outbound device has those of its device.
    devices: Mapping[str, str] = field(default_factory=dict)
    ifindexes: Mapping[str, int] = field(default_factory=dict)
    #: The identity of the devices' network namespace (namespaces.py); empty only in the record of a load that wrote none.
    namespace: str = ""
    #: The devices that the router has created.
    made: tuple[Pair, ...] = ()

    @classmethod
    def from_json(cls, text: str, router: str) -> Self:
        """The record in a text; ClickError if the text isn't a record."""
        try:
            members = dict(json.loads(text))
            known = {each.name for each in fields(cls)} & members.keys()
            return cls(**{name: _READERS[name](members[name]) if name in _READERS else members[name] for name in known})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            hint = f"'clickbpf unload {router}' removes the router, but can't restore the devices' settings"
            raise ClickError(f"the record of {router} can't be read: {error!r}", hint=hint) from None

    def write(self, folder: RunFolder) -> None:
        with explained(f"{folder.record} can't be written"):
            private.write(folder.record, json.dumps(asdict(self), indent=1).encode())

    def trusted_library(self) -> list[str]:
        """The folders of the router's element classes; ClickError if others may have written them."""
        from clickbpf.load.files.libraries import trusted  # which imports what reads configurations

        return trusted(self.library)

    @property
    def home(self) -> tuple[bool, Path | None]:
        """The devices' network namespace: whether it still exists, and a path to enter it, None if it is this one."""
        if self.namespace == namespaces.here():
            return True, None
        path = namespaces.locate(self.namespace)
        return path is not None, path

    def inside_home(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function where attachments can be found: members of dispatchers in the devices' namespace, if it still exists, other
        attachments anywhere."""
        found, home = self.home if self.priority is not None else (False, None)
        return namespaces.call_inside(home if found else None, function, *arguments)


def _each(read: Callable[[Any], Result]) -> Callable[[Iterable[Any]], tuple[Result, ...]]:
    return lambda plain: tuple(map(read, plain))


#: Functions that make the values of members from their form in JSON, where that is another.
_READERS: dict[str, Callable[[Any], Any]] = {
    "library": tuple,
    "interrupts": tuple,
    "spread": lambda plain: plain and Lanes(**{**plain, "cpus": tuple(plain["cpus"])}),
    "made": _each(lambda plain: Pair(**{**plain, "made": MadeDevice(**plain["made"])})),
    "changes": _each(lambda plain: Change(**{**plain, "peer": Peer(**plain["peer"])})),
    "filters": _each(lambda plain: TcFilter(**plain)),
}


def record(folder: RunFolder) -> Record:
    """The record of a router; an empty one if loading ended before it was written. ClickError if it can't be read."""
    return Record.from_json(private.read(folder.record) or "{}", folder.root.name)


def record_if_readable(folder: RunFolder) -> Record:
    """The same, but an empty one also if it can't be read."""
    with suppress(ClickError):
        return record(folder)
    return Record()


def whole_record(name: str) -> Record:
    """The record of a loaded router. ClickError if loading hasn't finished."""
    found = record(RunFolder.of(name))
    if not found.mode:
        raise ClickError(f"{name} is only partly loaded", hint=f"clickbpf unload {name}, then load")
    return found


def loaded_here() -> Iterator[tuple[str, Record]]:
    """The routers that were loaded in this network namespace, with their records."""
    here = namespaces.here()
    return ((name, found) for name in places.loaded() if (found := record_if_readable(RunFolder.of(name))).namespace == here)


def call_at_home(name: str, function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in the network namespace in which a router was loaded; ClickError if that is gone."""
    found, home = record(RunFolder.of(name)).home
    if not found:
        raise ClickError(f"the network namespace in which {name} was loaded is gone", hint=f"clickbpf unload {name}")
    return namespaces.call_inside(home, function, *arguments)
