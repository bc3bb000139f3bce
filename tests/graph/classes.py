"""Element classes for tests of the checks, and routers made of them: shapes alone, no packets."""

from collections.abc import Iterator

from clickbpf.declare import Bool, Element, ElementRef, Integer, IPAddress, Keyword, Optional, Raw, Required, Rest
from clickbpf.errors import ClickError, Diagnostic, Diagnostics, Sources
from clickbpf.graph.check import CheckedRouter, check
from clickbpf.graph.elaborate import elaborate
from clickbpf.graph.recovery import Recovery
from clickbpf.lang.load import parse_source
from clickbpf.vocabulary.library import Library

#: name: (ports, processing, flow), those of Click's classes of the same names.
SHAPES = {
    "Idle": ("-/-", "a/a", "x/y"),
    "Source": ("0/1", "h", "x/x"),
    "Discard": ("1/0", "a", "x/x"),
    "PushSink": ("1/0", "h", "x/x"),
    "PullSink": ("1/0", "l", "x/x"),
    "Queue": ("1/1", "h/l", "x/x"),
    "Unqueue": ("1/1", "l/h", "x/x"),
    "Null": ("1", "a/a", "x/x"),
    "Check": ("1/1-2", "a/ah", "x/x"),
    "Tee": ("1/1-", "h/h", "x/x"),
    "Sched": ("-/1", "l/l", "x/x"),
    "Suppressor": ("-/=", "a/a", "#/#"),
    "OneMore": ("-/=+", "a/a", "x/x"),
    "ARPQuerier": ("2/1-2", "h/h", "xy/x"),
    "Switch": ("-/=", "h/h", "#/[^#]"),
}


class Counted(Element):
    """Arguments of many kinds."""

    ports, processing = "1", "a/a"
    args = (
        Required("COUNT", Integer(8)),
        Optional("PEER", ElementRef()),
        Keyword("ACTIVE", Bool(), True),
        Keyword("ADDRESS", IPAddress()),
    )


class Classify(Element):
    """As many outputs as patterns."""

    ports, processing = "1/-", "h/h"
    args = (Rest("PATTERN", Raw()),)

    def configure(self):
        self.ports = f"1/{len(self.cfg.pattern)}"


def library() -> Library:
    """The classes of this module, found without files."""
    made = {
        name: type(name, (Element,), dict(ports=ports, processing=processing, flow=flow, entries=_entries(name, processing)))
        for name, (ports, processing, flow) in SHAPES.items()
    }
    return FakeLibrary(made | {"Counted": Counted, "Classify": Classify})


def _entries(name: str, processing: str) -> tuple[str, ...]:
    """Classes with pull outputs, and Idle, say themselves what a pull of theirs does."""
    return ("pull",) if name == "Idle" or "l" in processing.partition("/")[2] or processing == "l" else ()


class FakeLibrary(Library):
    def __init__(self, classes: dict[str, type[Element]]):
        super().__init__(())
        self.classes = classes

    def _find(self, name: str) -> type[Element] | None:
        return self.classes.get(name)

    def _all(self) -> Iterator[type[Element]]:
        return iter(self.classes.values())


def checked(text: str, *more: type[Element]) -> CheckedRouter:
    """The checked router of a configuration of these classes and `more`."""
    lib = library()
    lib.classes.update({class_.__name__: class_ for class_ in more})
    sources, found, recovery = Sources(), Diagnostics(), Recovery()
    router = elaborate(parse_source(text, "config", sources, found), lib, found=found, recovery=recovery)
    result = check(router, lib, found=found, recovery=recovery)
    found.raise_if_errors(sources)
    return result


def mistakes(text: str, *more: type[Element]) -> list[Diagnostic]:
    """What is wrong with a configuration, in the order of places."""
    try:
        checked(text, *more)
    except ClickError as error:
        return list(error.diagnostics)
    return []
