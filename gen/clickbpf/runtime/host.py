"""A router running in user space, in this process.

    with Runtime(made) as runtime:                   no devices: frames in, frames out
        runtime.inject("eth0", frame)
        assert runtime.collect("eth1") == [frame]

    runtime = Runtime(made, threads=2, memories=..., ...)
    runtime.initialise()                             the elements' own preparations
    runtime.start()                                  its threads run until stop()

Python controls the router, but doesn't process packets: the C threads run without Python's lock. Code here changes state only between
packets (`with runtime.locked():`).
"""

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from textwrap import indent
from types import MappingProxyType
from typing import Any, Self

from clickbpf.args.error import ArgError
from clickbpf.compile import Compilation, NativeRouter
from clickbpf.errors import ClickError, Diagnostic, ordered
from clickbpf.graph.checked import CheckedRouter
from clickbpf.messages import show
from clickbpf.runtime.elements import ElementRuntime, initialise_on
from clickbpf.runtime.failures import HandlerError
from clickbpf.runtime.handlers import Handlers
from clickbpf.runtime.library import HOST_FUNCTION, RouterObject
from clickbpf.runtime.loaded import Core
from clickbpf.runtime.memory import Views
from clickbpf.runtime.optimising import Optimising
from clickbpf.runtime.signals import Signals
from clickbpf.runtime.tasks import Tasks
from clickbpf.vocabulary.element import Element, running
from clickbpf.vocabulary.traits import MANAGES_DRIVER
from clickbpf.waiting import readable

#: The number of the driver's turns after which a router is assumed never to become quiet.
ROUNDS = 100_000
#: How many steps a driver script may take after end(), as in Click.
LAST_STEPS = 1001
#: Seconds between two checks for requests by signals and by the caller.
_ATTENTION = 0.1
#: Bits of an argument in C.
_WORD = (1 << 64) - 1


