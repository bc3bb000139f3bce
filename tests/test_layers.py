"""The stages in their order, written once: no file imports one of a later stage, and no files import each other in a circle.

The imports are the real ones: those of Python's syntax trees, also within functions, and the #includes of C.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import clickbpf
from clickbpf.graph.cycles import back_edges
from clickbpf.vocabulary.library import OWN_PACKAGE, own_elements

#: The modules and packages of clickbpf: a line's may import each other and those of the lines before. Three packages are rooms (ROOMS)
#: whose modules or packages belong to several stages; the rooms themselves are empty.
STAGES = """
errors frozen closing vocabulary objects load
vocabulary.alignment vocabulary.annotations vocabulary.drops vocabulary.forms vocabulary.held vocabulary.looks vocabulary.rights
vocabulary.traits vocabulary.state vocabulary.lane vocabulary.handlers vocabulary.sources
objects.ctext objects.cnames objects.hooks objects.made objects.outbound messages nearest private rewriting waiting cache
background crossings digits interrupts tun unixsocket
lang
args
vocabulary.element vocabulary.roles vocabulary.configuring
declare
vocabulary.library vocabulary.manual
classify
graph
passes
plan
objects.manifest
emit
build
compile
draw editor
runtime
clickbpf_elements
load.kernel
load.files
load.devices
load.path
load.change
load.process
load.access load.life
doctor observe ship
testing
prove
tryout
ui
cli
"""
ROOMS = {"vocabulary", "objects", "load"}
#: Stages with those that may import them: what they make all others get from `compile`. doctor and testing look for compilers.
ONLY_FOR = {"emit": {"emit", "compile"}, "build": {"build", "compile", "doctor", "testing"}}
ORDER = {name: number for number, line in enumerate(STAGES.split("\n")) for name in line.split()}

#: The folders of C files, each with what its files may include besides its own: both executors share what is named of bpf/, but
#: for "packet.h", of which each has its own, and which
#: elements/element.h includes.
C_FOLDERS = {
    "bpf": set(),
    "userspace": {"bpf/batch.h", "bpf/handover.h", "bpf/look.h", "bpf/siphash.h", "bpf/traced_event.h", "elements/annotations.h"},
    "elements": {"bpf/packet.h", "bpf/siphash.h", "userspace"},
}

PACKAGE, ELEMENTS = Path(clickbpf.__file__).parent, own_elements()
ROOT = ELEMENTS.parent


def modules() -> dict[str, Path]:
    found = {}
    for folder, package in ((PACKAGE, "clickbpf"), (ELEMENTS, OWN_PACKAGE)):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join((package, *(part for part in parts if part != "__init__")))] = path
    return found


def imports(text: str, module: str, is_package: bool, known: dict[str, Path]) -> Iterator[str]:
    """The modules among the known ones that a module's text imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            around = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join([*around, *([node.module] if node.module else [])])
            for alias in node.names:
                yield from [name for name in (f"{base}.{alias.name}", base) if name in known][:1]


def python_graph() -> dict[str, list[str]]:
    known = modules()
    return {name: sorted({*imports(path.read_text(), name, path.name == "__init__.py", known)}) for name, path in known.items()}


def c_graph() -> dict[str, list[str]]:
    files = {str(path.relative_to(ROOT)): path for folder in C_FOLDERS for path in (ROOT / folder).rglob("*.[ch]")}
    return {name: sorted({*includes(path, files)}) for name, path in files.items()}


def includes(path: Path, files: dict[str, Path]) -> Iterator[str]:
    """The files that a file includes: beside it, or in any of the folders that a compiler may search."""
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
        beside = str((path.parent / name).resolve().relative_to(ROOT))
        yield from [beside] if beside in files else (f"{folder}/{name}" for folder in C_FOLDERS if f"{folder}/{name}" in files)


def circles(graph: dict[str, list[str]]) -> list[str]:
    return list(back_edges(graph, lambda name: ((other, f"{name} -> {other}") for other in graph[name])))


def package(module: str) -> str:
    """The name that the order has for a module's stage; "" for the package itself, which has the version."""
    first, _, inside = module.partition(".")
    if first == OWN_PACKAGE:
        return first
    parts = inside.split(".")
    return ".".join(parts[: 2 if parts[0] in ROOMS else 1])


def stage(module: str) -> int:
    """A stage's number; the package itself is before all."""
    return ORDER[package(module)] if package(module) else 0


def test_python_files_import_each_other_in_no_circle():
    assert circles(python_graph()) == []


def test_no_stage_imports_a_later_one():
    assert [f"{name} -> {other}" for name, others in python_graph().items() for other in others if stage(other) > stage(name)] == []


def test_only_the_compilation_emits_and_builds():
    parts = {(package(name), package(other)) for name, others in python_graph().items() for other in others}
    assert {(own, other) for own, other in parts if own not in ONLY_FOR.get(other, {own})} == set()
    assert {other for _, other in parts} > ONLY_FOR.keys()


def test_the_order_names_every_module():
    assert {package(name) for name in modules() if package(name)} == set(ORDER)


def test_c_files_include_each_other_in_no_circle():
    assert circles(c_graph()) == []


def test_c_folders_include_what_they_may():
    wrong = []
    for name, others in c_graph().items():
        own = name.split("/")[0]
        allowed = (own, *C_FOLDERS[own])
        wrong += [f"{name} -> {other}" for other in others if not any(other == a or other.startswith(f"{a}/") for a in allowed)]
    assert wrong == []


@pytest.mark.parametrize(
    "text, module, is_package, expected",
    [
        ("import clickbpf.b", "clickbpf.a", False, ["clickbpf.b"]),
        ("from clickbpf import b", "clickbpf.a", False, ["clickbpf.b"]),
        ("from clickbpf.b import x", "clickbpf.a", False, ["clickbpf.b"]),
        ("def f():\n    from .b import x", "clickbpf.a", False, ["clickbpf.b"]),
        ("from . import b", "clickbpf.p.a", False, ["clickbpf.p.b"]),
        ("from ..b import x", "clickbpf.p.a", False, ["clickbpf.b"]),
        ("from .b import x", "clickbpf.p", True, ["clickbpf.p.b"]),
        ("import os", "clickbpf.a", False, []),
    ],
)
def test_imports_are_found(text, module, is_package, expected):
    known = dict.fromkeys(("clickbpf.a", "clickbpf.b", "clickbpf.p", "clickbpf.p.a", "clickbpf.p.b"), PACKAGE)
    assert list(imports(text, module, is_package, known)) == expected


def test_a_circle_is_found():
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"]}) == ["c -> a"]
