"""From the elements of a router to instances of their classes: arguments parsed, checked, ports counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

from clickbpf.args.bind import bind
from clickbpf.args.context import Context
from clickbpf.args.error import ArgError
from clickbpf.args.names import Names
from clickbpf.element import Element
from clickbpf.errors import ClickError, Diagnostics
from clickbpf.graph.ports import Shape
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


def configure(
    router: Router, library: Library, known: Mapping[str, type[Element]], found: Diagnostics, names: Names | None = None
) -> Instances:
    """An instance for each element, by name in the router's order; those with mistakes are left out and reported.

    `known` has the elements' classes; elements that are not there are passed over.  Classes that define names
    (`define_names`) come first, so that all others can use them.
    """
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
    instance, errors = None, bound.errors
    if not errors:
        try:
            instance = _make(element.name, class_, bound.cfg, context)
        except* ArgError as group:
            errors = [(error, bound.locate(error)) for error in _leaves(group)]
    for error, offset in errors:
        place = element.place if offset is None else element.place_of(offset)
        found.error(place, f"{element.class_name}: {error.message}", error.hint)
    return instance


def _make(name: str, class_: type[Element], cfg: SimpleNamespace, context: Context) -> Element:
    """The instance, configured by its class; that may change its port count."""
    instance = class_(name, cfg, *Shape.of(context.router, name, class_).counts)
    instance.context = context
    instance.configure()
    instance.ninputs, instance.noutputs = Shape.of(context.router, name, instance).counts
    if _defines_names(class_):
        instance.define_names(context.names)
    return instance


def _leaves(group: BaseExceptionGroup) -> list[ArgError]:
    nested = (_leaves(e) if isinstance(e, BaseExceptionGroup) else [e] for e in group.exceptions)
    return [error for errors in nested for error in errors]
