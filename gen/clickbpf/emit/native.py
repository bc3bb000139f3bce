"""The whole router as C for the user-space runtime: one translation unit, one section for each element instance.

    /* router.click:3:7: c :: Counter() */
    struct e_c_counters { ... };                        its state, and the accessor
    #include ".../counter.c"                            its action, under this instance's name
    static void e_c_emit(struct pkt *p, int port)       sends by an output: direct calls
    static void e_c_push(struct pkt *p, int input)      runs the action, and sends the packet by the output that it returns
    static struct pkt *e_c_pull(int output)             the same for a packet that is pulled

The tables at the end are the entry points of the runtime (userspace/router.h).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from clickbpf.emit import instance
from clickbpf.emit.devices import is_made
from clickbpf.emit.ports import Ports
from clickbpf.emit.threads import locks, sides, task_count
from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.wiring import Wiring
from clickbpf.objects.cnames import c_names
from clickbpf.plan.devices import device_names, made_devices, own_device
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.sources import c_source
from clickbpf.vocabulary.state import PerThread, State


@frozen
class NativeCode:
    """The C text, and what is needed to compile and start it."""

    text: str
    #: (element, state) in the order in which the host passes the states' memories.
    states: tuple[tuple[str, str], ...]
    #: Libraries to link with, besides the runtime's.
    libraries: tuple[str, ...] = ()
    #: Texts of generated headers that its units include, by name.
    headers: Mapping[str, str] = field(default_factory=dict)


def emit_native(checked: CheckedRouter, threads: int = 1) -> NativeCode:
    """C for a whole checked router, whichever part of it runs in the kernel.

    With several threads, elements get the locks that they need; which thread runs which task is decided later.
    """
    wiring = Wiring(checked)
    names = c_names(e.name for e in checked.router.elements)
    compiled = {name: e for name, e in checked.instances.items() if c_source(type(e)) is not None}
    locked = locks(wiring, compiled, threads)
    apart = sides(wiring, compiled, threads)
    ports = {
        name: Ports(wiring, name, names, task_count(e, threads), locked.get(name), threads == 1, apart.get(name))
        for name, e in compiled.items()
    }
    devices = device_names(checked.instances.values())
    states = tuple((name, state) for name, element in compiled.items() for state in element.state_types)
    sections = [_head(compiled, ports, is_made(devices, made_devices(checked.instances.values())), threads > 1)]
    for name, element in compiled.items():
        sections.append(_section(checked.router.element(name), element, ports[name], devices))
    sections.append(_memory(compiled, states, names))
    sections.append(_entry_points(compiled, ports, checked, devices))
    sections.append(_tables(compiled, ports) + _users_of(devices, compiled, checked))
    sections.append(_code(checked, compiled, ports, states, devices))
    libraries = tuple(sorted({library for element in compiled.values() for library in element.libraries}))
    headers = {name: text for element in compiled.values() for name, text in instance.headers(element).items()}
    return NativeCode("".join(sections), states, libraries, headers)


def _head(compiled, ports, devices: str, concurrent: bool) -> str:
    first = f'#define CONCURRENT {int(concurrent)}\n#include "element.h"\n\n'
    members = "".join(ports[name].members() for name in compiled)
    variables = (
        f"struct router_variables {{\n{members}\tchar end;\n}};\n"
        "LASTING_AS(struct router_variables, router_variables, router_variables_own);\n"
    )
    return first + devices + variables + "".join(ports[name].declarations() for name in compiled)


def _section(declaration, element: Element, ports: Ports, devices: Sequence[str]) -> str:
    c = ports.c_name
    device = own_device(element)
    return "".join(
        (
            instance.heading(element, declaration),
            instance.struct_definitions(c, element.state_types),
            "".join(_accessor(element, c, name, kind) for name, kind in element.state_types.items()),
            instance.constants(element, c),
            ports.facts(devices.index(device) if device is not None else -1),
            instance.include_class(element, c),
            ports.wakes(),
            ports.entries(),
            ports.definitions(),
        )
    )


def _accessor(element: Element, c: str, state: str, kind) -> str:
    """The function that slot(), at(), var() or private() calls. Threads' slots are always in range; other indexes are checked, which is
    free for constants."""
    type_ = f"struct {c}_{state}"
    if isinstance(kind, PerThread):
        base = f"static char *{c}_{state}_base OBJECTS_OWN;\nstatic __u64 {c}_{state}_stride OBJECTS_OWN;\n"
        value = f"(void *)({c}_{state}_base + index * {c}_{state}_stride)"
    else:
        base = f"static {type_} *{c}_{state}_base OBJECTS_OWN;\n"
        value = f"index < {kind.entries(element, 1)} ? &{c}_{state}_base[index] : NULL"
    return f"{base}static __always_inline __attribute__((unused)) {type_} *{c}_{state}_at(__u32 index)\n{{\n\treturn {value};\n}}\n"


def _memory(compiled, states, names) -> str:
    lines = "".join(_bound(names[element], state, compiled[element].state_types[state], n) for n, (element, state) in enumerate(states))
    return f"\n/* The router as a whole. */\nstatic void router_bind(const struct memory *memory __attribute__((unused)))\n{{\n{lines}}}\n"


def _bound(c: str, state: str, kind: State, number: int) -> str:
    """C that sets an accessor's pointer to the memory of its state."""
    line = f"\t{c}_{state}_base = memory[{number}].address;\n"
    return line + (f"\t{c}_{state}_stride = memory[{number}].stride;\n" if isinstance(kind, PerThread) else "")


