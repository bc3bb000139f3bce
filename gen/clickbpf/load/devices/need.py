"""The needs of routers on their devices: a class for each, all of them listed in NEEDS (needs.py)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

from clickbpf.frozen import frozen
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.settings import SHORT, Change, Peer, current, out_of_reach, switch
from clickbpf.load.files.places import Pins
from clickbpf.load.kernel import namespaces

#: A request to load (life/loader.py), and a kernel path (path/kernelpath.py): these modules import this one.
Asked = KernelPath = Any


@frozen
class Wanted:
    """Settings to switch at a device or its veth peer, which is `at`: None if it is out of reach. If they can't or mustn't be switched,
    `advice` says how the user can do it; without `advice` failing to switch them is an error."""

    device: Device
    at: Peer | None
    features: Mapping[str, bool | int | str]
    advice: str = ""

    def switched(self, allowed: bool, say: Callable[[str], None]) -> Iterator[Change]:
        """Switch them, and report it; if that is impossible, report the advice. Yields what was changed."""
        to_switch = self._to_switch(allowed)
        try:
            for feature, wanted in to_switch:
                before = not wanted if isinstance(wanted, bool) else current(self.at.device, feature)
                namespaces.call_inside(self.at.path, switch, self.at.device, {feature: wanted})
                say(f"{self.device}: {SHORT.get(feature, feature)} {_on(wanted)}{self._where}, until the router is unloaded")
                yield Change(self.at if self._where else Peer.here(self.at.device, self.at.ifindex), feature, before)
            if to_switch:
                return
        except out_of_reach():
            if not self.advice:
                raise
        say(self.advice)

    def previewed(self, allowed: bool) -> list[str]:
        """The lines about them in a preview."""
        switched = [f"{self.device}: {_is_switched(name, to)}{self._where}" for name, to in self._to_switch(allowed)]
        return switched or [self.advice]

    def _to_switch(self, allowed: bool) -> list[tuple[str, bool | int | str]]:
        return list(self.features.items()) if self.at and (allowed or not self.advice) else []

    @property
    def _where(self) -> str:
        return f" at the other end, {self.at}" if (self.at.device, self.at.path) != (self.device.name, None) else ""


def _on(wanted: bool | int | str) -> str:
    return ("off", "on")[wanted] if isinstance(wanted, bool) else f"set to {wanted}"


def _is_switched(feature: str, wanted: bool | int | str) -> str:
    return f"{SHORT[feature]} is switched {_on(wanted)}" if isinstance(wanted, bool) else f"{feature} will be {_on(wanted)}"


@frozen
class Attaching:
    """A router whose programs are being attached, in an XDP `mode` or "tc". The devices in `given`, by index, have the router's classifiers
    for Linux already. `undo` detaches what was attached if loading fails; `keep` pins or holds what stays as long as the router."""

    request: Asked
    path: KernelPath
    mode: str
    given: frozenset[int]
    undo: ExitStack
    keep: Pins | ExitStack


class Need:
    """A need of routers on their devices. Each need is consulted for every router; by default it does nothing."""

    #: Variables of programs, with the functions that compute their values from all devices except the inlet. Objects may lack them.
    variables: ClassVar[Mapping[str, Callable[[Sequence[Device]], bytes]]] = {}
    #: The names under which the need's links are pinned, if it attaches programs.
    hooks: ClassVar[tuple[str, ...]] = ()

    def check(self, request: Asked) -> None:
        """ClickError if the router can't run on these devices."""

    def lacking(self, request: Asked) -> Iterator[str]:
        """A line about each thing that is missing and that only the user can change."""
        yield from ()

    def wanted(self, request: Asked, device: Device, mode: str) -> Iterator[Wanted]:
        """Settings to switch before programs send by a device; `mode` as in Attaching."""
        yield from ()

    def attach(self, to: Attaching) -> Sequence[TcFilter]:
        """Attach programs besides the router's own. Links go to `keep`; returns the classifiers, which `undo` detaches."""
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
    """The existing devices on which packets enter the kernel path."""
    programs = {program.device for program in request.manifest.programs}
    return [device for device in request.devices if device.configured in programs]
