"""What a router's service process runs: the runtime on the pinned kernel path, and the control socket."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.compile import Compilation, read_text
from clickbpf.errors import ClickError
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.library import Library
from clickbpf.load import places
from clickbpf.load.devices import resolve
from clickbpf.load.hosting import hosted
from clickbpf.load.kernel import KernelPath
from clickbpf.load.places import Pins, RunFolder
from clickbpf.load.record import record
from clickbpf.manifest import Manifest
from clickbpf.runtime.control import ControlServer, Serving
from clickbpf.runtime.host import Runtime


@contextmanager
def serving(folder: RunFolder, root: Path, keep: bool) -> Iterator[Runtime]:
    """Run the router of a folder, whose pins are in the bpffs `root`, and answer at its control socket."""
    manifest = Manifest.from_object(folder.object.read_bytes(), str(folder.object))
    done = record(folder)
    compilation = reopen(manifest, done)
    devices = resolve(manifest.devices, mapping=done["devices"])
    pins = Pins(root / places.FOLDER / places.encode(folder.root.name))
    with KernelPath.pinned(manifest, pins) as path, hosted(compilation, path, devices, done["threads"], keep) as runtime:
        server = ControlServer.unix(folder.control, Serving(runtime.handlers))
        try:
            yield runtime
        finally:
            server.close()


def reopen(manifest: Manifest, done: Mapping[str, Any]) -> Compilation:
    """The router that an object was made from, from the configuration in it and the record of its loading."""
    known = Library.standard(done.get("library", ()))
    made = Compilation.of(check_flat(manifest, known, done.get("devices", {})))
    if made.hash != manifest.hash:
        raise ClickError("the object was made by another version of clickbpf, whose configurations are written otherwise")
    return made


def check_flat(manifest: Manifest, known: Library, devices: Mapping[str, str]) -> CheckedRouter:
    """The router of a manifest; errors name the places in the configuration as the user wrote it."""
    router = read_text(manifest.configuration, known, name="the loaded configuration")
    places = {element.name: element.position for element in manifest.elements}
    elements = tuple(replace(element, place=places.get(element.name) or element.place) for element in router.elements)
    return check(replace(router, elements=elements), known, Names(Devices(devices)))
