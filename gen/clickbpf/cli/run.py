"""Run a router in the foreground until it stops by itself or is interrupted."""

import argparse
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clickbpf.cli import load
from clickbpf.cli.flags import real
from clickbpf.cli.load import add_devices, fitted, request, with_shorter_programs
from clickbpf.cli.options import (
    add_input,
    add_plan,
    check_router,
    check_router_text,
    compilation,
    config_file,
    no_more_words,
    words,
)
from clickbpf.cli.output import write_text
from clickbpf.cli.progress import Progress
from clickbpf.cli.values import check_handlers, exit_status, print_handlers
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.graph.router import Element
from clickbpf.messages import as_click, expression_name, show
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.session import Session

#: The option -h prints handlers, as Click's does.
HELP = ("--help",)
#: Seconds between two looks at the router's state.
GLANCE = 0.2
#: Turns of the driver between two changes of simulated time, and the simulated nanoseconds that a turn takes.
ROUNDS, TIME_OF_A_ROUND = 32, 100
#: Simulated nanoseconds between the initialisations of two elements. (In Click a nanosecond passes at each reading of the clock.)
PAUSE = 1
#: The second at which simulated time begins, as in Click.
BEGINNING = 1_000_000_000
#: The latest one that can be chosen: dumps have 32 bits for seconds.
LATEST = 0xFFFFFFFF
#: As load's.
VALUES_LEFT_OUT = load.VALUES_LEFT_OUT | dict.fromkeys(("--simtime", "--simulation-time"), f"--simtime={BEGINNING}")
#: The name of the element for the control socket of -p, -u or --socket; further ones add @1, @2, ...
CONTROL = "click_driver@@ControlSocket"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    add = parser.add_argument
    add("-h", "--handler", metavar="ELEMENT.H", action="append", default=[], help="print the handler's value at the end")
    add("-x", "--exit-handler", metavar="ELEMENT.H", help="use the handler's value as the exit status")
    add("-o", "--output", metavar="FILE", help="write the flat configuration to FILE")
    add("-q", "--quit", action="store_true", help="initialise the router, but don't run it")
    add("-t", "--time", action="store_true", help="print how long it ran")
    add(
        "-p",
        "--port",
        metavar="PORT",
        action="append",
        default=[],
        help="listen for control connections on TCP; PORT+ takes the next free one",
    )
    add("-u", "--unix-socket", metavar="FILE", action="append", default=[], help="listen for control connections on FILE")
    add("--socket", metavar="FD", action="append", default=[], type=int, help="use the open socket FD as a control connection")
    add("-R", "--allow-reconfigure", action="store_true", help="let the handler hotconfig replace the configuration")
    add("--no-allow-reconfigure", dest="allow_reconfigure", action="store_false", help=argparse.SUPPRESS)
    simulated = f"simulate time, which jumps from one event to the next, from SECONDS (default {BEGINNING}) on"
    add("--simtime", "--simulation-time", metavar="SECONDS", type=real(0, LATEST), help=simulated)
    add("--no-affinity", dest="affinity", action="store_const", const=None, help=argparse.SUPPRESS)
    add_devices(parser)
    add_plan(parser)


def run(options: argparse.Namespace) -> int:
    checked = check_router(options, _sockets(options))
    made = _compile(options, checked)
    with _session(options, made) as session:
        if not (options.quit or options.allow_reconfigure or as_click()):
            check_handlers(session.runtime, options.handler)
        if options.output:
            write_text(session.runtime.handlers.read("", "flatconfig"), options.output)
        began, before = time.monotonic(), os.times()
        if not options.quit:
            _drive(options, session, started=bool(made.devices))
        if options.time:
            after, ran = os.times(), time.monotonic() - began
            print(f"{after.user - before.user:.3f}u {after.system - before.system:.3f}s {int(ran) // 60}:{ran % 60:05.2f}")
        status = print_handlers(session.runtime, options.handler)
        return exit_status(session.runtime, options.exit_handler) if options.exit_handler else status


def _sockets(options: argparse.Namespace, retries: str = "") -> list[Element]:
    """Elements for the control sockets."""
    rights = ", RIGHTS CONFIGURE" if options.allow_reconfigure else ""
    wanted = [
        *(f"TCP, {port}{rights}" for port in options.port),
        *(f"UNIX, {file}" for file in options.unix_socket),
        *(f"SOCKET, {number}{rights}" for number in options.socket),
    ]
    names = [CONTROL, *(f"{CONTROL}@{number}" for number in range(1, len(wanted)))]
    return [Element(name, "ControlSocket", config + retries) for name, config in zip(names, wanted)]


def _compile(options: argparse.Namespace, checked) -> Compilation:
    made = compilation(options, checked)
    if not made.devices:
        no_more_words(words(options))
    return made


