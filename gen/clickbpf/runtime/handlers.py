"""Handlers: the texts by which a running router is read and changed, `element.handler` or – the router's own – `handler`.

An element has the handlers of its class and those of every element. They use views of state, so they give the same answers in the runtime's
process and on the maps of a router with its runtime elsewhere.

Texts are Python strings; bytes that aren't UTF-8 are surrogate escapes in them.
"""

import errno
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial

from clickbpf import digits
from clickbpf.args.error import ArgError
from clickbpf.args.names import scopes
from clickbpf.args.types.number import written_integer
from clickbpf.args.types.reference import HandlerCall
from clickbpf.compile import Compilation
from clickbpf.errors import NOTHING, ClickError, Diagnostic
from clickbpf.frozen import frozen
from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.ports import End
from clickbpf.graph.router import Port
from clickbpf.graph.unparse import flat_configuration
from clickbpf.messages import as_click, show
from clickbpf.nearest import did_you_mean
from clickbpf.runtime.failures import Failure, HandlerError, full_name
from clickbpf.runtime.reconfigure import SIMULATION, Host, reconfigure, replace_argument
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.rights import Right
from clickbpf.vocabulary.roles import CountsDrops, OwnHandlers, Reconfigurable, RemotelyCalled, listed_handlers

Reader = Callable[[str], "str | bytes"]
#: A write handler. It returns the `$?` of scripts (None is 0), or warnings, if it has done its work.
Writer = Callable[[str], "int | list[ArgError] | None"]


class Complained(ArgError):
    """Raised by a handler that did its work but reports errors; `value` is a read handler's value, `result` a write handler's result."""

    def __init__(self, message: str, value: str = "", result: int = 0):
        super().__init__(message, result=result)
        self.value = value


@frozen
class BoundHandler:
    """One handler of one element, or of the router."""

    read: Reader | None = None
    write: Writer | None = None
    takes_argument: bool = False
    #: Whether it is hidden from clients of sockets.
    private: bool = False
    #: Whether no packets are processed and no other handlers called while it is written to.
    exclusive: bool = True
    #: Whether its value depends only on the argument; it is then read without a lock.
    pure: bool = False
    #: The right that callers need.
    read_needs: Right | None = None
    write_needs: Right | None = None
    #: Its value for callers without the right to see the secrets in it.
    elided: Reader | None = None

    @property
    def flags(self) -> str:
        return ("r" if self.read else "") + ("w" if self.write else "") + ("+" if self.takes_argument else "")


