"""Declarations of handlers: as methods, as fields of states, as values of an argument type, as sums of counters, or numbered for each
instance.

The manual page's text about a handler (manual.py) is its method's docstring, or its `text`. The handlers of settings are declared with
their arguments (args/declare.py), and share their text.

Class files import these from clickbpf.declare.
"""

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from clickbpf.vocabulary.rights import Right


class Handler:
    """One handler of a class: a name, functions, and the rights that their callers need."""

    read_needs: Right | None = None
    write_needs: Right | None = None
    #: Whether clients of sockets can't call it.
    private = False
    #: Whether the value read depends on the argument alone.
    pure = False

    def __init__(self, name: str, read: Callable | None = None, write: Callable | None = None, doc: str = ""):
        self.name, self.read, self.write, self.doc = name, read, write, doc


def read_handler(function: Callable[..., str] | str | None = None, *, needs: Right | None = None, text: str = ""):
    """Declare a method as a read handler, which returns the handler's text. For a single expression, one line is enough, with `text`
    instead of a docstring: `filename = read_handler(lambda self: self.cfg.filename)`.

    The handler's name is the method's, or the one given: `@read_handler("class")`. An attribute with another name and the same method is
    another handler: `nmappings = table_size`. With `needs`, only callers with that right may call it.
    """
    if text:
        function.__doc__ = text
    return _handler("read", function, needs)


def write_handler(
    function: Callable[[Any, str], int | None] | str | None = None, *, name: str = "", needs: Right | None = None, text: str = ""
):
    """Declare a method as a write handler, which takes the text, changes the state, and raises ArgError if it can't. For a single
    expression, one line is enough, with `name` if the attribute has another one:
    `set_key = write_handler(lambda self, text: ..., name="key")`.

    Its result is the `$?` of scripts; None means 0.
    """
    if text:
        function.__doc__ = text
    return _mark(function, "write", name, needs) if name else _handler("write", function, needs)


def _handler(kind: str, function, needs: Right | None):
    if function is None or isinstance(function, str):
        return lambda f: _mark(f, kind, function, needs)
    return _mark(function, kind, None, needs)


def _mark(function, kind: str, name: str | None, needs: Right | None):
    function.clickbpf_handler, function.clickbpf_needs = (kind, name), needs
    return function


class field_handlers:
    """Handlers that read and write a field of a state: `active = field_handlers("vars", Bool())`.

    The argument type parses what is written, and converts values to fields; `then` names a method to call afterwards. `field` defaults to
    the handlers' name. `wrong` is the message about texts that the type refuses, or, where Click's handler gives the element another
    argument, `argument` its name.
    """

    def __init__(
        self, state: str, type_: Any, then: str = "", field: str = "", wrong: str = "", text: str = "", argument: str = ""
    ):
        self.state, self.type, self.then, self.field, self.text = state, type_, then, field, text
        self.wrong, self.argument = wrong, argument

    def handler(self, name: str) -> Handler:
        field = self.field or name

        def read(element: Any) -> str:
            return self.type.unparse(self.get(getattr(element.state, self.state), field))

        def write(element: Any, text: str) -> None:
            value = self.type.parse_written(text, self.wrong, self.argument, element.context)
            change_settings(element)
            self.set(getattr(element.state, self.state), field, value)
            if self.then:
                getattr(element, self.then)()

        return Handler(name, read, write, self.text)

    def get(self, state: Any, field: str) -> Any:
        """The field's value, in the argument type's form."""
        return self.type.from_field(getattr(state, field))

    def set(self, state: Any, field: str, value: Any) -> None:
        setattr(state, field, self.type.to_field(value))


def change_settings(element: Any) -> None:
    """Call this before a handler changes a setting: from then on the kernel path reads settings from the state, and doesn't use their
    initial values as constants (setting() in C)."""
    if hasattr(element.state, "settings"):
        element.state.settings.changed = 1


