"""References to other elements of the router and to their handlers."""

from clickbpf.args.context import NOWHERE, Context
from clickbpf.args.error import ArgError
from clickbpf.args.types.base import Type, quoted
from clickbpf.args.types.text import String
from clickbpf.args.values import HandlerName
from clickbpf.frozen import frozen
from clickbpf.lang.config import shift_word, unquote
from clickbpf.nearest import did_you_mean


@frozen
class ElementRef(Type):
    """The name of another element, looked up first in the compound of the element that has the argument, then outwards.

    The value is a str, the full name. With `of`, the element's class or one of its base classes must have that name or alias.
    """

    of: str | None = None

    def parse(self, text: str, context: Context = NOWHERE) -> str:
        name = unquote(text)
        found = context.find(name)
        if found is None:
            raise no_such_element(name, context)
        class_ = context.class_of(found)
        if self.of and class_ and not is_a(class_, self.of):
            raise ArgError(f"'{found}' is a {class_.class_name()}", f"expected {self.describe()}")
        return found

    def describe(self) -> str:
        return f"the name of an element of class {self.of}" if self.of else "the name of an element"


def is_a(class_: type, name: str) -> bool:
    """Whether an element class, or one of its base classes, has this name or alias."""
    return any(base.__name__ == name or name in vars(base).get("aliases", ()) for base in class_.__mro__)


def no_such_element(name: str, context: Context) -> ArgError:
    """The error for a name that no element in scope has."""
    known = context.router.by_name if context.router else ()
    return ArgError(f"no element named {quoted(name)}", did_you_mean(name, known))


class HandlerRef(String):
    """ELEMENT.HANDLER, or HANDLER alone: a handler of the element itself or, failing that, of the router; value HandlerName.

    The named element must exist; whether the handler does is known only once handlers are made.
    """

    described = "a handler (ELEMENT.HANDLER)"

    def parse(self, text: str, context: Context = NOWHERE) -> HandlerName:
        name = super().parse(text, context)
        element, dot, handler = name.partition(".")
        if not name or name.endswith(".") and name.count(".") == 1:
            raise self.wrong(text)
        if dot and not element:
            return HandlerName("", handler)
        found = context.find(element) if dot else None
        if found is not None:
            return HandlerName(found, handler)
        class_ = context.class_of(context.element) if context.find(context.element) else None
        if class_ and name in class_.handlers():
            return HandlerName(context.element, name)
        if dot:
            raise no_such_element(element, context)
        return HandlerName("", name)

    def unparse(self, value: HandlerName) -> str:
        return str(value)


class HandlerCall(HandlerRef):
    """ELEMENT.HANDLER VALUE: a handler and the text to write to it; value HandlerName."""

    described = "a write handler and a value (ELEMENT.HANDLER VALUE)"

    def parse(self, text: str, context: Context = NOWHERE) -> HandlerName:
        name, value = shift_word(text)
        return super().parse(name, context)._replace(value=value)

    def calls(self, value: HandlerName) -> tuple[HandlerName, ...]:
        return (value,)