class Handlers:
    """All handlers of one router with these running `elements`. `host` is the runtime in this process, if there is one; it processes no
    packets during writes."""

    def __init__(
        self,
        made: Compilation,
        elements: Mapping[str, Element],
        drops: Callable[[str], dict[str, int]],
        host: Host | None = None,
    ):
        #: The router, with the current arguments of its elements.
        self.made, self.elements = made, elements
        self._drops, self._host = drops, host
        self._written = made.written
        #: A cache of elements' handlers, since monitoring clients read the same ones repeatedly.
        self._bound: dict[tuple[str, str], BoundHandler] = {}
        #: The element of the last handler that wasn't in the cache, with all its handlers.
        self._recent: tuple[str, dict[str, BoundHandler]] = ("", {})
        #: Allows one Python thread at a time to change the router; taken before the runtime's own lock.
        self.lock = threading.RLock()
        #: Set while clients of control sockets may be answered.
        self.answering = threading.Event()
        self.answering.set()
        self._own: dict[str, BoundHandler] = {
            "version": BoundHandler(lambda _: _version()),
            "list": BoundHandler(lambda _: self._list()),
            "classes": BoundHandler(lambda _: self._classes()),
            "config": BoundHandler(lambda _: self._written, elided=lambda _: self._elided_configuration()),
            "flatconfig": BoundHandler(lambda _: self._flat(), elided=lambda _: self._flat(hidden=True)),
            "requirements": BoundHandler(lambda _: "".join(f"{kind}\n{value}\n" for kind, value in made.checked.router.requirements)),
            "packages": BoundHandler(lambda _: "".join(f"{name}\n" for name in made.checked.router.provisions)),
            "driver": BoundHandler(lambda _: "userlevel"),
            "handlers": BoundHandler(lambda _: _listing(self._own)),
        }
        if host is not None:
            self._own["stop"] = BoundHandler(write=lambda text: host.add_runs(-_count(text)))
            free = host.pace != SIMULATION and not made.devices
            self._own["crossing"] = BoundHandler(lambda _: "".join(f"{name} {count}\n" for name, count in host.sending_counts().items()))
            self._own["timewarp"] = BoundHandler(lambda _: host.pace, host.warp if free else None)

    @contextmanager
    def unanswered(self) -> Iterator[None]:
        """Within this context clients of control sockets get no answers, but wait."""
        self.answering.clear()
        try:
            yield
        finally:
            self.answering.set()

    @property
    def is_locked_here(self) -> bool:
        """Whether the calling thread holds the lock, as one does that an element of the router calls."""
        return self.lock._is_owned()

    def define(self, name: str, write: Writer, needs: Right) -> None:
        """Give the router another write handler, which is called without stopping packets."""
        self._own[name] = BoundHandler(write=write, exclusive=False, write_needs=needs)

    # -- calls --------------------------------------------------------------------------------------------------------

    def read(self, element: str, handler: str, argument: str = "", hidden: bool = False) -> str:
        """The text of a read handler; `element` is a full name, "" for the router's own handlers.

        Raises HandlerError. With `hidden`, secrets are left out.
        """
        bound = self.readable(element, handler, argument)
        with nullcontext() if bound.pure else self.lock:
            found = self._call(element, handler, (hidden and bound.elided) or bound.read, argument)
        return found.decode("utf-8", "surrogateescape") if isinstance(found, bytes) else found

    def write(self, element: str, handler: str, text: str = "", warned: Callable[[list[ArgError]], None] | None = None) -> int:
        """Write to a handler, between packets; returns its result, the `$?` of scripts. Raises HandlerError. `warned` is called with
        the warnings; without it they are shown."""
        bound = self.writable(element, handler)
        alone = self._host.locked() if self._host else self.lock
        with alone if bound.exclusive else nullcontext():
            result = self._call(element, handler, bound.write, text)
        if isinstance(result, list):
            (warned or partial(_show, element, f"{full_name(element, handler)} {text}"))(result)
            return 0
        return result or 0

    @staticmethod
    def _call(element: str, handler: str, function: Callable, text: str):
        try:
            return function(text)
        except ArgError as error:
            value = error.value if isinstance(error, Complained) else None
            said = (as_click() and error.in_click) or error.message
            raise HandlerError(Failure.FAILED, said, error.hint, full_name(element, handler), error.result, value) from None
        except ClickError as error:  # of another handler, called by this one
            message = "\n".join(d.message for d in error.diagnostics)
            raise HandlerError(Failure.FAILED, message, error.diagnostics[0].hint, full_name(element, handler)) from None
        except Exception as error:  # whatever a user's class may raise
            raise HandlerError(Failure.FAILED, f"{type(error).__name__}: {error}", None, full_name(element, handler)) from error

    def llrpc(self, element: str, number: int, data: bytes) -> bytes:
        """Call an element's LLRPC between packets; OSError if it can't be called."""
        with self._host.locked() if self._host else self.lock:
            found = self.elements[element]
            if not isinstance(found, RemotelyCalled):
                raise OSError(errno.EINVAL, "no such LLRPC")
            return found.llrpc(number, data)

    def split(self, name: str, within: str = "") -> tuple[str, str]:
        """Split `element.handler` or `handler` as users write it into element and handler; clients may also write
        `number.handler` (from 1).

        An element's name in the configuration of `within` is looked up in that element's compound first, then outwards.
        """
        element, dot, handler = name.partition(".") if "." in name else ("", "", name)
        if not dot or element in ("", "0"):
            return "", handler
        for scope in scopes(within):
            if scope + element in self.checked.router:
                return scope + element, handler
        elements = self.checked.router.elements
        if not within and 0 < (digits.number(element) or 0) <= len(elements):
            return elements[int(element) - 1].name, handler
        raise _no_element(element)

    def find(self, element: str, handler: str) -> BoundHandler:
        """The handler of this name of an element. Raises HandlerError."""
        bound = self._lookup(element, handler)
        if bound is None:
            raise HandlerError(Failure.NO_HANDLER, f"no '{full_name(element, handler)}' handler", self._suggestion(element, handler))
        return bound

    def _suggestion(self, element: str, handler: str) -> str | None:
        if element:
            return did_you_mean(handler, self.of(element))
        if handler in self.checked.router:
            return f"'{handler}' is an element; '{handler}.handlers' lists its handlers"
        having = next((each.name for each in self.checked.router.elements if handler in self.of(each.name)), None)
        return f"an element's handler has its name before it: '{having}.{handler}'" if having else did_you_mean(handler, self._own)

    def readable(self, element: str, handler: str, argument: str = "") -> BoundHandler:
        """A handler that can be read, with the argument if there is one. Raises HandlerError."""
        bound = self._able("read", element, handler)
        if argument and not bound.takes_argument:
            raise HandlerError(Failure.FAILED, f"read handler '{full_name(element, handler)}' does not take parameters")
        return bound

    def writable(self, element: str, handler: str) -> BoundHandler:
        """A handler that can be written to. Raises HandlerError."""
        return self._able("write", element, handler)

    def has(self, element: str, handler: str, operation: str = "") -> bool:
        """Whether an existing element has a handler of this name; with "read" or "write", whether it permits this operation."""
        bound = self._lookup(element, handler)
        return bound is not None and (not operation or getattr(bound, operation) is not None)

    def _able(self, operation: str, element: str, handler: str) -> BoundHandler:
        bound = self._lookup(element, handler)
        if bound is None or getattr(bound, operation) is None:
            failure = Failure.PERMISSION if bound else Failure.NO_HANDLER
            hint = None if bound else self._suggestion(element, handler)
            raise HandlerError(failure, f"no '{full_name(element, handler)}' {operation} handler", hint)
        return bound

    def _lookup(self, element: str, handler: str) -> BoundHandler | None:
        if not element:
            return self._own.get(handler)
        bound = self._bound
        known = bound.get((element, handler))
        if known is not None:
            return known
        if element not in self.checked.router:
            raise _no_element(element)
        recent = self._recent
        if recent[0] != element:
            self._recent = recent = (element, self.of(element))
        found = recent[1].get(handler)
        if found is not None:
            bound[element, handler] = found
        return found or self._special(element, handler)

    def _special(self, element: str, handler: str) -> BoundHandler | None:
        """A handler known only to the instance (`OwnHandlers.find_handler`)."""
        instance = self.elements.get(element)
        found = instance.find_handler(handler) if isinstance(instance, OwnHandlers) else None
        return _bind(instance, found) if found else None

    def of(self, element: str) -> dict[str, BoundHandler]:
        """All handlers of an element: those of every element, and its class's own, which override the former."""
        declaration = self.checked.router.element(element)
        instance = self.elements[element]
        found = {
            "name": BoundHandler(lambda _: element),
            "class": BoundHandler(lambda _: declaration.class_name),
            "config": BoundHandler(lambda _: declaration.config, elided=lambda _: self.checked.elided_config(element)),
            "ports": BoundHandler(lambda _: self._ports(element)),
            "handlers": BoundHandler(lambda _: _listing(self.of(element))),
            "drops": BoundHandler(lambda _: str(sum(self._drops(element).values()))),
            "drop_reasons": BoundHandler(lambda _: "".join(f"{n}\t{reason}\n" for reason, n in self._drops(element).items())),
        }
        if self._host is not None:
            found |= {name: BoundHandler(*functions) for name, functions in self._host.tasks.handlers(element).items()}
        for name, reason in instance.drop_handlers.items() if isinstance(instance, CountsDrops) else ():
            found[name] = BoundHandler(lambda _, reason=reason: str(self._drops(element).get(reason, 0)))
        for name, handler in listed_handlers(instance).items():
            found[name] = _bind(instance, handler)
        if isinstance(instance, Reconfigurable):
            write = partial(reconfigure, self, self._host, element)
            calls = any(isinstance(argument.type, HandlerCall) for argument in instance.args)
            found["config"] = replace(found["config"], write=write, exclusive=False, write_needs=Right.CALLS if calls else None)
            for name, argument in instance.replaced.items():
                write = partial(replace_argument, self, self._host, element, argument)
                found[name] = replace(found[name], write=write, exclusive=False)
        return found

    def reconfigured(self, wanted: Element, config: str) -> None:
        """Record that an element's arguments have changed. The caches are new objects, since a client that is just looking up a handler
        under the old arguments must store it in the old ones."""
        self.made = self.made.with_arguments(wanted, config)
        self._bound, self._recent = {}, ("", {})

    @property
    def checked(self) -> CheckedRouter:
        return self.made.checked

    # -- values of the default handlers --------------------------------------------------------------------------------

    def _list(self) -> str:
        names = [element.name for element in self.checked.router.elements]
        return "".join(f"{line}\n" for line in (len(names), *names))

    @staticmethod
    def _classes() -> str:
        from clickbpf.vocabulary.library import Library

        return "".join(f"{name}\n" for name in Library.standard().names())

    def _flat(self, hidden: bool = False) -> str:
        """The flat configuration with what each element's handler `config` shows, as in Click; with `hidden`, without secrets."""
        router = self.checked.router
        elements = tuple(replace(element, config=self.read(element.name, "config", hidden=hidden)) for element in router.elements)
        return flat_configuration(replace(router, elements=elements))

    def _elided_configuration(self) -> str:
        """The configuration as it was written, or, if secrets are in it, the flat one without them."""
        flat = self._flat(hidden=True)
        return self._written if flat == self._flat() else flat

    def _ports(self, element: str) -> str:
        """Click's table: the number of ports; then for each its mode, packet count (-, since there is none) and connections."""
        router, processing = self.checked.router, self.checked.processing[element]
        text = ""
        for is_output, modes in ((False, processing.inputs), (True, processing.outputs)):
            kind = "output" if is_output else "input"
            text += f"{len(modes)} {kind}{'' if len(modes) == 1 else 's'}\n"
            for port in range(len(modes)):
                if is_output:
                    ends = [f"[{c.target.port}] {c.target.element}" for c in router.connections_from(element, port)]
                else:
                    ends = [f"{c.source.element} [{c.source.port}]" for c in router.connections_to(element, port)]
                text += f"{processing.label(End(Port(element, port), is_output))}\t-\t{', '.join(ends)}\n"
        return text