class value_handlers:
    """Handlers that read and write more than a field: `size = value_handlers(Integer(32), lambda self: ..., lambda self, size: ...)`.

    `read`, if there is one, returns the value, or a text; `write` gets the parsed value. The argument type may be a function of the
    element. `wrong` and `argument` are those of field_handlers; `needs` is the right that writing takes.
    """

    def __init__(
        self,
        type_: Any,
        read: Callable[[Any], Any] | None,
        write: Callable[[Any, Any], object],
        *,
        wrong: str = "",
        argument: str = "",
        needs: Right | None = None,
        text: str = "",
    ):
        self.type, self.read, self.write, self.needs, self.text = type_, read, write, needs, text
        self.wrong, self.argument = wrong, argument

    def handler(self, name: str) -> Handler:
        def read(element: Any) -> str:
            value = self.read(element)  # type: ignore[misc]
            return value if isinstance(value, str) else self._type(element).unparse(value)

        def write(element: Any, text: str) -> None:
            self.write(element, self._type(element).parse_written(text, self.wrong, self.argument, element.context))

        made = Handler(name, self.read and read, write, self.text)
        made.write_needs = self.needs
        return made

    def _type(self, element: Any) -> Any:
        return self.type(element) if inspect.isfunction(self.type) else self.type


class sum_handler:
    """A handler that reads a number in a state, for PerThread the total over CPUs and threads: `drops = sum_handler("counters")`. `field`
    defaults to the handler's name.
    """

    def __init__(self, state: str, field: str = "", text: str = ""):
        self.state, self.field, self.text = state, field, text

    def handler(self, name: str) -> Handler:
        field = self.field or name
        return Handler(name, lambda element: str(getattr(element.state, self.state).sum(field)), doc=self.text)


class control_handler:
    """A write handler that runs an operation of the element's CONTROL: `clear = control_handler("CLEAR")`."""

    def __init__(self, op: int | str = 0, text: str = ""):
        self.op, self.text = op, text

    def handler(self, name: str) -> Handler:
        return Handler(name, write=lambda element, text: element.notify(self.op), doc=self.text)


class reset_handler:
    """A write handler that sets fields of a state, or all of it, to 0: `reset_counts = reset_handler("counters")`. `then` names a method to
    call afterwards."""

    def __init__(self, state: str, *fields: str, then: str = "", text: str = ""):
        self.state, self.fields, self.then, self.text = state, fields, then, text

    def handler(self, name: str) -> Handler:
        def write(element: Any, text: str) -> None:
            state = getattr(element.state, self.state)
            for field in self.fields:
                setattr(state, field, 0)
            if not self.fields:
                state.clear()
            if self.then:
                getattr(element, self.then)()

        return Handler(name, write=write, doc=self.text)


class numbered_handlers:
    """Numbered handlers of an instance, one for each port for example: `active = numbered_handlers(count, read, write)` declares active0,
    active1 and so on, `count(element)` in all, with `read(element, number)` and `write(element, number, text)`.
    """

    def __init__(self, count: Callable[[Any], int], read: Callable[[Any, int], str], write: Callable[[Any, int, str], None]):
        self.count, self.read, self.write = count, read, write

    def handlers(self, name: str, element: Any) -> dict[str, Handler]:
        return {f"{name}{number}": self._handler(f"{name}{number}", number) for number in range(self.count(element))}

    def _handler(self, name: str, number: int) -> Handler:
        def read(element: Any) -> str:
            return self.read(element, number)

        def write(element: Any, text: str) -> None:
            self.write(element, number, text)

        return Handler(name, read, write)


@lru_cache(maxsize=1024)
def handlers_of(class_: type) -> dict[str, Handler]:
    """The handlers of a class and its bases, by name."""
    found: dict[str, Handler] = {}
    for base in reversed(class_.__mro__):
        said = set()
        for key, attribute in vars(base).items():
            if isinstance(attribute, (control_handler, field_handlers, reset_handler, sum_handler, value_handlers)):
                found[key] = attribute.handler(key)
                continue
            kind, name = getattr(attribute, "clickbpf_handler", (None, None))
            if kind:
                name = name or key
                handler = found.setdefault(name, Handler(name))
                if attribute.__doc__ and name not in said:
                    said.add(name)
                    handler.doc = inspect.getdoc(attribute) or ""
                setattr(handler, kind, attribute)
                setattr(handler, f"{kind}_needs", attribute.clickbpf_needs)
    return found


def numbered_of(element: Any) -> dict[str, Handler]:
    """The numbered handlers of an instance, by name."""
    found: dict[str, Handler] = {}
    for base in reversed(type(element).__mro__):
        for name, attribute in vars(base).items():
            if isinstance(attribute, numbered_handlers):
                found |= attribute.handlers(name, element)
    return found


@lru_cache(maxsize=1024)
def settings_of(class_: type) -> tuple[tuple[str, field_handlers], ...]:
    """The fields of the field_handlers of a class and its bases."""
    every = {key: attribute for base in reversed(class_.__mro__) for key, attribute in vars(base).items()}
    return tuple((each.field or key, each) for key, each in every.items() if isinstance(each, field_handlers))
