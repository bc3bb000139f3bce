"""Other arguments for an element of a running router: Click's live reconfiguration, by the write handler `config`.

Arguments that a class keeps in its state are changed there. Arguments that are compile-time constants need new code: the router's
for the runtime, compiled once more, and a kernel path on the maps of the running one. All of that is ready before packets stand
still; then the code is exchanged. A failure leaves the router as it was.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Protocol

from clickbpf.args.error import ArgError
from clickbpf.compile import Compilation, NativeRouter
from clickbpf.graph.configure import with_arguments
from clickbpf.graph.watching import named_storages
from clickbpf.lang.config import is_balanced, split_args
from clickbpf.runtime.library import RouterObject
from clickbpf.runtime.tasks import Tasks
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import companions

#: `pace` where time is simulated.
SIMULATION = "simulation"
#: The hint about arguments that can't be changed while an element runs.
INSTEAD = "write the whole configuration to hotconfig"


class Host(Protocol):
    """What handlers need of the runtime that runs their router (runtime/host.py)."""

    tasks: Tasks
    threads: int
    native: NativeRouter
    retired: bool
    pace: str
    kernel: Callable[[Compilation], AbstractContextManager[Callable[[], None]]] | None

    def locked(self) -> AbstractContextManager[None]:
        """Hold the packets."""

    def add_runs(self, runs: int) -> None:
        """Change the run count."""

    def warp(self, pace: str) -> None:
        """Change how time passes."""

    def sending_counts(self) -> dict[str, int]:
        """How packets left by devices that send in batches."""

    def change_code(self, native: NativeRouter, code: RouterObject) -> Callable[[], None]:
        """Run other code; the result changes back."""


class Configured(Protocol):
    """What has the router's configuration as it is now (runtime/handlers.py)."""

    made: Compilation
    elements: Mapping[str, Element]
    lock: AbstractContextManager

    def reconfigured(self, wanted: Element, config: str) -> None:
        """Note that an element has other arguments."""


def reconfigure(handlers: Configured, host: Host | None, name: str, config: str) -> list[ArgError]:
    """Give an element other arguments; returns warnings about them. ArgError if it can't have them, or the compilers' ClickError."""
    if not is_balanced(config):
        raise ArgError("a quote, comment or parenthesis isn't closed, or one is closed that wasn't open", "quote the text: \"...\"")
    instance = handlers.made.checked.instances[name]
    wanted, warnings = with_arguments(instance, config)
    _check_memory(instance, wanted)
    while not _attempt(handlers, host, wanted, config):
        continue
    return warnings


def replace_argument(handlers: Configured, host: Host | None, name: str, argument: str, value: str) -> list[ArgError]:
    """The same with another value of one argument, which stands in its place or after its name."""
    router, args = handlers.made.checked.router, handlers.made.checked.instances[name].args
    words = [text for text, _ in split_args(router.element(name).config)]
    named = [i for i, word in enumerate(words) if word.split(None, 1)[:1] == [argument]]
    if named:
        words[named[-1]] = f"{argument} {value.strip()}"
    else:
        words[[each.name for each in args].index(argument)] = value.strip()
    return reconfigure(handlers, host, name, ", ".join(words))


def _attempt(handlers: Configured, host: Host | None, wanted: Element, config: str) -> bool:
    """False if the router has been changed in the meantime, so that the compiled code is out of date; or its kernel path, which can't be
    given other arguments while it is traced."""
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
                raise ArgError("another router has taken this one's place")
            if handlers.made is not before or host.kernel is not kernel:
                return False
            back.callback(host.change_code(native, code))
            if switch:
                switch()
            back.pop_all()
            undo.pop_all()
            _become(handlers, wanted, config)
    return True


def _become(handlers: Configured, wanted: Element, config: str) -> None:
    handlers.elements[wanted.name].reconfigure(wanted)
    handlers.reconfigured(wanted, config)


def _check_memory(instance: Element, wanted: Element) -> None:
    """State stays where it is, so it can't become larger."""
    now, then = ({name: kind.entries(e, 1) for name, kind in e.state_types.items()} for e in (instance, wanted))
    if now != then:
        raise ArgError("these arguments need other state, which only a new router can have", INSTEAD)
    if any(set(asked(instance)) != set(asked(wanted)) for asked in (named_storages, companions)):
        raise ArgError("the elements that it works with can't be changed while packets flow", INSTEAD)
