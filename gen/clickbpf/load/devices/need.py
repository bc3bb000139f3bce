"""What routers need of the devices that they are put on: a class for each need, all of them in the table NEEDS (needs.py)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar, Protocol

from clickbpf.frozen import frozen
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.settings import SHORT, Change, Peer, out_of_reach, switch
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.fds import Map, Program
from clickbpf.objects.manifest import Manifest


class Asked(Protocol):
    """What needs see of a request to load (life/loader.py)."""

    manifest: Manifest
    devices: Sequence[Device]
    mode: str
    crossing: str
    priority: int | None
    spread: Any
    taken: frozenset[str]


class Programs(Protocol):
    """What needs see of a kernel path (path/kernelpath.py)."""

    manifest: Manifest
    programs: Mapping[str, Program]
    spreads: Mapping[str, Any]
    slots: int

    def role(self, role: str) -> Map | None:
        """The only map of a role."""


@frozen
class Wanted:
    """Settings that are to be switched at a device, or at the other end of its cable: `at` is None if that is out of reach. What can't
    be switched, or mustn't be, is the user's to switch by `advice`; without any, failing to switch is an error."""

    device: Device
    at: Peer | None
    features: Mapping[str, bool]
    advice: str = ""

    def switched(self, allowed: bool, say: Callable[[str], None]) -> Iterator[Change]:
        """Switch them, and say so."""
        to_switch = self._to_switch(allowed)
        try:
            for feature, wanted in to_switch:
                namespaces.call_inside(self.at.path, switch, self.at.device, {feature: wanted})
                say(f"{self.device}: {SHORT[feature]} {_on(wanted)}{self._where}, until the router is unloaded")
                yield Change(self.at if self._where else Peer.here(self.at.device, self.at.ifindex), feature, not wanted)
            if to_switch:
                return
        except out_of_reach():
            if not self.advice:
                raise
        say(self.advice)

    def told(self, allowed: bool) -> list[str]:
        """The lines of a preview."""
        switched = [f"{self.device}: {SHORT[name]} is switched {_on(on)}{self._where}" for name, on in self._to_switch(allowed)]
        return switched or [self.advice]

    def _to_switch(self, allowed: bool) -> list[tuple[str, bool]]:
        return list(self.features.items()) if self.at and (allowed or not self.advice) else []

    @property
    def _where(self) -> str:
        return f" at the other end, {self.at}" if (self.at.device, self.at.path) != (self.device.name, None) else ""


def _on(wanted: bool) -> str:
    return "on" if wanted else "off"


@frozen
class Attaching:
    """A router whose programs are being attached, in a `mode` of XDP or "tc". Devices, by index, are `given` the router's classifiers for
    Linux already. `undo` detaches what is attached if loading fails; `keep` has what stays as long as the router."""

    request: Asked
    path: Programs
    mode: str
    given: frozenset[int]
    undo: ExitStack
    keep: Pins | ExitStack


class Need:
    """A need of routers. What a class doesn't define is nothing. Each is asked about every router."""

    #: Variables of programs, with the functions that make their values from all devices but the inlet. Only what the object has is made.
    variables: ClassVar[Mapping[str, Callable[[Sequence[Device]], bytes]]] = {}
    #: The names under which links are pinned, for a need that attaches programs.
    hooks: ClassVar[tuple[str, ...]] = ()

    def check(self, request: Asked) -> None:
        """ClickError if the router can't be on these devices."""

    def lacking(self, request: Asked) -> Iterator[str]:
        """A line for each thing that isn't there, and that only the user can change."""
        yield from ()

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        """Settings to switch before programs send by a device; `mode` as for Attaching."""
        yield from ()

    def attach(self, to: Attaching) -> Sequence[TcFilter]:
        """Attach what Linux's stack and outgoing packets need. Links are kept; returns classifiers, each of which `undo` detaches."""
        return ()


def keep_link(link, device: Device, hook: str, keep: Pins | ExitStack) -> None:
    """Pin the link, or hold it until the stack is closed."""
    if isinstance(keep, ExitStack):
        keep.enter_context(link)
        return
    with link:
        path = keep.link(device.name, hook)
        path.parent.mkdir(parents=True, exist_ok=True)
        link.pin(path)


def entered(request: Asked) -> list[Device]:
    """The existing devices that packets enter by."""
    programs = {program.device for program in request.manifest.programs}
    return [device for device in request.devices if device.configured in programs]
