"""The manifest of a planned router: what its object contains, for loaders."""

from clickbpf import __version__
from clickbpf.emit.bpf import mover_names, program_name
from clickbpf.objects.hooks import TC, XDP
from clickbpf.objects.made import INLET, inlet
from clickbpf.objects.manifest import (
    HANDING,
    HANDING_QUEUE,
    QUEUES_PER_DEVICE,
    WAITING,
    DelayEntry,
    ElementEntry,
    HandlerEntry,
    HopEntry,
    Manifest,
    MapEntry,
    ProgramEntry,
    StateEntry,
)
from clickbpf.plan.hops import homes
from clickbpf.plan.layout import ARRAYS, COUNTERS, GLOBAL_COUNTERS, VARS, Stored, alone, layout, members
from clickbpf.plan.values import Plan
from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.looks import RING, TRACES
from clickbpf.vocabulary.roles import Delayer, listed_handlers
from clickbpf.vocabulary.state import CACHE_LINE
from clickbpf.vocabulary.traits import GIVES_TO_HOST, GIVES_TO_SNIFFERS, PROMISCUOUS


def manifest(plan: Plan, router_hash: int, configuration: str) -> Manifest:
    """Describe the object made from the plan; `configuration` is the router's flat text."""
    router = plan.checked.router
    stored = layout(plan.checked, plan.there)
    return Manifest(
        hash=router_hash,
        configuration=configuration,
        version=__version__,
        devices=_devices(plan),
        programs=_programs(plan),
        maps=(*_state_maps(stored), *_common_maps(plan)),
        states=tuple(StateEntry(s.element, s.state, s.map, s.offset, s.stride) for s in stored),
        elements=tuple(_element(plan, name) for name in plan.checked.instances),
        tohost_devices=_tohost_devices(plan),
        sniffed_devices=_sniffed_devices(plan),
        wired=_wired(plan),
        promiscuous=tuple(dict.fromkeys(e.receives_from() for e in plan.checked.instances.values() if PROMISCUOUS in e.traits)),
        made=(*plan.made, inlet()) if plan.options.hook == TC else plan.made,
        copy_sets=tuple(tuple(plan.devices.index(device) for device in devices) for devices in plan.copy_sets),
        delays=_delays(plan),
        hops=_hops(plan),
        homes=_homes(plan),
        planned=plan.options.to_plain(),
        written=router.text if router.is_written_alone else "",
        given=dict(router.given) if router.is_written_alone else {},
    )


def _devices(plan: Plan) -> tuple[str, ...]:
    """All devices, and on TC the inlet for handovers."""
    return (*plan.devices, INLET) if plan.options.hook == TC else plan.devices


def _wired(plan: Plan) -> tuple[tuple[str, str], ...]:
    wires = ((name, e.receives_from(), e.sends_to()) for name, e in plan.checked.instances.items())
    return tuple((device, name) for name, *devices in wires for device in devices if device is not None)


def _delays(plan: Plan) -> tuple[DelayEntry, ...]:
    delaying = ((name, e) for name, e in plan.checked.instances.items() if isinstance(e, Delayer))
    inside = ((name, e) for name, e in delaying if plan.placements[name].where == plan.options.hook)
    return tuple(DelayEntry(name, plan.leaves_by(name), *e.longest_wait()) for name, e in inside)


def _hops(plan: Plan) -> tuple[HopEntry, ...]:
    names = {program.element: program_name(plan, program) for program in plan.programs if (program.device, program.jump) == (None, None)}
    return tuple(HopEntry(f"hop_{n}", names[hop.puller], hop.queue, hop.thread) for n, hop in enumerate(plan.hops.values()))


def _homes(plan: Plan) -> dict[str, int]:
    """With --spread: the devices that are read by one thread, and so on one CPU."""
    given = homes(plan.checked) if plan.options.spread else {}
    wired = {e.receives_from(): given.get(name, -1) for name, e in plan.checked.instances.items() if e.receives_from()}
    return {device: thread for device, thread in wired.items() if thread >= 0}


def _programs(plan: Plan) -> tuple[ProgramEntry, ...]:
    hook = plan.options.hook
    own = tuple(ProgramEntry(program_name(plan, program), hook, program.device, program.jump, program.element) for program in plan.programs)
    if plan.hops:
        moving = (ProgramEntry(name, hook, None, len(plan.jumps) + number) for number, name in enumerate(mover_names(plan)))
        own += (*moving, ProgramEntry(HANDING, hook))
    return (*own, ProgramEntry("inlet", XDP, INLET)) if hook == TC else own


def _state_maps(stored: tuple[Stored, ...]) -> list[MapEntry]:
    found: list[MapEntry] = []
    for pool in (GLOBAL_COUNTERS, COUNTERS):
        if counters := members(stored, pool):
            found.append(MapEntry(pool, "state", per_slot=True, stride=counters[0].stride))
    found += [MapEntry(pool, "state") for pool in (VARS, ARRAYS) if members(stored, pool)]
    found += [MapEntry(place.map, "state", place.entries, stride=place.stride) for place in alone(stored)]
    return found


def _common_maps(plan: Plan) -> list[MapEntry]:
    """Maps that don't belong to elements; `drops` has a value for each element and slot."""
    stride = -(-8 * len(REASONS) // CACHE_LINE) * CACHE_LINE
    devices = max(1, len(_devices(plan)))
    found = [
        MapEntry("drops", "drops", max(1, len(plan.checked.instances)), per_slot=True, stride=stride),
        MapEntry("tx", "tx", devices),
        MapEntry("xsks", "xsk", devices * QUEUES_PER_DEVICE),
        MapEntry("handed", "handed", devices * QUEUES_PER_DEVICE),
        MapEntry("trace", "trace", stride=24),
        MapEntry(".data.clock", "clock"),
    ]
    if plan.any_looks:
        found.append(MapEntry("looks", "looks", RING))
    if plan.options.traced is not None:
        found += [MapEntry("traces", "traces", TRACES), MapEntry("traced", "traced", stride=16)]
    if plan.options.counted:
        found.append(MapEntry("counted", "counted", max(1, plan.checked.noutputs), per_slot=True, stride=8))
    if plan.options.frags:
        found.append(MapEntry("summed", "scratch"))
    if plan.options.hook == TC:
        found.append(MapEntry("moved", "scratch"))
    else:
        found += [MapEntry(f"copies_{number}", "copies", len(devices)) for number, devices in enumerate(plan.copy_sets)]
    if plan.hops:
        queues = (*(hop.map for hop in _hops(plan)), HANDING_QUEUE)
        found += [*(MapEntry(name, "hops") for name in queues), MapEntry(WAITING, "level")]
    if entered := len(plan.jumps) + len(plan.hops):
        found += [MapEntry("jumps", "jumps", entered), MapEntry("scratch", "scratch")]
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
            HandlerEntry(each.name, each.read is not None, each.write is not None) for each in listed_handlers(element).values()
        ),
    )


def _tohost_devices(plan: Plan) -> tuple[str, ...]:
    """Devices whose packets the runtime may have to pass to Linux. Those that the router creates need no help with it."""
    made = {each.device for each in plan.made}
    if any(GIVES_TO_HOST in element.traits for element in plan.checked.instances.values()):
        return tuple(device for device in plan.devices if device not in made)
    return ()


def _sniffed_devices(plan: Plan) -> tuple[str, ...]:
    """Devices whose packets the runtime may have to give to Linux's packet sockets."""
    return plan.devices if any(GIVES_TO_SNIFFERS in element.traits for element in plan.checked.instances.values()) else ()