def _bind(instance, handler) -> BoundHandler:
    """Bind a class's handler to an instance; the read function may have a parameter for the reader's argument."""
    read, takes = None, False
    if handler.read is not None:
        function = handler.read.__get__(instance)
        takes = bool(inspect.signature(function).parameters)
        read = function if takes else lambda _: function()
    write = handler.write.__get__(instance) if handler.write is not None else None
    needs = {"read_needs": handler.read_needs, "write_needs": handler.write_needs}
    return BoundHandler(read, write, takes, handler.private, pure=handler.pure, **needs)


def _show(element: str, call: str, warnings: list[ArgError]) -> None:
    for warning in warnings:
        said = Diagnostic(None, f"While calling '{call}':\n  warning: {warning.message}")
        in_click = NOTHING if warning.in_click == "" else said
        show([Diagnostic(None, f"{element}: {warning.message}", warning.hint, "warning", (in_click,))])


def _listing(handlers: dict[str, BoundHandler]) -> str:
    return "".join(f"{name}\t{bound.flags}\n" for name, bound in sorted(handlers.items()))


def _no_element(name: str) -> HandlerError:
    return HandlerError(Failure.NO_ELEMENT, f"no element named '{name}'")


def _count(text: str) -> int:
    """As in Click, a text that isn't a number counts as 1."""
    count = written_integer(text.strip())
    return 1 if count is None else count


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # takes a tenth of the time to start a router

    try:
        return version("clickbpf")
    except PackageNotFoundError:
        return "unknown"
