"""From a checked router to a plan."""

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.watching import stores
from clickbpf.plan.annotations import carried_annotations
from clickbpf.plan.cut import Graph, cuts, expanded_sizes, without_edges
from clickbpf.plan.devices import check_entrances, device_names, made_devices
from clickbpf.plan.hops import Hop, find_hop
from clickbpf.plan.layout import tables
from clickbpf.plan.place import place
from clickbpf.plan.values import ELIDED, Copies, Options, Placement, Plan, Program, connections, placed
from clickbpf.vocabulary.traits import PARTS_PLAIN, SELDOM

#: With tracing: estimated instructions of the report at an element; and the divisor of the program size limit, which is lower because
#: the verifier follows both branches of each report.
TRACE_WEIGHT, TRACE_SHARE = 80, 3
#: Estimated instructions that count a packet at an element's output.
COUNT_WEIGHT = 15


def plan(checked: CheckedRouter, options: Options = Options()) -> Plan:
    """Decide where everything runs. ClickError for elements that the hook has no packets for."""
    check_entrances(checked, options.hook)
    placements, copies = place(checked, options)
    hops = _hops(checked, placements, options.hook)
    programs, parted, rejoined = _programs(checked, placements, copies, hops, options)
    return Plan(
        checked=checked,
        options=options,
        placements=placements,
        programs=programs,
        devices=device_names(checked.instances.values()),
        made=made_devices(checked.instances.values()),
        carried=carried_annotations(checked.instances.values(), options.traced is not None),
        copies=copies,
        parted=parted,
        rejoined=rejoined,
        hops=hops,
    )


def _hops(checked: CheckedRouter, placements: dict[str, Placement], hook: str) -> dict[str, Hop]:
    """The queues that the kernel keeps packets in."""
    queues = [name for name, element in checked.instances.items() if placements[name].where == hook and stores(element)]
    found = {name: find_hop(checked, connections(checked), name) for name in queues}
    return {name: hop for name, hop in found.items() if isinstance(hop, Hop)}


def _programs(
    checked: CheckedRouter,
    placements: dict[str, Placement],
    copies: dict[str, tuple[Copies, ...]],
    hops: dict[str, Hop],
    options: Options,
) -> tuple[tuple[Program, ...], frozenset[str], frozenset[str]]:
    """The programs, and Plan's `parted` and `rejoined`."""
    graph = without_edges(_kernel_graph(checked, placements, options.hook), hops)
    entries = {name: checked.instances[name].receives_from() for name in graph if checked.instances[name].receives_from()}
    seldom = [name for name in graph if SELDOM in checked.instances[name].traits]

    def weight(name: str) -> int:
        more = TRACE_WEIGHT if options.traced is not None else COUNT_WEIGHT if options.counted else 0
        return checked.instances[name].weight + more

    limit = options.program_limit // (1 if options.traced is None else TRACE_SHARE)
    used = tables(checked, placed(placements, options.hook), copies)
    hopped = {hop.puller: f"packets from {name}" for name, hop in hops.items()}
    found = cuts(graph, (*entries, *hopped), weight, limit, options.chain, seldom, lambda name: used.get(name, frozenset()))
    inlined = without_edges(graph, seldom)
    parted = _parted(checked, inlined, found.before)
    sizes = expanded_sizes(_copied(inlined, parted), weight, found.before)
    if max(sizes.values(), default=0) > limit or options.traced is not None:
        parted, sizes = frozenset(), expanded_sizes(inlined, weight, found.before)
    from_devices = [Program(name, device, None, sizes[name], f"packets of {device}") for name, device in entries.items()]
    from_devices += [Program(name, None, None, sizes[name], reason) for name, reason in hopped.items()]
    entered = {**found.before, **found.rejoined}
    jumps = [Program(name, None, number, sizes[name], reason) for number, (name, reason) in enumerate(entered.items())]
    return (*from_devices, *jumps), parted, frozenset(found.rejoined)


def _parted(checked: CheckedRouter, graph: Graph, cut: dict[str, str]) -> frozenset[str]:
    """The elements of PARTS_PLAIN whose plain packets can have a path of their own: output 0 leads to an element in the same program, and
    no other output leads there."""
    following = {c.source.element: c.target for c in checked.router.connections if c.source.port == 0}
    others = {(c.source.element, c.target) for c in checked.router.connections if c.source.port}
    inside = graph.keys() - cut.keys()

    def parts(name: str) -> bool:
        target = following.get(name)
        return target is not None and target.element in inside and (name, target) not in others

    return frozenset(name for name in graph if PARTS_PLAIN in checked.instances[name].traits and parts(name))


def _copied(graph: Graph, parted: frozenset[str]) -> Graph:
    """The graph in which everything after these elements is compiled twice."""
    return {name: targets * (2 if name in parted else 1) for name, targets in graph.items()}


def _kernel_graph(checked: CheckedRouter, placements: dict[str, Placement], hook: str) -> dict[str, tuple[str, ...]]:
    """Successors of each element in the kernel path, once for each input: this is how often they are inlined."""
    inside = {name for name, placement in placements.items() if placement.where in (hook, ELIDED)}
    inputs: dict[str, dict[tuple[str, int], None]] = {name: {} for name in checked.instances if name in inside}
    for (source, _), targets in connections(checked).items():
        if source in inside:
            inputs[source].update(dict.fromkeys(target for target in targets if target[0] in inside))
    return {name: tuple(target for target, _ in found) for name, found in inputs.items()}
