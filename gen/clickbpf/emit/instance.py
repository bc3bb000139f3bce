"""C for one element instance: its state types, its constants, and its class's file included under its own name.

Both executors compile this text unchanged, and put their own around it: before it the accessors of the state, after it the function
that passes packets to the next element according to the action's result.
"""

import re
from collections.abc import Callable, Mapping

from clickbpf.args.declare import Rest
from clickbpf.graph.watching import named_storages
from clickbpf.objects.cnames import c_names
from clickbpf.objects.ctext import c_comment, c_enum, c_include, c_once, c_string
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.sources import c_source, c_texts
from clickbpf.vocabulary.state import ALIGNMENT, State

#: How C reads an argument: as a constant, or as a setting, which handlers may have changed.
_USE = re.compile(r"\b(?:cfg\.|setting\([^,()]+,\s*)(\w+)")
_USE_OF_OTHER = re.compile(r"\bOTHER\((\w+),")


def struct_definitions(c_name: str, kinds: Mapping[str, State], alignment: Callable[[State], int] = lambda kind: ALIGNMENT) -> str:
    """`struct c_counters { __u64 count; }` for each state, with this alignment in bytes."""
    return "".join(kind.c_structure(f"{c_name}_{name}", alignment(kind)) for name, kind in kinds.items())


def members(element: Element) -> dict[str, tuple[str, str]]:
    """Fields of `cfg` in C: name -> (C type, C initialiser). A Rest, which takes any number of values, makes no field."""
    found: dict[str, tuple[str, str]] = {}
    for argument in element.args:
        value = getattr(element.cfg, argument.field, None)
        c_value = None if value is None or isinstance(argument, Rest) else argument.type.c_value(value)
        if c_value is not None:
            found[argument.field] = (argument.type.c_type, c_value)
    return {**found, **element.constants()}


def constants(element: Element, c_name: str) -> str:
    """C constants: the class's `operations` and `enums` as `enum { c_NAME = 0, ... }`, the instance's name and arguments as `static const`
    variables."""
    ports = f"enum {{ {c_name}_ninputs = {element.ninputs}, {c_name}_noutputs = {element.noutputs} }};\n"
    name = f"static const char {c_name}_name[] __attribute__((unused)) = {c_string(element.name)};\n"
    numbers = ({name: number for number, name in enumerate(element.operations)}, *(enum.__members__ for enum in element.enums))
    return "".join(c_enum(f"{c_name}_", each) for each in numbers) + ports + name + _config(element, c_name)


def _config(element: Element, c_name: str) -> str:
    fields = members(element)
    if not fields:
        return ""
    declarations = "".join(f"\t{declare(c_type, name)};\n" for name, (c_type, _) in fields.items())
    values = "".join(f"\t.{name} = {value},\n" for name, (_, value) in fields.items())
    return f"static const struct {{\n{declarations}}} {c_name}_config __attribute__((unused)) = {{\n{values}}};\n"


def declare(c_type: str, name: str) -> str:
    """A C member: ("__u8[6]", "mac") gives `__u8 mac[6]`."""
    base, dimension = re.fullmatch(r"(.+?)\s*(\[\w+\])?", c_type).groups()
    return f"{base} {name}{dimension or ''}"


def include_class(element: Element, c_name: str) -> str:
    """The class's own text, compiled under the instance's name; its macros are undefined after it."""
    source = c_source(type(element))
    macros = dict.fromkeys(re.findall(r"^#define (\w+)", source.read_text(), re.MULTILINE))
    others = _others(element)
    named = "".join(f"#define {macro} {name}\n" for macro, name in others.items())
    forgotten = "".join(f"#undef {macro}\n" for macro in {**others, **macros})
    shared = "".join(headers(element).values())
    return f"#define SELF_NAME {c_name}\n{named}{shared}{element.code()}{c_include(source)}#undef SELF_NAME\n{forgotten}"


def _others(element: Element) -> dict[str, str]:
    """Macros for the names in C of the elements that OTHER() is about."""
    others = element.refers_to()
    names = c_names(each.name for each in element.context.router.elements) if others else {}
    return {f"OTHER_{key}": names[name] for key, name in others.items()}


def headers(element: Element) -> dict[str, str]:
    """The texts of the class's headers, by name, with include guards."""
    return {name: c_once(name, text()) for name, text in element.headers.items()}


def heading(element: Element, declaration) -> str:
    """A comment that names the element and its line in the configuration."""
    config = " ".join(declaration.config.split())
    if len(config) > 60:
        config = config[:57] + "..."
    text = f"{declaration.place}: {element.name} :: {declaration.class_name}({config})"
    return f"\n{c_comment(text)}\n"


def same_code(element: Element, other: Element) -> bool:
    """Whether two instances of a class compile to the same code, so that their arguments differ only in what they put into state."""
    return _visible(element) == _visible(other)


def _visible(element: Element) -> tuple:
    """All of an instance that its C depends on, and the annotations that the plan depends on."""
    if c_source(type(element)) is None:
        return ()
    code = element.code()
    text = code + "".join(c_texts(c_source(type(element))))
    used, used_of_others = (set(re.findall(use, text)) for use in (_USE, _USE_OF_OTHER))
    seen = {name: value for name, value in members(element).items() if name in used}
    others = {key: name for key, name in element.refers_to().items() if key in used_of_others}
    return code, seen, others, tuple(element.annotations_written()), tuple(named_storages(element))
