"""Gives an element of a running router other arguments: Click's live reconfiguration, by the write handler `config`.

Arguments in an element's state are changed there. Arguments that are compile-time constants need new code: the runtime's code is compiled
again, and so is the kernel path, which is loaded on the maps of the running one. Only when everything is ready, the router is stopped and
the code exchanged. If anything fails, the router stays as it was.
"""

from contextlib import ExitStack, nullcontext
from typing import Any

from clickbpf.args.error import ArgError
from clickbpf.graph.configure import with_arguments
from clickbpf.graph.watching import named_storages
from clickbpf.lang.config import is_balanced, split_args
from clickbpf.runtime.library import RouterObject
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import companions

#: The value of `pace` if time is simulated.
SIMULATION = "simulation"
#: The hint about arguments that can't be changed while an element runs.
INSTEAD = "write the whole configuration to hotconfig"


#: The runtime (runtime/host.py) and the handlers (runtime/handlers.py) of the router: these modules import this one.
Host = Handlers = Any


def reconfigure(handlers: Handlers, host: Host | None, name: str, config: str) -> list[ArgError]:
    """Give an element other arguments; returns warnings about them. ArgError if it can't have them, or the compilers' ClickError."""
    if not is_balanced(config):
        raise ArgError("a quote, comment or parenthesis isn't closed, or one is closed that wasn't open", "quote the text: \"...\"")
    instance = handlers.made.checked.instances[name]
    wanted, warnings = with_arguments(instance, config)
    _check_memory(instance, wanted)
    while not _attempt(handlers, host, wanted, config):
        continue
    return warnings


def replace_argument(handlers: Handlers, host: Host | None, name: str, argument: str, value: str) -> list[ArgError]:
    """Give an element another value of one argument, which is positional or named."""
    router, args = handlers.made.checked.router, handlers.made.checked.instances[name].args
    words = [text for text, _ in split_args(router.element(name).config)]
    named = [i for i, word in enumerate(words) if word.split(None, 1)[:1] == [argument]]
    if named:
        words[named[-1]] = f"{argument} {value.strip()}"
    else:
        words[[each.name for each in args].index(argument)] = value.strip()
    return reconfigure(handlers, host, name, ", ".join(words))


def _attempt(handlers: Handlers, host: Host | None, wanted: Element, config: str) -> bool:
    """Change the element. False if the router was changed meanwhile, so that the compiled code is outdated, or tracing has begun, during
    which the kernel path can't be changed."""
    before, kernel = handlers.made, host and host.kernel
    if before.same_code(wanted):
        with host.locked() if host else handlers.lock:
            _become(handlers, wanted, config)
        return True
    if host is None:
        raise ArgError("the runtime, which has to compile these arguments, is not running")
    after = before.with_arguments(wanted, config)
    native = after.native(host.threads, host.native.sanitize)
    if kernel:
        after.build_for(host.threads, soon=True)
    if not native.is_exchangeable:
        raise ArgError("the C code of an element has variables of its own, which other code would lose (LASTING)", INSTEAD)
    with ExitStack() as undo, kernel(after) if kernel else nullcontext() as switch:
        undo.callback((code := RouterObject(native.first)).close)
        with host.locked(), ExitStack() as back:
            if host.retired:
                raise ArgError("another router has replaced this one")
            if handlers.made is not before or host.kernel is not kernel:
                return False
            back.callback(host.change_code(native, code))
            if switch:
                switch()
            back.pop_all()
            undo.pop_all()
            _become(handlers, wanted, config)
    return True


def _become(handlers: Handlers, wanted: Element, config: str) -> None:
    handlers.elements[wanted.name].reconfigure(wanted)
    handlers.reconfigured(wanted, config)


def _check_memory(instance: Element, wanted: Element) -> None:
    """ArgError if the arguments need another amount of state, since its memory stays, or other elements to work with."""
    now, then = ({name: kind.entries(e, 1) for name, kind in e.state_types.items()} for e in (instance, wanted))
    if now != then:
        raise ArgError("these arguments need other state, which only a new router can have", INSTEAD)
    if any(set(asked(instance)) != set(asked(wanted)) for asked in (named_storages, companions)):
        raise ArgError("the elements that it works with can't be changed while packets flow", INSTEAD)
