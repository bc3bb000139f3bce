"""References to elements and handlers, resolved from compounds outwards as Click's Router::find and cp_handler_name do."""

import pytest

from clickbpf.declare import ArgError, Context, Element, ElementRef, HandlerCall, HandlerName, HandlerRef, read_handler
from clickbpf.graph.router import Element as Declaration
from clickbpf.graph.router import Router


class Storage(Element):
    """A base class."""


class FullQueue(Storage):
    aliases = ("Queue",)

    @read_handler
    def length(self) -> str:
        return "0"


class SmallQueue(FullQueue):
    aliases = ()


class Other(Element):
    """No storage."""


class Classes:
    """Stands for the library."""

    CLASSES = {class_.__name__: class_ for class_ in (FullQueue, SmallQueue, Other)}

    def known(self, name):
        return name in self.CLASSES

    def find(self, name):
        return self.CLASSES[name]


NAMES = {"q": "FullQueue", "a/q": "FullQueue", "a/b/x": "FullQueue", "a/o": "Other", "z": "SmallQueue", "u": "Unknown"}
ROUTER = Router(tuple(Declaration(name, class_) for name, class_ in NAMES.items()))


def at(element):
    return Context(element, ROUTER, Classes())


@pytest.mark.parametrize(
    "where, text, found",
    [
        ("a/b/x", "q", "a/q"),
        ("x", "q", "q"),
        ("a/b/x", "x", "a/b/x"),
        ("a/b/x", "z", "z"),
        ("x", "a/q", "a/q"),
        ("a/b/x", "b/x", "a/b/x"),
        ("x", '"q"', "q"),
    ],
)
def test_element(where, text, found):
    assert ElementRef().parse(text, at(where)) == found


@pytest.mark.parametrize("where, text", [("x", "o"), ("a/b/x", "p"), ("b/x", "b/x")])
def test_no_such_element(where, text):
    with pytest.raises(ArgError, match=f"no element named '{text}'"):
        ElementRef().parse(text, at(where))


def test_suggests_a_name():
    with pytest.raises(ArgError) as error:
        ElementRef().parse("a/qq", at("x"))
    assert error.value.hint == "did you mean 'a/q'?"


@pytest.mark.parametrize("text, of", [("q", "FullQueue"), ("q", "Storage"), ("q", "Queue"), ("z", "Queue"), ("u", "Queue")])
def test_class_fits(text, of):
    assert ElementRef(of).parse(text, at("x")) == text


def test_class_does_not_fit():
    with pytest.raises(ArgError, match="'a/o' is a Other"):
        ElementRef("Storage").parse("a/o", at("x"))


@pytest.mark.parametrize(
    "where, text, handler",
    [
        ("a/b/x", "q.length", HandlerName("a/q", "length")),
        ("a/b/x", "length", HandlerName("a/b/x", "length")),
        ("a/b/x", "config", HandlerName("", "config")),
        ("a/b/x", ".length", HandlerName("", "length")),
        ("x", "q.a.b", HandlerName("q", "a.b")),
        ("x", '"q.length"', HandlerName("q", "length")),
    ],
)
def test_handler(where, text, handler):
    assert HandlerRef().parse(text, at(where)) == handler


@pytest.mark.parametrize(
    "text, message",
    [("q.", "is not a handler"), ("p.length", "no element named 'p'"), ('""', "is not a handler"), ("a b", "is not a handler")],
)
def test_bad_handler(text, message):
    with pytest.raises(ArgError, match=message):
        HandlerRef().parse(text, at("x"))


def test_handler_call():
    call = HandlerCall().parse("q.limit 3, or so", at("a/b/x"))
    assert call == HandlerName("a/q", "limit", "3, or so")
    assert str(call) == "a/q.limit 3, or so"