def _entry_points(compiled, ports: dict[str, Ports], checked, devices: Sequence[str]) -> str:
    """The functions that give a packet to an element, or to the element that reads a device."""
    position = checked.router.position
    pushes = "".join(
        f"\tcase {position[name]}:\n"
        f"\t\tif (port < 0 || port >= {max(1, element.ninputs)})\n\t\t\treturn false;\n"
        f"\t\t{ports[name].c_name}_push(p, port);\n\t\treturn true;\n"
        for name, element in compiled.items()
        if ports[name].is_pushed
    )
    push = _switch("bool router_push(__u32 element, int port, struct pkt *p)", "element", pushes, "false")
    receives = "".join(
        f"\tcase {devices.index(element.receives_from())}:\n\t\t{ports[name].c_name}_push(p, 0);\n\t\treturn true;\n"
        for name, element in compiled.items()
        if element.receives_from() is not None
    )
    return push + _switch("bool router_receive(int device, struct pkt *p)", "device", receives, "false")


def _look(compiled, ports: dict[str, Ports], position) -> str:
    cases = "".join(
        f"\tcase {position[name]}:\n\t\t{ports[name].c_name}_look(p, port);\n\t\treturn true;\n"
        for name, element in compiled.items()
        if element.shown() is not None
    )
    return _switch("bool router_look(__u32 element, int port, struct pkt *p)", "element", cases, "false")


def _switch(signature: str, on: str, cases: str, otherwise: str) -> str:
    head, _, parameters = signature[:-1].partition("(")
    marked = ", ".join(f"{parameter.strip()} __attribute__((unused))" for parameter in parameters.split(","))
    end = f"\treturn {otherwise};\n" if otherwise else ""
    return f"static {head}({marked})\n{{\n\tswitch ({on}) {{\n{cases}\t}}\n{end}}}\n"


def _users_of(devices: Sequence[str], compiled, checked) -> str:
    """Tables with the number of the element that reads each device, and of the first that sends by it, or -1; a last entry, since C has no
    empty arrays."""

    def table(name: str, device_of: Callable[[Element], str | None]) -> str:
        users = {device_of(element): checked.router.position[name] for name, element in reversed(compiled.items())}
        numbers = [*(users.get(device, -1) for device in devices), -1]
        return f"static const int router_{name}s[] = {{{', '.join(map(str, numbers))}}};\n"

    return table("reader", lambda element: element.receives_from()) + table("sender", lambda element: element.sends_to())


def _tables(compiled, ports: dict[str, Ports]) -> str:
    """Tables of tasks, timers and events, each with a last entry, since C has no empty arrays."""

    def table(entry: str, places: list[str]) -> str:
        rows = "".join(f"\t&router_variables_own.{place},\n" for place in places)
        return f"static struct {entry} *const router_{entry}s[] = {{\n{rows}\tNULL,\n}};\n"

    tasks = [
        f"{ports[name].c_name}_own_task_state[{i}]" for name, e in compiled.items() if "task" in e.entries for i in range(ports[name].tasks)
    ]
    timers, events = (
        [f"{ports[name].c_name}_own_{entry}_state" for name, e in compiled.items() if entry in e.entries] for entry in ("timer", "event")
    )
    values = "".join(ports[name].values() for name in compiled)
    tables = f"static struct router_variables router_variables_own LASTS = {{\n{values}}};\n"
    tables += table("task", tasks) + table("timer", timers) + table("event", events)
    return tables


def _code(checked, compiled, ports: dict[str, Ports], states, devices) -> str:
    position = checked.router.position

    def calls(entry: str, call: Callable[[Ports], str], result: bool = True) -> str:
        form = "return {};\n" if result else "{};\n\t\tbreak;\n"
        return "".join(
            f"\tcase {position[name]}:\n\t\t" + form.format(call(ports[name]))
            for name, element in compiled.items()
            if entry in element.entries
        )

    init = calls("init", lambda own: f"{own.c_name}_init()")
    cleanup = calls("cleanup", lambda own: f"{own.c_name}_cleanup()", result=False)
    control = calls("control", lambda own: f"{own.c_name}_control(op, argument)")
    counts = {
        "elements": len(checked.router.elements),
        "devices": len(devices),
        "states": len(states),
        "tasks": sum(ports[name].tasks for name, e in compiled.items() if "task" in e.entries),
        "timers": sum("timer" in e.entries for e in compiled.values()),
        "events": sum("event" in e.entries for e in compiled.values()),
    }
    return (
        _switch("int router_init(__u32 element)", "element", init, "0")
        + _look(compiled, ports, position)
        + _switch("void router_cleanup(__u32 element)", "element", cleanup, "")
        + _switch("int router_control(__u32 element, int op, __u64 argument)", "element", control, "-95")
        + "EXPORT const struct router_code router_code = {\n"
        + "".join(f"\t.{name} = {value},\n" for name, value in counts.items())
        + "".join(f"\t.{table} = router_{table}s,\n" for table in ("task", "timer", "event", "reader", "sender"))
        + "\t.sites = SWITCH_SITES,\n\t.lasting = LASTING_TABLE,\n"
        + "".join(f"\t.{f} = router_{f},\n" for f in ("bind", "init", "cleanup", "control", "push", "look", "receive"))
        + "};\n"
    )
