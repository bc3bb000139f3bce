"""The manifest of a planned router: what its object holds, for whoever loads it."""

from __future__ import annotations

from clickbpf import __version__
from clickbpf.drops import REASONS
from clickbpf.emit.bpf import QUEUES_PER_DEVICE, program_name
from clickbpf.emit.names import c_names
from clickbpf.manifest import ElementEntry, HandlerEntry, Manifest, MapEntry, ProgramEntry
from clickbpf.plan.values import XDP, Plan
from clickbpf.state import CACHE_LINE, PerThread


def manifest(plan: Plan, router_hash: int, configuration: str) -> Manifest:
    """Describe the object made from the plan; `configuration` is the router's flat text."""
    return Manifest(
        hash=router_hash,
        configuration=configuration,
        version=__version__,
        devices=plan.devices,
        programs=_programs(plan),
        maps=(*_state_maps(plan), *_common_maps(plan)),
        elements=tuple(_element(plan, name) for name in plan.checked.instances),
        tohost_devices=_tohost_devices(plan),
        made=plan.made,
    )


def _programs(plan: Plan) -> tuple[ProgramEntry, ...]:
    return tuple(
        ProgramEntry(program_name(plan, program), "xdp", program.device, program.jump, program.element)
        for program in plan.programs
    )


def _state_maps(plan: Plan) -> list[MapEntry]:
    """Maps of the elements that run in the kernel; what the runtime alone uses is its own memory."""
    names = c_names(plan.checked.instances)
    found = []
    for name, element in plan.checked.instances.items():
        if plan.placements[name].where != XDP:
            continue
        for state, kind in element.state_types.items():
            if kind.shared:
                found.append(
                    MapEntry(
                        name=f"{names[name]}_{state}_map",
                        role="state",
                        entries=kind.entries(element, 1),
                        per_slot=isinstance(kind, PerThread),
                        stride=kind.stride,
                        element=name,
                        state=state,
                    )
                )
    return found


def _common_maps(plan: Plan) -> list[MapEntry]:
    """Maps that every router has; `drops` has a value for each element and slot."""
    stride = -(-8 * len(REASONS) // CACHE_LINE) * CACHE_LINE
    devices = max(1, len(plan.devices))
    found = [
        MapEntry("drops", "drops", len(plan.checked.instances), per_slot=True, stride=stride),
        MapEntry("tx", "tx", devices),
        MapEntry("xsks", "xsk", devices * QUEUES_PER_DEVICE),
        MapEntry("trace", "trace", stride=8),
    ]
    if plan.jumps:
        found += [MapEntry("jumps", "jumps", len(plan.jumps)), MapEntry("scratch", "scratch")]
    return found


def _element(plan: Plan, name: str) -> ElementEntry:
    declaration, element = plan.checked.router.element(name), plan.checked.instances[name]
    placement = plan.placements[name]
    return ElementEntry(
        index=plan.index[name],
        name=name,
        class_name=type(element).class_name(),
        config=declaration.config,
        place=str(declaration.place or ""),
        inputs=element.ninputs,
        outputs=element.noutputs,
        placement=placement.where,
        reason=placement.reason,
        handlers=tuple(
            HandlerEntry(handler.name, handler.read is not None, handler.write is not None)
            for handler in element.handlers().values()
        ),
    )


def _tohost_devices(plan: Plan) -> tuple[str, ...]:
    """Devices whose packets the runtime may have to give to Linux. Those that the router makes need no help with it."""
    made = {each.device for each in plan.made}
    if any(element.gives_to_host for element in plan.checked.instances.values()):
        return tuple(device for device in plan.devices if device not in made)
    return ()
