"""Makes instances of a router's elements: parses and checks their arguments, and counts their ports."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from operator import itemgetter

from clickbpf.args.bind import bind
from clickbpf.args.context import Context
from clickbpf.args.error import WRONG_ARGUMENTS, ArgError
from clickbpf.args.names import Names
from clickbpf.errors import NOTHING, ClickError, Diagnostic, Diagnostics
from clickbpf.graph.ports import Shape
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.router import Element as Declaration
from clickbpf.graph.router import Router
from clickbpf.lang.config import defined_words, split_args, words
from clickbpf.lang.variables import first_variable
from clickbpf.vocabulary.element import Element, fix
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import NameGiver, Reconfigurable
from clickbpf.vocabulary.traits import NAMES_ANYWHERE

Instances = dict[str, Element]
#: For a router in which no mistakes were reported before.
SOUND = Recovery()


def classes(router: Router, library: Library, found: Diagnostics, recovery: Recovery = SOUND) -> dict[str, type[Element]]:
    """The class of each element; unknown classes are reported, unless they were, and their elements left out."""
    known: dict[str, type[Element]] = {}
    for element in router.elements:
        if element.name in recovery.unknown:
            continue
        try:
            known[element.name] = library.find(element.class_name)
        except ClickError as error:
            found.extend(replace(d, place=d.place or element.place) for d in error.diagnostics)
    return known


def configure(
    router: Router,
    library: Library,
    known: Mapping[str, type[Element]],
    found: Diagnostics,
    names: Names | None = None,
    recovery: Recovery = SOUND,
) -> Instances:
    """An instance for each element, by name in the router's order; those with mistakes are left out and reported.

    `known` has the elements' classes; elements without one are skipped.  Classes that define names (`define_names`) come first,
    so that all others can use the names.
    """
    names = names or Names()
    unclear = recovery.words | _lost_names(router, library, recovery)
    elements = sorted((e for e in router.elements if e.name in known), key=lambda e: not _defines_names(known[e.name]))
    made: Instances = {}
    for element in elements:
        context = Context(element.name, router, library, names)
        instance, wrong, warnings = _instance(element, known[element.name], context, element.name in recovery.incomplete)
        arguments = _Arguments(element.config)
        for severity, remarks in (("error", wrong), ("warning", warnings)):
            for remark, offset in remarks:
                if offset is None or not unclear & arguments.words(offset):
                    place = element.place if offset is None else element.place_of(offset)
                    message, hint = arguments.unset(offset) or (remark.message, remark.hint)
                    said = _in_click(element, severity, remark)
                    found.add(Diagnostic(place, f"{element.class_name}: {message}", hint, severity, (said,)))
        if instance:
            made[element.name] = instance
        elif _defines_names(known[element.name]):
            unclear |= words(element.config)
    return {element.name: made[element.name] for element in router.elements if element.name in made}


def _in_click(element: Declaration, severity: str, remark: ArgError) -> Diagnostic:
    """Click's form of a remark: below a line about the element, and at the element's place."""
    if remark.in_click == "":
        return NOTHING
    said = remark.in_click or ("warning: " if severity == "warning" else "") + remark.message
    return Diagnostic(element.place, f"While configuring '{element.name} :: {element.class_name}':\n  {said}")


def _defines_names(class_: type[Element]) -> bool:
    return issubclass(class_, NameGiver)


def _lost_names(router: Router, library: Library, recovery: Recovery) -> set[str]:
    """Names that elements may define that can't be configured, because of an unknown class or unknown arguments."""
    lost: set[str] = set()
    for element in router.elements:
        if element.name in recovery.unknown:
            known = library.known(element.class_name)
            if not known:
                lost |= defined_words(element.config)
            elif _defines_names(library.find(element.class_name)):
                lost |= words(element.config)
    return lost


class _Arguments:
    """The arguments in a configuration string, by offset."""

    def __init__(self, config: str):
        self._config = config

    @cached_property
    def _arguments(self) -> list[tuple[str, int]]:
        return split_args(self._config)

    def _argument(self, offset: int | None) -> str:
        number = 0 if offset is None else bisect_right(self._arguments, offset, key=itemgetter(1))
        return self._arguments[number - 1][0] if number else ""

    def words(self, offset: int) -> set[str]:
        """The words of the argument that contains `offset`, and "$" if it has a variable."""
        return words(self._argument(offset)) | {"$"} & set(self._argument(offset))

    def unset(self, offset: int | None) -> tuple[str, str] | None:
        """Message and hint about a variable without a value in the argument that contains `offset`, if there is one."""
        name = first_variable(self._argument(offset))
        return (f"the variable ${name} is not set", f"give {name}=VALUE on the command line, or define(${name} VALUE)") if name else None


#: Reports about an element's arguments, each with its offset in the configuration string, or None.
Remarks = list[tuple[ArgError, "int | None"]]


def _instance(
    element: Declaration, class_: type[Element], context: Context, incomplete: bool = False, before: Element | None = None
) -> tuple[Element | None, Remarks, Remarks]:
    """The instance, if there are no mistakes; the mistakes; and the warnings.

    An `incomplete` element may have unknown ports, so their number isn't checked. With `before`, the instance is to replace that one.
    """
    bound = bind(element.class_name, class_.args, element.config, context, NAMES_ANYWHERE in class_.traits)
    if bound.errors:
        for error, _ in bound.errors:
            error.result = WRONG_ARGUMENTS
        return None, bound.errors, []
    wrong: list[ArgError] = []
    instance = None
    try:
        instance = class_(element.name, bound.cfg, *Shape.of(context.router, element.name, class_, incomplete=incomplete).counts)
        instance.context = context
        _complete(instance, incomplete)
        if isinstance(instance, Reconfigurable) and before:
            instance.keep(before)
    except* ArgError as group:
        wrong += _leaves(group)
    if instance and instance.miscounted and not incomplete:
        wrong.append(instance.miscounted)
    if wrong:
        return None, [(error, bound.locate(error)) for error in wrong], []
    warnings = () if incomplete else tuple(instance.warnings())
    fix(instance)
    return instance, [], bound.warnings + [(warning, bound.locate(warning)) for warning in warnings]


def with_arguments(instance: Element, config: str) -> tuple[Element, list[ArgError]]:
    """The element's instance with other arguments, and warnings about these; ArgError if they are wrong."""
    declaration = replace(instance.context.router.element(instance.name), config=config)
    made, wrong, warnings = _instance(declaration, type(instance), instance.context, before=instance)
    if made is None:
        said = "\n".join(error.in_click or error.message for error, _ in wrong)
        raise ArgError("\n".join(error.message for error, _ in wrong), in_click=said, result=wrong[0][0].result)
    return made, [error for error, _ in warnings]


def _complete(instance: Element, incomplete: bool) -> None:
    """Have the class configure the instance, which may change the port count."""
    instance.configure()
    instance.ninputs, instance.noutputs = Shape.of(instance.context.router, instance.name, instance, incomplete=incomplete).counts
    if _defines_names(type(instance)):
        instance.define_names(instance.context.names)


def _leaves(group: BaseExceptionGroup) -> list[ArgError]:
    nested = (_leaves(e) if isinstance(e, BaseExceptionGroup) else [e] for e in group.exceptions)
    return [error for errors in nested for error in errors]
