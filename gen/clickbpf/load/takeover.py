"""A loaded router's runtime changes to another router, within its process, so that sockets and packets stay.

The other router's kernel path is loaded and pinned, and its folder filled, by the command that replaces the router
(replace.py), which then asks the process to change by a command of its control socket. Which folder that is, nobody has to
say: a service only ever changes to the one beside its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load import places
from clickbpf.load.attach import entries
from clickbpf.load.causes import explained
from clickbpf.load.devices import Device, resolve
from clickbpf.load.fds import Program
from clickbpf.load.hosting import add_device, initialise_beside, runtime_on, show_sockets
from clickbpf.load.inplace import wait_for_programs
from clickbpf.load.kernel import KernelPath
from clickbpf.load.links import Link
from clickbpf.load.places import NEW, Pins, RunFolder
from clickbpf.load.record import record
from clickbpf.load.reopen import reopen
from clickbpf.manifest import Manifest
from clickbpf.runtime.control import ControlClient
from clickbpf.runtime.handlers import HandlerError
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over

#: The command's name.
COMMAND = "TAKEOVER"


def ask(control: Path) -> None:
    """Ask the process that listens at a control socket to change to the new router of its name. ClickError if it can't."""
    with ControlClient(control) as client:
        try:
            client.call(COMMAND)
        except HandlerError as error:
            raise ClickError(error.message) from None


@dataclass(frozen=True)
class Served:
    """A router that the process runs, or is about to."""

    path: KernelPath
    devices: Sequence[Device]
    runtime: Runtime


class Service:
    """The router of the process. `root` is the bpffs, `folder` that of the router, whichever it is."""

    def __init__(self, root: Path, folder: RunFolder):
        self._root, self._folder = root, folder
        self._now: Served | None = None

    def run(self, keep: bool) -> Runtime:
        """Run the first one. With `keep`, state in the kernel stays as it is: a runtime before this one has filled it."""
        self._now = new = self._prepare(self._folder)
        for index, device in enumerate(new.devices):
            add_device(new.runtime, new.path, index, device)
        if keep:
            for name, copies in new.path.states(new.runtime.instances, copy=True).items():
                initialise_beside(new.runtime.instances[name], copies)
        new.runtime.initialise()
        new.runtime.start()
        return new.runtime

    def replace(self) -> Runtime:
        """The new router of this name takes the place of the one that runs, which goes on if that fails."""
        old = self._now
        new = self._prepare(self._folder.beside(NEW), old.runtime)
        try:
            shared = self._share(new, old)
            new.runtime.initialise()
            take_over(new.runtime, old.runtime, shared, lambda: self._redirect(new))
        except ClickError:
            new.runtime.close()
            new.path.close()
            raise
        new.runtime.start()
        self._now = new
        old.path.close()
        return new.runtime

    def close(self) -> None:
        if self._now is not None:
            self._now.runtime.close()
            self._now.path.close()

    def _prepare(self, folder: RunFolder, replaces: Runtime | None = None) -> Served:
        """A folder's router, with its kernel path and without devices."""
        manifest = Manifest.from_object(folder.object.read_bytes(), str(folder.object))
        done = record(folder)
        made: Compilation = reopen(manifest, done)
        devices = resolve(manifest.devices, mapping=done["devices"])
        path = KernelPath.pinned(manifest, self._pins(folder.root.name))
        return Served(path, devices, runtime_on(made, path, done["threads"], replaces))

    def _pins(self, name: str) -> Pins:
        plain, plus, suffix = name.partition("+")
        return Pins(self._root / places.FOLDER / (places.encode(plain) + plus + suffix))

    @staticmethod
    def _share(new: Served, old: Served) -> dict[str, str]:
        """Devices of both, whose sockets the new kernel path gets to know; other devices get sockets of their own."""
        before = {device.ifindex: device.configured for device in old.devices}
        shared = {device.configured: before[device.ifindex] for device in new.devices if device.ifindex in before}
        for index, device in enumerate(new.devices):
            if device.configured in shared:
                show_sockets(new.path, index, old.runtime.sockets.get(shared[device.configured], ()))
            else:
                add_device(new.runtime, new.path, index, device)
        return shared

    def _redirect(self, new: Served) -> None:
        """Swap the programs of the attachments that there are."""
        pins = self._pins(self._folder.root.name)
        with explained("the programs can't be swapped"), ExitStack() as back, ExitStack() as held:
            for device, program in entries(new.path, new.devices):
                if not pins.link(device.name).exists():
                    continue
                link = held.enter_context(Link.pinned(pins.link(device.name)))
                if link.info().ifindex == device.ifindex:
                    before = held.enter_context(Program.of_id(link.info().prog_id))
                    link.update(program)
                    back.callback(link.update, before)
            back.pop_all()
        wait_for_programs()
