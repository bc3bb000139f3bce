"""Requests to load a router as an earlier one of its name was loaded."""

from clickbpf.load.devices.devices import existing
from clickbpf.load.devices.pair import inlet_name
from clickbpf.load.devices.record import REQUESTED, Record
from clickbpf.load.files.places import RunFolder
from clickbpf.load.life.loader import Request, Say
from clickbpf.load.process import service
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import Manifest


def request_as_loaded(name: str, content: bytes, before: Record, say: Say) -> Request:
    """The request for an object, with the devices and settings of the router before; ClickError if a device is missing."""
    manifest = Manifest.from_object(content, name)
    return Request(
        name=name,
        content=content,
        manifest=manifest,
        devices=existing(manifest, before.devices),
        start=lambda *_: service.start(RunFolder.of(name)),
        names={INLET: inlet_name(name), **{pair.made.device: pair.name for pair in before.made}},
        mode=before.mode,
        library=before.trusted_library(),
        say=say,
        keeps_process=True,
        **{name: getattr(before, name) for name in REQUESTED},
    )
