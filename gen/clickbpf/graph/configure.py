"""From the elements of a router to instances of their classes: arguments parsed, checked, ports counted."""

from __future__ import annotations

from dataclasses import replace

from clickbpf.args.bind import Bound, bind
from clickbpf.args.context import Context
from clickbpf.args.error import ArgError
from clickbpf.args.names import Names
from clickbpf.element import Element
from clickbpf.errors import ClickError, Diagnostics
from clickbpf.graph.ports import PortCount
from clickbpf.graph.router import Element as Declaration
from clickbpf.graph.router import Router
from clickbpf.library import Library

Instances = dict[str, Element]


def classes(router: Router, library: Library, found: Diagnostics) -> dict[str, type[Element]]:
    """The class of each element; elements of unknown classes are left out and reported."""
    known: dict[str, type[Element]] = {}
    for element in router.elements:
        try:
            known[element.name] = library.find(element.class_name)
        except ClickError as error:
            found.extend(replace(d, place=d.place or element.place) for d in error.diagnostics)
    return known


def configure(router: Router, library: Library, found: Diagnostics, names: Names | None = None) -> Instances:
    """An instance for each element, by name in the router's order; those with mistakes are left out and reported.

    Classes that define names (`define_names`) come first, so that all others can use them.
    """
    known = classes(router, library, found)
    names = names or Names()
    elements = sorted((e for e in router.elements if e.name in known), key=lambda e: not _defines_names(known[e.name]))
    made: Instances = {}
    for element in elements:
        context = Context(element.name, router, library, names)
        instance = _instance(element, known[element.name], context, found)
        if instance:
            made[element.name] = instance
    return {element.name: made[element.name] for element in router.elements if element.name in made}


def _defines_names(class_: type[Element]) -> bool:
    return hasattr(class_, "define_names")


def _instance(element: Declaration, class_: type[Element], context: Context, found: Diagnostics) -> Element | None:
    bound = bind(element.class_name, class_.args, element.config, context)
    instance = None
    if not bound.errors:
        instance = class_(element.name, bound.cfg, *_port_counts(element, class_.ports, context.router))
        instance.context = context
        bound.errors += _configure(instance, bound)
    for error, offset in bound.errors:
        place = element.place if offset is None else element.place_of(offset)
        found.error(place, f"{element.class_name}: {error.message}", error.hint)
    if bound.errors:
        return None
    instance.ninputs, instance.noutputs = _port_counts(element, instance.ports, context.router)
    return instance


def _configure(instance: Element, bound: Bound) -> list[tuple[ArgError, int | None]]:
    """Run the class's own part; what it found wrong, with offsets."""
    errors: list[ArgError] = []
    try:
        instance.configure()
        if _defines_names(type(instance)):
            instance.define_names(instance.context.names)
    except* ArgError as group:
        errors += _leaves(group)
    return [(error, bound.locate(error)) for error in errors]


def _leaves(group: BaseExceptionGroup) -> list[ArgError]:
    nested = (_leaves(e) if isinstance(e, BaseExceptionGroup) else [e] for e in group.exceptions)
    return [error for errors in nested for error in errors]


def _port_counts(element: Declaration, code: str, router: Router) -> tuple[int, int]:
    used = router.n_inputs(element.name), router.n_outputs(element.name)
    return PortCount.parse(code).resolve(*used)
