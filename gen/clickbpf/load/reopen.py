"""A loaded router read again, from what was kept of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.compile import Compilation, read_text
from clickbpf.errors import ClickError
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.library import Library
from clickbpf.manifest import Manifest
from clickbpf.plan import Options


def reopen(manifest: Manifest, done: Mapping[str, Any]) -> Compilation:
    """The router that an object was made from, from the configuration in it and the record of its loading."""
    known = Library.standard(done.get("library", ()))
    made = Compilation.of(check_flat(manifest, known, done.get("devices", {})), Options.from_plain(manifest.planned))
    if made.hash != manifest.hash:
        raise ClickError("the object was made by another version of clickbpf, whose configurations are written otherwise")
    return made


def check_flat(manifest: Manifest, known: Library, devices: Mapping[str, str]) -> CheckedRouter:
    """The router of a manifest; errors name the places in the configuration as the user wrote it."""
    router = read_text(manifest.configuration, known, name="the loaded configuration")
    places = {element.name: element.position for element in manifest.elements}
    elements = tuple(replace(element, place=places.get(element.name) or element.place) for element in router.elements)
    return check(replace(router, elements=elements), known, Names(Devices(devices)))