class Runtime(Core):
    """A loaded router with running elements. The arguments are those of Core."""

    def __init__(self, made: Compilation, *, replaces: Self | None = None, **how: Any):
        super().__init__(made, replaces=replaces, **how)
        configured = made.checked.instances
        self._driver_manager = next((name for name, e in configured.items() if MANAGES_DRIVER in e.traits), None)
        self._ended = self.retired = False
        #: The router that has replaced this one, and a function to call when this one is closed (runtime/swap.py).
        self.heir: Runtime | None = None
        self.when_closed: Callable[[], None] | None = None
        #: The compilation of optimised code, while the router runs without; and the code for which this was done or given up.
        self._optimising: Optimising | None = None
        self._optimised: NativeRouter | None = None
        self.signals = Signals(replaces.signals if replaces else None)
        #: Loads the kernel path of this router with other arguments, and returns the function that changes to it; None without a
        #: kernel path.
        self.kernel: Callable[[Compilation], AbstractContextManager[Callable[[], None]]] | None = None
        #: Whether it runs in the background. If its configuration permits access from the network, that may have been meant for a router
        #: in the foreground.
        self.unattended = False
        #: Its kernel path and its devices (load/change/exchange.py); none if the devices are memory.
        self.path: Any = None
        #: Whether the programs that run are those of another build, which reports something (load/change/tracing.py).
        self.reporting = False
        self.interfaces: Sequence[Any] = ()
        self._news = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._answer = HOST_FUNCTION(self._call)
        self.library.runtime_set_host(self._runtime, self._answer, self._news)
        #: The running elements.
        self.instances = {name: running(e, self.views[name], ElementRuntime(self, name)) for name, e in configured.items()}
        self.tasks = Tasks(made.checked, self.threads, self._call_for_task)
        self.handlers = Handlers(made, self.instances, self.drops, self)

    # -- its life -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """For tests: initialise the router, with devices in memory."""
        try:
            self.add_memory_devices()
            self.initialise()
        except ClickError:
            self.close()
            raise
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    @property
    def checked(self) -> CheckedRouter:
        """The router with its current configuration."""
        return self.handlers.checked

    def initialise(self, copies: Views = MappingProxyType({}), pause: int = 0) -> None:
        """Prepare the elements, in order: fill their state, run the C files' INIT, and then the hooks that may depend on both.

        For state that stays in the kernel, elements fill these `copies` instead. `pause` nanoseconds of simulated time pass before each
        INIT, so that timers with the same delay run in the order of their elements, however often they are set again. ClickError with all
        failures.
        """
        self._each(lambda element: initialise_on(copies.get(element.name, {}), element))
        failed = ctypes.c_uint32()
        error = self.library.runtime_initialise(self._runtime, ctypes.byref(failed), pause)
        if error:
            name = self.checked.router.elements[failed.value].name
            raise _not_initialised([self._failure(name, self.complaint() or os.strerror(-error))])
        self._each(self._check_calls)
        self._each(lambda element: element.started())

    def _check_calls(self, element: Element) -> None:
        """ArgError if a handler that the element's arguments call can't be written. (Only instances know all their handlers.)"""
        for argument in element.args:
            value = getattr(element.cfg, argument.field, None)
            for call in argument.type.calls(value) if value is not None else ():
                try:
                    self.handlers.writable(call.element, call.handler)
                except HandlerError as error:
                    raise ArgError(error.message, error.hint) from None

    def _each(self, step: Callable[[Element], None]) -> None:
        """Call a function for all elements; ClickError with all failures."""
        wrong = []
        for name, element in self.instances.items():
            try:
                step(element)
            except ArgError as error:
                wrong.append(self._failure(name, error.message, error.hint))
        if wrong:
            raise _not_initialised(wrong)

    def _failure(self, name: str, message: str, hint: str | None = None) -> Diagnostic:
        declaration = self.checked.router.element(name)
        said = f"While initializing '{name} :: {declaration.class_name}':\n{indent(message, '  ')}"
        return Diagnostic(declaration.place, f"'{name}': {message}", hint, in_click=(Diagnostic(declaration.place, said),))

    def close(self) -> None:
        """Stop the threads, let the elements clean up, and unload the router. Views of state stay readable."""
        if self._runtime is None:
            return
        if self._optimising:
            self._optimising.cancel()
        self.stop()
        self.look()
        self._each(lambda element: element.finished())
        self.unload()
        if self.when_closed:
            self.when_closed()
        for element in self.instances.values():
            element.runtime = None
        self.signals.close()
        os.close(self._news)

    def start(self) -> None:
        """Start the threads. If the code isn't optimised, begin to compile optimised code, to which wait() changes."""
        super().start()
        self._optimise()

    @property
    def is_optimising(self) -> bool:
        """Whether it runs code without optimisation, while a compiler is making optimised code."""
        return self.is_quick and self._optimising is not None

    def change_code(self, native: NativeRouter, code: RouterObject) -> Callable[[], None]:
        """Run the code for other arguments; the result changes back. The router must be locked all the time. ClickError if that isn't
        possible."""
        before, quick = (self.native, self.running), self.is_quick
        if not self.exchange(native, code):
            raise ClickError("the router is being traced, and can't be given other arguments meanwhile")
        self.is_quick = native.quick is not None

        def change_back() -> None:
            self.exchange(*before)
            self.is_quick = quick

        return change_back

    def _optimise(self) -> None:
        """Begin to compile optimised code if the router runs without; once it is compiled, change to it."""
        attempt = self._optimising
        if attempt is not None and attempt.native is not self.native:  # an element has got other arguments meanwhile
            attempt.cancel()
            self._optimising = attempt = None
        if attempt is None and self.is_quick and self._optimised is not self.native:
            self._optimising = Optimising(self.native)
        elif attempt is not None and attempt.done and not self.retired:
            self._change_to(attempt)

    def _change_to(self, attempt: Optimising) -> None:
        try:
            if attempt.error:
                raise attempt.error
            with self.locked():
                if self.native is not attempt.native or not self.exchange(attempt.native, attempt.object):
                    return
                self.is_quick = False
        except ClickError as error:
            show([replace(error.diagnostics[0], severity="warning", message=f"the router stays slow: {error.diagnostics[0].message}")])
            attempt.cancel()
        self._optimising, self._optimised = None, attempt.native

    # -- control ------------------------------------------------------------------------------------------------------

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within this context no packets are processed, and no other Python thread changes the router."""
        with self.handlers.lock:
            self.library.runtime_lock(self._runtime)
            try:
                yield
            finally:
                self.library.runtime_unlock(self._runtime)

    def call(self, element: str, op: int, argument: int | ctypes.Array | None = None) -> int:
        """Run an element's CONTROL; returns its result, 0 or -errno. A ctypes buffer is passed as its address."""
        value = ctypes.addressof(argument) if isinstance(argument, ctypes.Array) else argument or 0
        with self.handlers.lock:
            return self.library.runtime_control(self._runtime, self._numbers[element], op, value & _WORD)

    def _call_for_task(self, function: str, element: str, argument: object) -> int:
        if self._runtime is None:
            raise ArgError("the router is not running")
        return getattr(self.library, function)(self._runtime, self._numbers[element], argument)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Serve the running threads until the end of the run, or until `until()` is true."""
        while not until() and not self.wait(_ATTENTION):
            continue

    def wait(self, seconds: float) -> bool:
        """Wait, for a limited time, until an element ends the run and no driver script extends it; returns whether the run is over.

        Returns early after signals that elements wait for.
        """
        if self.runs > 0 and not self._ended:
            sources = [fd for fd in (self._news, self.signals.fileno()) if fd >= 0]
            if self._news in readable(sources, seconds):
                os.eventfd_read(self._news)
        self._deliver_signals()
        self._optimise()
        return self.ended_itself and self.stop_granted()

    def _call(self, number: int, value: int) -> int:
        """Serve a call of an element's C file to its Python side, from any thread."""
        name = self._names[number]
        try:
            self._deliver_signals()
            with self.handlers.lock:
                return 0 if self.retired else self.instances[name].called(value) or 0
        except ClickError as error:
            show(error.diagnostics)
        except Exception as error:  # a user's class may raise anything, which the calling C code would lose
            place = self.checked.router.element(name).place
            show(ClickError(f"'{name}' failed: {type(error).__name__}: {error}", place).diagnostics)
        return 0

    def _deliver_signals(self) -> bool:
        if self.signals.fileno() < 0:
            return False
        with self.handlers.lock:
            return self.signals.deliver()

    def end(self) -> None:
        """End the run; a driver script can't extend it. For signal handlers."""
        self._ended = True
        os.eventfd_write(self._news, 1)
        self.add_runs(-self.runs)

    def retire(self) -> None:
        """Stop for good: another router has replaced this one."""
        self.retired = True
        self.add_runs(-max(self.runs, 0))

    def stop_granted(self) -> bool:
        """Called when the run is over; returns False if a driver script extends it. After end() the script takes its remaining steps at
        once, and waits for nothing, as in Click."""
        with self.handlers.lock:
            manager = self._driver_manager and self.instances[self._driver_manager]
            steps = LAST_STEPS if self._ended else 1
            if manager is None or any(manager.driver_stops() for _ in range(steps)) or self._ended:
                return True
        self.add_runs(1)
        return False

    @property
    def over(self) -> bool:
        """Whether the run is over, as determined by turn() and wait()."""
        return self._ended or self.runs <= 0

    @property
    def ended_itself(self) -> bool:
        """Whether the run is over, except because another router has replaced this one. Another thread may be doing that: since retire()
        uses up the run count last, the count is read first."""
        return self.over and (self._ended or not self.retired)

    # -- time ---------------------------------------------------------------------------------------------------------

    def advance(self, nanoseconds: int) -> None:
        """Let simulated time pass (after set_clock): each timer runs at its time, followed by its consequences."""
        end = self.clock + nanoseconds
        while (timer := self.next_timer) is not None and timer <= end:
            self.set_clock(max(timer, self.clock))
            self.settle()
        self.set_clock(end)
        self.settle()

    # -- packets ------------------------------------------------------------------------------------------------------

    def inject(self, device: str, frame: bytes, settle: bool = True) -> None:
        """Receive a frame on a device."""
        with self.handlers.lock:
            error = self.library.runtime_inject(self._runtime, self._devices[device], frame, len(frame))
        self._check(error, f"a frame arrived on {device}")
        if settle:
            self.settle()

    def push(self, element: str, packet: bytes, port: int = 0, settle: bool = True) -> None:
        """Push a packet without annotations at an element's input."""
        with self.handlers.lock:
            error = self.library.runtime_push(self._runtime, self._numbers[element], port, packet, len(packet))
        self._check(error, f"pushing a packet at {element}")
        if settle:
            self.settle()

    def handover(self, record_and_frame: bytes, device: str | None = None, settle: bool = True) -> bool:
        """Receive a packet from the kernel path (bpf/handover.h); False if it was refused, and counted."""
        number = -1 if device is None else self._devices[device]
        with self.handlers.lock:
            error = self.library.runtime_handover(self._runtime, record_and_frame, len(record_and_frame), number)
        if settle:
            self.settle()
        return not error

    def settle(self, rounds: int = ROUNDS) -> None:
        """Run tasks, and timers that are due, until there are none. For a runtime whose threads haven't been started.

        Raises ClickError if the router doesn't become quiet within that many turns of the driver.
        """
        if not self.turn(rounds):
            raise ClickError("the router doesn't become quiet: a source or a cycle never ends")

    def turn(self, rounds: int) -> bool:
        """Like settle(), for at most this many turns of the driver; returns whether the router has become quiet or ended."""
        while rounds:
            rounds = self.library.runtime_settle(self._runtime, rounds)
            signalled = self._deliver_signals()
            if self.over:
                if self.stop_granted():
                    return True
            elif rounds and not signalled:
                return True
        return False


def _not_initialised(wrong: list[Diagnostic]) -> ClickError:
    """An error with all of these; in Click's format the router's failure comes last."""
    *most, last = ordered(wrong)
    return ClickError([*most, replace(last, in_click=(*last.in_click, Diagnostic(None, "Router could not be initialized!")))])
