"""Requests to load a router as an earlier one of its name was loaded."""

from collections.abc import Mapping
from typing import Any

from clickbpf.crossings import AF_XDP
from clickbpf.load.devices.devices import existing
from clickbpf.load.devices.made import inlet_name, recorded
from clickbpf.load.devices.spread import lanes_of
from clickbpf.load.files.libraries import libraries
from clickbpf.load.files.places import RunFolder
from clickbpf.load.life.loader import Request, Say
from clickbpf.load.process import service
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import Manifest


def request_as_loaded(name: str, content: bytes, done: Mapping[str, Any], say: Say) -> Request:
    """The request for an object, with the devices and settings of the record `done`; ClickError if a device is missing."""
    manifest = Manifest.from_object(content, name)
    return Request(
        name=name,
        content=content,
        manifest=manifest,
        devices=existing(manifest, done["devices"]),
        start=lambda *_: service.start(RunFolder.of(name)),
        names={INLET: inlet_name(name), **{pair.made.device: pair.name for pair in recorded(dict(done))}},
        mode=done["mode"],
        crossing=done.get("crossing", AF_XDP),
        threads=done["threads"],
        affinity=done.get("affinity"),
        priority=done.get("priority"),
        spread=lanes_of(done.get("spread")),
        queues=done.get("queues"),
        interrupts=tuple(done.get("interrupts", ())),
        record={"library": libraries(done)},
        say=say,
        keeps_process=True,
    )
