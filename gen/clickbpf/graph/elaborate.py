"""From syntax tree to flat router: expands compound elements until none remain.

    parse("elementclass Twice { $a | input -> A($a) -> A($a) -> output } x :: X -> Twice(1) -> x")

gives the elements `x`, `Twice@2/A@1` and `Twice@2/A@2`, connected in a ring.  Names, the order of
elements and the expansion of variables are those of Click.

`known` decides which names are element classes: a function, or a collection of names (which gives better hints).  Without it any name
may be a class.  `variables` (`VAR=VALUE` on a command line) override the definitions of the file.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from clickbpf.errors import Diagnostics, Place, Sources, reporting
from clickbpf.graph.classes import Classes, Known
from clickbpf.graph.definitions import Definition
from clickbpf.graph.directives import Directives, FindLibrary
from clickbpf.graph.expand import Expander
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.resolve import Resolver
from clickbpf.graph.router import Router
from clickbpf.lang import ast
from clickbpf.lang.config import is_balanced
from clickbpf.lang.load import library_finder, parse_file, parse_source
from clickbpf.lang.variables import Scope

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


def elaborate(
    file: ast.File,
    known: Known | None = None,
    variables: Mapping[str, str] = NO_VARIABLES,
    find_library: FindLibrary | None = None,
    found: Diagnostics | None = None,
    recovery: Recovery | None = None,
) -> Router:
    """The flat router of `file`, or of its sound parts; `recovery` records what mistakes hide.

    The sources of libraries are added to those of `file`.
    """
    recovery = recovery or Recovery()
    with reporting(found, file.sources) as found:
        directives = Directives(found, find_library or library_finder(file.sources, found), recovery)
        definition = Resolver(Classes(known), found, directives, recovery).file(file)
        expander = Expander(found, recovery, file.sources)
        scope = _global_scope(definition, variables, file.sources, found)
        expander.file(definition, scope)
    asked = scope.asked | {name for name, _, _ in definition.defines}
    return Router(
        elements=tuple(expander.elements),
        connections=expander.connections(),
        requirements=tuple(directives.requirements),
        required_at=MappingProxyType(directives.required_at),
        provisions=tuple(directives.provisions),
        archive=MappingProxyType(dict(file.archive)),
        sources=file.sources,
        text=file.text,
        given=MappingProxyType({name: value for name, value in variables.items() if name in asked}),
        has_libraries=bool(directives.libraries),
        warnings=found.warnings,
        variables=frozenset(asked),
    )


def _global_scope(
    definition: Definition,
    variables: Mapping[str, str],
    sources: Sources,
    diagnostics: Diagnostics,
) -> Scope:
    """The values of variables: the file's definitions, overridden by the command line."""
    scope = Scope(values={name: value for name, value, _ in definition.defines})
    for name, value in variables.items():
        file = f"command line, {name}"
        sources.add(file, f"{name}={value}")
        place = Place(file, 1, len(name) + 2)
        if not is_balanced(value):
            diagnostics.error(place, f"value of '{name}' has unbalanced quotes or parentheses")
        scope.values[name] = ast.Config(value, (ast.Anchor(0, place),))
    return scope


def read_text(
    text: str | bytes, known: Known | None = None, variables: Mapping[str, str] = NO_VARIABLES, name: str = "config"
) -> Router:
    """Parse and elaborate a configuration, or an archive that holds one; ClickError with all mistakes, which show `name` as its file."""
    sources, found = Sources(), Diagnostics()
    router = elaborate(parse_source(text, name, sources, found), known, variables, found=found)
    found.raise_if_errors(sources)
    return router


def read_file(path: str | Path, known: Known | None = None, variables: Mapping[str, str] = NO_VARIABLES) -> Router:
    """Parse and elaborate the configuration or archive at `path`; `-` is standard input."""
    sources, found = Sources(), Diagnostics()
    router = elaborate(parse_file(str(path), sources, found), known, variables, found=found)
    found.raise_if_errors(sources)
    return router
