"""Describes what a load would do, without doing any of it."""

from collections.abc import Iterator

from clickbpf.errors import ClickError
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.devices.need import entered
from clickbpf.load.devices.needs import NEEDS
from clickbpf.load.devices.pair import end_of
from clickbpf.load.devices.record import record
from clickbpf.load.files.places import Pins, RunFolder, incomplete
from clickbpf.load.life.loader import Request, check, mode_to_try
from clickbpf.load.life.replace import beside_before
from clickbpf.objects.hooks import TC
from clickbpf.objects.manifest import ElementEntry, Manifest
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import Successor


def preview(request: Request, replaces: bool) -> Iterator[str]:
    """A line for each device, offload and element that would be attached, created or changed.

    ClickError if the load would certainly be refused.
    """
    check_privileges()
    folder, pins = RunFolder.of(request.name), Pins.of(request.name)
    there = folder.exists() or pins.exists()
    if there and not replaces:
        raise ClickError(f"a router named {request.name} is loaded", hint="--replace replaces it")
    if there and not (folder.record.exists() and pins.exists()):
        raise incomplete(request.name)
    before = folder.manifest() if there else None
    if there:
        request = beside_before(request, folder)
    check(request)
    loaded = record(folder)
    yield from _devices(request, loaded.mode)
    yield from _made(request, {pair.name for pair in loaded.made})
    if before is not None:
        yield from _elements(before, request.manifest, Library.standard(request.library))
    else:
        yield f"{len(request.manifest.elements)} elements"


def _devices(request: Request, mode: str) -> Iterator[str]:
    mode = mode or mode_to_try(request)
    over = f", which runs on CPUs {request.spread}" if request.spread else ""
    for device in entered(request):
        if device.name in request.taken:
            yield f"{device}: its program is replaced{over}"
        else:
            yield f"{device}: a program is attached{_how(mode)}{'' if request.priority is None else ', beside others'}{over}"
    for device in request.devices:
        for wanted in (wanted for need in NEEDS for wanted in need.wanted(request, device, mode)):
            yield from wanted.previewed(request.fix_veth)
    yield from (line for need in NEEDS for line in need.lacking(request))


def _how(mode: str) -> str:
    return {"auto": "", TC: " to TC"}.get(mode, f" in {mode} mode")


def _made(request: Request, there: set[str]) -> Iterator[str]:
    for made in request.manifest.made:
        name = request.names.get(made.device, made.device)
        yield f"{name}: {'stays' if name in there else f'is made, with {end_of(name)} as its other end'}"
    wanted = {request.names.get(made.device, made.device) for made in request.manifest.made}
    yield from (f"{name}: is removed" for name in sorted(there - wanted))


def _elements(before: Manifest, after: Manifest, known: Library) -> Iterator[str]:
    """Lines about elements. Some classes take over the state of an old element of the same name and class."""
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
    common = [e for name, e in new.items() if name in old and old[name].class_name == e.class_name]
    yield f"{sum(old[element.name].config == element.config for element in common)} elements stay as they are"
    kept = [element.name for element in common if _keeps(known.find(element.class_name))]
    yield f"state is kept of {', '.join(kept) or 'none'}; all other state, such as counters, starts from zero"


def _keeps(class_: type[Element]) -> bool:
    return class_.take_state is not Element.take_state or issubclass(class_, Successor)


def _shown(element: ElementEntry) -> str:
    config = " ".join(element.config.split())
    short = config if len(config) <= 40 else config[:37] + "..."
    return f"{element.name} :: {element.class_name}" + (f"({short})" if short else "")
