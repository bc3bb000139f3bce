"""Handlers' values at the end of a router's run, printed or as the exit status."""

from dataclasses import replace
from fnmatch import fnmatchcase

from clickbpf.args import Bool
from clickbpf.args.error import ArgError
from clickbpf.args.types.number import written_integer
from clickbpf.cli.output import below_title, print_value
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.messages import show
from clickbpf.runtime.failures import HandlerError, full_name
from clickbpf.runtime.handlers import Handlers
from clickbpf.runtime.host import Runtime


def check_handlers(runtime: Runtime, names: list[str]) -> None:
    """ClickError with all names that no read handler has, so that nobody finds out only when the run has ended."""
    wrong = []
    for name in names:
        try:
            for element, handler in _expand(runtime, name)[0]:
                _readable(runtime.handlers, element, handler)
        except ClickError as error:
            wrong += error.diagnostics
    if wrong:
        raise ClickError(wrong)


def print_handlers(runtime: Runtime, names: list[str]) -> int:
    """Print the values of read handlers: `element.handler`, where `element` may be a pattern or a class, or the router's own `handler`.

    Each value has its name above it where there can be several. Returns the exit status: 1 if one can't be read.
    """
    failed = False
    for name in names:
        try:
            found, several = _expand(runtime, name)
            for element, handler in found:
                _print(runtime.handlers, element, handler, several or len(names) > 1)
        except ClickError as error:
            failed = True
            show(error.diagnostics)
    return int(failed)


def _print(handlers: Handlers, element: str, handler: str, titled: bool) -> None:
    """Print a title before calling the handler, because handlers may print, too."""
    _readable(handlers, element, handler)
    with below_title(full_name(element, handler), titled):
        print_value(_read(handlers, element, handler))


def _readable(handlers: Handlers, element: str, handler: str) -> None:
    if handlers.find(element, handler).read is None:
        raise ClickError(f"'{full_name(element, handler)}' is a write handler")


def _read(handlers: Handlers, element: str, handler: str) -> str:
    """A handler's value. Errors that it reports beside a value are shown as warnings."""
    try:
        return handlers.read(element, handler)
    except HandlerError as error:
        if error.value is None:
            raise
        show([replace(diagnostic, severity="warning") for diagnostic in error.diagnostics])
        return error.value


def _expand(runtime: Runtime, name: str) -> tuple[list[tuple[str, str]], bool]:
    """The handlers that a name stands for, and whether it can stand for several."""
    pattern, dot, handler = name.partition(".")
    if not dot:
        return [("", name)], False
    router = runtime.checked.router
    if pattern in router:
        return [(pattern, handler)], False
    is_pattern = any(c in pattern for c in "?*[")
    found = [e.name for e in router.elements if (fnmatchcase(e.name, pattern) if is_pattern else _is_a(runtime, e.name, pattern))]
    if not found:
        raise ClickError(f"no element matching '{pattern}'" if is_pattern else f"no element '{pattern}'")
    return [(each, handler) for each in found if runtime.handlers.has(each, handler, "read")], True


def _is_a(runtime: Runtime, element: str, class_name: str) -> bool:
    """Whether an element's class is this one or derived from it."""
    classes = type(runtime.instances[element]).__mro__
    return class_name == runtime.checked.router.element(element).class_name or any(c.__name__ == class_name for c in classes)


def exit_status(runtime: Runtime, name: str) -> int:
    """A handler's value as an exit status: an integer, or 0 for true and 1 for false; 255 for anything else."""
    handlers = runtime.handlers
    try:
        value = _read(handlers, *handlers.split(name)).strip()
    except HandlerError as error:
        show(error.diagnostics)
        return 255
    if (integer := written_integer(value)) is not None:
        return integer & 0xFF
    try:
        return int(not Bool().parse(value))
    except ArgError:
        show([Diagnostic(None, "exit handler value should be integer", f"it is '{value}'")])
        return 255
