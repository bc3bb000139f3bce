"""C for one element of a running router that was given other arguments: its class's code once more, by itself.

It works on the state, lasting variables, tasks and lock of the element as they are, and reaches its neighbours by the functions that the
router's own text has for it (struct element_sides).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clickbpf.emit import instance
from clickbpf.emit.devices import is_made
from clickbpf.emit.native import NativeCode, accessors, bound
from clickbpf.emit.ports import SIDES, Ports
from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.wiring import Wiring
from clickbpf.objects.cnames import c_names
from clickbpf.plan.devices import device_names, made_devices, own_device
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import own_elements

#: Functions of a class that the scheduler or Python calls, by their members in struct element_code.
_ENTRIES = {"pull": "pull_action", "task": "task", "timer": "timer", "event": "event", "control": "control"}

#: How C names an argument: as itself, or as the setting that packets of the usual way have as a constant.
_USE = re.compile(r"\b(?:cfg\.|setting\([^,()]+,\s*)(\w+)")


def same_code(element: Element, other: Element) -> bool:
    """Whether two instances of a class compile to the same text: arguments that differ only affect their state."""
    return _visible(element) == _visible(other)


def _visible(element: Element) -> tuple:
    """Everything of an instance that the class's C sees. (The annotations that it writes concern only the plan.)"""
    if type(element).c_source() is None:
        return ()
    code = element.code()
    used = set(re.findall(_USE, code + "".join(_texts(type(element).c_source()))))
    members = {name: value for name, value in instance.members(element).items() if name in used}
    return code, members, tuple(element.annotations_written()), tuple(element.watches() or ())


def _texts(source: Path) -> Iterator[str]:
    """The text of a C file of the library, and of the library's files that it includes."""
    pending, seen = [source], set()
    while pending:
        path = pending.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        text = path.read_text()
        yield text
        included = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
        pending += [where / name for name in included for where in (own_elements(), path.parent)]


def emit_patch(checked: CheckedRouter, wanted: Element, threads: int) -> NativeCode:
    """The text for an element that becomes `wanted`; the host passes it the memories of that element's states."""
    devices, device = device_names(checked.instances.values()), own_device(wanted)
    ports = Ports(Wiring(checked), wanted.name, c_names(e.name for e in checked.router.elements), wanted.task_count(threads))
    c = ports.c_name
    text = "".join(
        (
            f'#define CONCURRENT {int(threads > 1)}\n#include "element.h"\n\n',
            is_made(devices, made_devices(checked.instances.values())),
            f"static const struct element_sides *{c}_sides;\n",
            *(f"#define {c}_{state} ({'*' * (of != 'task')}{c}_sides->{of})\n" for state, of in _places()),
            instance.heading(wanted, checked.router.element(wanted.name)),
            instance.struct_definitions(c, wanted.state_types),
            accessors(wanted, c),
            instance.constants(wanted, c),
            ports.numbers(devices.index(device) if device is not None else -1),
            *(_side(c, name) for name in SIDES),
            instance.include_class(wanted, c),
            ports.wakes(),
            _bind(wanted, c),
            _code(wanted, ports),
        )
    )
    states = tuple((wanted.name, state) for state in wanted.state_types)
    return NativeCode(text, states, type(wanted).libraries, instance.headers(wanted))


def _places() -> Iterator[tuple[str, str]]:
    """The packet interface's names for variables of an instance, and the members that point to these variables."""
    yield "full", "full"
    for entry in ("task", "timer", "event"):
        yield f"{entry}_state", entry


def _side(c: str, name: str) -> str:
    result, parameters, arguments = SIDES[name]
    call = f"{'' if result == 'void' else 'return '}({c}_sides->{name})({arguments});"
    return f"static inline __attribute__((unused)) {result} {c}_{name}({parameters})\n{{\n\t{call}\n}}\n"


def _bind(element: Element, c: str) -> str:
    lines = "".join(bound(c, state, kind, number) for number, (state, kind) in enumerate(element.state_types.items()))
    return (
        f"\nstatic void {c}_bind(const struct memory *memory __attribute__((unused)), const struct element_sides *sides)\n"
        f"{{\n\t{c}_sides = sides;\n{lines}}}\n"
    )


def _code(element: Element, ports: Ports) -> str:
    c = ports.c_name
    members = {"bind": f"{c}_bind"} | ({"action": f"{c}_action"} if ports.acts else {})
    members |= {member: f"{c}_{member}" for entry, member in _ENTRIES.items() if entry in element.entries}
    members["lasting"] = "LASTING_TABLE"
    rows = "".join(f"\t.{name} = {value},\n" for name, value in members.items())
    return f"\nEXPORT const struct element_code element_code = {{\n{rows}}};\n"