@contextmanager
def _session(options: argparse.Namespace, made: Compilation) -> Iterator:
    """The router's session. With devices, unless -q is given, the router runs on them already; otherwise it is only initialised."""
    if made.devices and not options.quit:
        with _attached(options, made) as session:
            yield session
        return
    clock = None if options.simtime is None else int(options.simtime * 10**9)
    runtime = _alone(options, made, lambda runtime: options.quit or _end_on_signals(lambda: runtime), clock=clock)
    session = Session(runtime, _replacer(options, lambda each: _take_over(options, each, session.runtime)))
    try:
        yield session
    finally:
        session.close()


@contextmanager
def _attached(options: argparse.Namespace, made: Compilation) -> Iterator[Session]:
    from clickbpf.load.life.inplace import Attached

    if options.simtime is not None:
        raise ClickError("time can't be simulated for real devices")

    def asked(made: Compilation):
        content = made.build_for(options.threads, soon=attached.runtime is None).read_bytes()
        return request(options, made.manifest, content, f"run-{os.getpid()}", None)

    def taken(use: Callable[[Compilation], Runtime], each: Compilation) -> Runtime:
        return with_shorter_programs(options, lambda: use(fitted(options, each)))

    replacer = _replacer(options, lambda each: taken(attached.replace, each))
    with Attached(asked, options.threads, _start, replacer) as attached:
        taken(attached.run, made)
        yield attached


def _start(runtime: Runtime) -> None:
    """Start the router; from now on interrupts end its run."""
    _end_on_signals(lambda: runtime)
    runtime.start()


def _end_on_signals(running: Callable[[], Runtime]) -> None:
    """Have SIGINT and SIGTERM end the router's run, as in Click; until now they undid what was begun. Signals that elements wait for
    still go to these."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if number not in running().signals:
            signal.signal(number, lambda *_: running().end())


def _alone(options: argparse.Namespace, made: Compilation, initialised: Callable[[Runtime], None] = lambda _: None, **more) -> Runtime:
    """An initialised runtime without devices. Its control sockets don't answer before `initialised` has returned."""
    runtime = Runtime(made, threads=options.threads, soon=options.simtime is None and "replaces" not in more, **more)
    try:
        with runtime.handlers.unanswered():
            runtime.initialise(pause=PAUSE)
            initialised(runtime)
    except ClickError:
        runtime.close()
        raise
    return runtime


def _take_over(options: argparse.Namespace, made: Compilation, old):
    from clickbpf.runtime.swap import take_over

    if made.devices:
        raise ClickError("a router with devices can't replace one without devices", hint="run it by itself")
    new = _alone(options, made, replaces=old)
    take_over(new, old, {})
    if options.simtime is None:
        new.start()
    return new


def _replacer(options: argparse.Namespace, replace: Callable):
    """A function that replaces the router by one made from a configuration's text; None without --allow-reconfigure."""

    def read_and_replace(text: str):
        checked = check_router_text(options, text, _sockets(options, ", RETRIES 1, RETRY_WARNINGS false"))
        return replace(_compile(options, checked))

    return read_and_replace if options.allow_reconfigure else None


def _drive(options: argparse.Namespace, session: Session, started: bool) -> None:
    """Run until the router stops, or is interrupted or terminated."""
    if not session.runtime.checked.router.elements:
        if not options.no_warnings:
            show([Diagnostic(None, f"{_landmark(options)}: configuration has no elements, exiting", None, "warning")])
        return
    _end_on_signals(lambda: session.runtime)
    with Progress(session) as progress:
        if options.simtime is not None:
            _simulate(session, progress)
            return
        if not started:
            session.runtime.start()
        if options.affinity is not None:
            session.runtime.pin(options.affinity)
        while not session.wait(GLANCE):
            progress.glance()


def _landmark(options: argparse.Namespace) -> str:
    file = config_file(options)
    return expression_name() if options.expression is not None else "<stdin>" if file in (None, "-") else file


def _simulate(session, progress) -> None:
    """Run the router in simulated time: it jumps to the next timer when no task has work, and until then passes slowly, as in Click.
    Without timers, only a signal or a control connection ends the run."""
    while True:
        progress.glance()
        runtime = session.runtime
        at_rest = runtime.turn(ROUNDS)
        if session.over():
            return
        if session.runtime is not runtime:
            continue  # a hot swap: another router runs now
        timer = runtime.next_timer
        if not at_rest:
            runtime.set_clock(runtime.clock + ROUNDS * TIME_OF_A_ROUND)
        elif timer is not None:
            runtime.set_clock(max(timer, runtime.clock))
        elif session.wait(GLANCE):
            return
