"""Prove which packets two configurations or objects, or a running router and one of these, treat differently."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, add_plan, compilation, config_file, words
from clickbpf.cli.output import print_json
from clickbpf.cli.verify import PROVED, REFUTED, UNDECIDED, plain_example, print_bounds, print_example
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.lang.load import is_object
from clickbpf.objects.manifest import Manifest

if TYPE_CHECKING:
    from clickbpf.prove.answers import Router
    from clickbpf.prove.differences import Comparison


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "NEW VAR=VALUE")
    add_plan(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from clickbpf.load.files.places import loaded
    from clickbpf.prove.differences import compare

    given, old = words(options), config_file(options)
    if len(given.names) != 1:
        raise ClickError("diff needs two configurations", hint="clickbpf diff OLD NEW")
    values = [f"{name}={value}" for name, value in given.assignments.items()]
    new = argparse.Namespace(**{**vars(options), "file": None, "expression": None, "words": [given.names[0], *values]})
    options.words = [word for word in options.words if word != given.names[0]]
    if old is not None and not Path(old).exists() and old in loaded():
        routers = with_running(old, _compiled(new))
    else:
        routers = unloaded(_compiled(options), _compiled(new))
    found = compare(*routers)
    if options.json:
        print_json(_plain(found))
    else:
        print_comparison(found)
        print_bounds(routers)
    return status(found)


def _compiled(options: argparse.Namespace) -> Compilation:
    """The configuration that the options name, or that of an object."""
    path = config_file(options)
    if options.expression is not None or path in (None, "-") or not is_object(path):
        return compilation(options)
    manifest = Manifest.from_object(Path(path).read_bytes(), path)
    return Compilation.reopened(manifest, options.elements, words(options).assignments)


def unloaded(*made: Compilation) -> list[Router]:
    """Routers as the prover sees them, with tables that may contain anything."""
    from clickbpf.prove.answers import Router
    from clickbpf.prove.explore import Explorer

    return [Router(Explorer(each)) for each in made]


def with_running(name: str, new: Compilation) -> list[Router]:
    """The loaded router with its present tables, and the new one as a swap would leave it: with the tables that elements keep."""
    from clickbpf.load.files.places import Pins, RunFolder, not_loaded
    from clickbpf.load.path.compilation import reopened
    from clickbpf.load.path.kernelpath import KernelPath
    from clickbpf.prove.answers import Router
    from clickbpf.prove.explore import Explorer
    from clickbpf.prove.replay import initial_tables, tables_of
    from clickbpf.vocabulary.held import KEPT

    folder = RunFolder.of(name)
    if not folder.exists():
        raise not_loaded(name)
    made = reopened(folder)
    with KernelPath.pinned(folder.manifest(), Pins.of(name)) as path:
        tables = tables_of(path)
    before, after = made.checked.instances, new.checked.instances
    same = {element for element, instance in after.items() if type(instance).__name__ == type(before.get(element)).__name__}
    keeping = {element for element in same if any(held.swap is KEPT for held in after[element].holds or ())}
    kept = {state: content for state, content in tables.items() if state.rpartition(".")[0] in keeping}
    return [Router(Explorer(made, tables)), Router(Explorer(new, {**initial_tables(new), **kept}))]


def print_comparison(found: Comparison) -> None:
    """Print each difference with an example, and what could be neither proved nor refuted."""
    from clickbpf.prove.answers import Verdict

    said = {Verdict.PROVED: "no packet is treated differently", Verdict.REFUTED: "packets are treated differently"}
    print(said.get(found.verdict, "undecided"))
    if found.apart:
        print(f"not compared are packets that only one of the hooks hands over, at {', '.join(sorted(found.apart))}")
    for each in found.differences:
        print(f"packets that were {each.treatment}:")
        print_example(each.old, "before, a packet")
        print_example(each.new, "now, it")
    for line in found.open:
        print(f"open: {line}")


def _plain(found: Comparison) -> dict:
    differences = [
        {"treatment": each.treatment, "old": plain_example(each.old), "new": plain_example(each.new)} for each in found.differences
    ]
    return {"answer": found.verdict.value, "open": found.open, "differences": differences}


def status(found: Comparison) -> int:
    """The exit status."""
    from clickbpf.prove.answers import Verdict

    return {Verdict.PROVED: PROVED, Verdict.REFUTED: REFUTED}.get(found.verdict, UNDECIDED)
