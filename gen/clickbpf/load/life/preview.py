"""What a load would do, determined without doing any of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from clickbpf.errors import ClickError
from clickbpf.load.devices import fq, l3, veth
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.diagnose import check_free, check_privileges
from clickbpf.load.devices.made import end_of, recorded
from clickbpf.load.devices.settings import SHORT, is_promiscuous, out_of_reach
from clickbpf.load.files.places import Pins, RunFolder, incomplete
from clickbpf.load.files.record import record
from clickbpf.load.life.loader import Request, entered, mode_to_try
from clickbpf.objects.hooks import TC
from clickbpf.objects.manifest import ElementEntry, Manifest
from clickbpf.objects.outbound import alike, wire
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library


def preview(request: Request, replaces: bool) -> Iterator[str]:
    """A line for each device, offload and element that would be attached, made or changed.

    ClickError if it is already clear that the load would be refused.
    """
    check_privileges()
    folder, pins = RunFolder.of(request.name), Pins.of(request.name)
    there = folder.exists() or pins.exists()
    if there and not replaces:
        raise ClickError(f"a router named {request.name} is loaded", hint="--replace replaces it")
    if there and not (folder.record.exists() and pins.exists()):
        raise incomplete(request.name)
    before = Manifest.from_object(folder.object.read_bytes(), str(folder.object)) if there else None
    taken = _entered(before, record(folder).get("devices", {})) if there else set()
    if there:
        request = replace(request, priority=record(folder).get("priority"))
    l3.check(request.manifest, request.devices)
    check_free([device for device in entered(request) if device.name not in taken], request.manifest.hook, request.priority is not None)
    yield from _devices(request, taken, record(folder).get("mode", "") if there else "")
    yield from _made(request, {pair.name for pair in recorded(record(folder))} if there else set())
    if before is not None:
        yield from _elements(before, request.manifest, Library.standard(request.record["library"]))
    else:
        yield f"{len(request.manifest.elements)} elements"


def _entered(before: Manifest, names: Mapping[str, str]) -> set[str]:
    """The devices that have a program of the router before, as they are called here."""
    devices = (program.device for program in before.programs if program.device is not None)
    return {alike(names.get(wire(device), wire(device)), device) for device in devices}


def _devices(request: Request, taken: set[str], mode: str) -> Iterator[str]:
    mode = mode or mode_to_try(request)
    for device in entered(request):
        if device.name in taken:
            yield f"{device}: its program is replaced"
        else:
            yield f"{device}: a program is attached{_how(mode)}{'' if request.priority is None else ', beside others'}"
    for device in request.devices:
        if device.configured in request.manifest.promiscuous and not is_promiscuous(device.name):
            yield f"{device}: promiscuous mode is switched on"
    yield from fq.lacking(request.manifest, request.devices)
    for device in request.devices if mode != TC else ():
        if device.kind == "veth":
            yield from _offloads(device, mode, request.fix_veth)


def _how(mode: str) -> str:
    return {"auto": "", TC: " to TC"}.get(mode, f" in {mode} mode")


def _offloads(device: Device, mode: str, allowed: bool) -> Iterator[str]:
    with suppress(*out_of_reach()):
        peer = veth.find_peer(device)
        for feature, wanted in (veth.missing(peer, mode) if peer else {}).items():
            verb = "is switched" if allowed else "should be switched"
            yield f"{device}: {SHORT[feature]} {verb} {'on' if wanted else 'off'} at the other end, {peer}"


def _made(request: Request, there: set[str]) -> Iterator[str]:
    for made in request.manifest.made:
        name = request.names.get(made.device, made.device)
        yield f"{name}: {'stays' if name in there else f'is made, with {end_of(name)} as its other end'}"
    wanted = {request.names.get(made.device, made.device) for made in request.manifest.made}
    yield from (f"{name}: is removed" for name in sorted(there - wanted))


def _elements(before: Manifest, after: Manifest, known: Library) -> Iterator[str]:
    """What happens to the elements; elements of some classes take over the state of an element of their name and class."""
    old, new = ({element.name: element for element in manifest.elements} for manifest in (before, after))
    for name, element in new.items():
        was = old.get(name)
        if was is None:
            yield f"{_shown(element)} is added"
        elif was.class_name != element.class_name:
            yield f"{_shown(element)} replaces {_shown(was)}"
        elif was.config != element.config:
            yield f"{_shown(element)} is reconfigured; before: {_shown(was)}"
    yield from (f"{_shown(element)} is removed" for name, element in old.items() if name not in new)
    alike = [e for name, e in new.items() if name in old and old[name].class_name == e.class_name]
    yield f"{sum(old[element.name].config == element.config for element in alike)} elements stay as they are"
    kept = [element.name for element in alike if _keeps(known.find(element.class_name))]
    yield f"state is kept of {', '.join(kept) or 'none'}; all other state, such as counters, starts from zero"


def _keeps(class_: type[Element]) -> bool:
    return class_.take_state is not Element.take_state or class_.succeed is not Element.succeed


def _shown(element: ElementEntry) -> str:
    config = " ".join(element.config.split())
    short = config if len(config) <= 40 else config[:37] + "..."
    return f"{element.name} :: {element.class_name}" + (f"({short})" if short else "")
