"""The loaded routers and their states."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.devices.attachments import pinned
from clickbpf.load.devices.lanes import Lanes
from clickbpf.load.devices.record import Record, record_if_readable
from clickbpf.load.devices.spread import Level, Spread
from clickbpf.load.files import places, states
from clickbpf.load.files.places import Pins, RunFolder, not_loaded
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.process import service

#: The environment variable with the router that commands use by default.
ROUTER_VARIABLE = "CLICKBPF_ROUTER"


@frozen
class Attachment:
    """A program on a device, with the device's name when the router was loaded; not `attached` once the device is gone."""

    device: str
    program: int
    attached: bool


@frozen
class Loaded:
    """A loaded router and its state (states.py). `runtime` is the process id of its runtime, None if none runs; `uptime` is in seconds;
    `mode` is the XDP mode; `crossings` is how each device sends. If not `complete`, parts are missing."""

    name: str
    state: str
    mode: str
    runtime: int | None
    uptime: float | None
    devices: dict[str, str]
    attachments: tuple[Attachment, ...]
    complete: bool
    #: The priority of its programs among others on the devices; None if it has the devices' XDP hooks for itself.
    priority: int | None = None
    #: The CPUs that packets are spread over, if they are; and by device, the packets that wait for each CPU.
    spread: Lanes | None = None
    levels: dict[str, list[Level]] = field(default_factory=dict)
    crossings: dict[str, str] = field(default_factory=dict)
    #: How the runtime's code was compiled (states.py); empty if no runtime runs.
    code: str = ""
    #: The network namespace of its devices: a name of `ip netns`, or a path; empty for this process's own, None if it is gone.
    namespace: str | None = ""
    #: Whether the load is undone unless it is confirmed (`load --confirm`).
    unconfirmed: bool = False

    @property
    def condition(self) -> str:
        """The state in words, with anything special about the router and its code."""
        special = ("unconfirmed" if self.unconfirmed else "", "" if self.code == states.OPTIMISED else self.code)
        return ", ".join((self.state, *filter(None, special)))


def describe(name: str) -> Loaded:
    """The state of one router."""
    pins, folder = Pins.of(name), RunFolder.of(name)
    runtime = service.alive(folder)
    record = record_if_readable(folder)
    complete = pins.exists() and record.namespace != ""
    attachments = record.inside_home(lambda: tuple(_attachments(pins)))
    return Loaded(
        name=name,
        state=states.state(folder, runtime, complete, (attachment.attached for attachment in attachments)),
        mode=record.mode,
        runtime=runtime,
        uptime=service.uptime(folder),
        devices=dict(record.devices),
        crossings=json.loads(private.read(folder.crossings) or "{}") if runtime is not None else {},
        code=states.code(folder) if runtime is not None else "",
        attachments=attachments,
        complete=complete,
        priority=record.priority,
        namespace=_namespace(record),
        unconfirmed=folder.unconfirmed.exists(),
        spread=record.spread,
        levels=record.inside_home(lambda: dict(_levels(pins))),
    )


def _namespace(record: Record) -> str | None:
    found, path = record.home
    if path is None:
        return "" if found or not record.namespace else None
    return path.name if path.parent == namespaces.NAMED else str(path)


def _attachments(pins: Pins):
    for path in pins.links():
        with suppress(BpfError), pinned(path) as link:
            info = link.info()
            yield Attachment(places.decode(path.name), info.prog_id, info.ifindex != 0)


def _levels(pins: Pins):
    for path in pins.entrances():
        with suppress(BpfError), pinned(path) as link:
            if isinstance(link, Spread):
                yield places.decode(path.name), link.levels()


def choose_first(words: Sequence[str]) -> tuple[str, list[str]]:
    """The router, and the words that don't name it. The first word names the router if it is the name of a loaded one, or if the
    environment names none; otherwise the router is that of choose(None)."""
    if words and (words[0] in places.loaded() or not os.environ.get(ROUTER_VARIABLE)):
        return choose(words[0]), list(words[1:])
    return choose(None), list(words)


def choose(name: str | None, option: str = "") -> str:
    """The router of that name, which `option` gives if it isn't a word by itself; for None the one that the environment names, or the only
    one that is loaded. An empty name, such as the value of an unset shell variable, names no router."""
    if name is None:
        name = os.environ.get(ROUTER_VARIABLE) or None
    names = list(places.loaded())
    if name is not None and name in names:
        return name
    if name is not None:
        raise not_loaded(name)
    if not names:
        raise ClickError("no router is loaded", hint="clickbpf load FILE")
    if len(names) > 1:
        by = f" by {option}" if option else ""
        raise ClickError("more than one router is loaded", hint=f"name one of them{by}: {', '.join(names)}")
    return names[0]
