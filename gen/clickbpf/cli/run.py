"""Run a router in the foreground, until it stops by itself or is interrupted."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from clickbpf.cli.load import add_devices, request
from clickbpf.cli.options import add_input, add_plan, check_router, no_more_words, plan_options, words
from clickbpf.cli.output import write_text
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError

NAME = "run"
#: Seconds between looks at whether something happened.
GLANCE = 0.2
#: Simulated time begins at this many nanoseconds, as Click's does.
BEGINNING = 10**18


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    parser.add_argument("-h", "--handler", metavar="ELEMENT.H", action="append", default=[], help="print the handler's value in the end")
    parser.add_argument("-x", "--exit-handler", metavar="ELEMENT.H", help="the handler's value is the exit status")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the flat configuration to FILE")
    parser.add_argument("-q", "--quit", action="store_true", help="do not run: initialise, and end")
    parser.add_argument("-t", "--time", action="store_true", help="print how long it ran")
    parser.add_argument("-p", "--port", metavar="PORT", type=int, action="append", default=[], help="listen for control connections on TCP")
    parser.add_argument("-u", "--unix-socket", metavar="FILE", action="append", default=[], help="listen for control connections on FILE")
    parser.add_argument("--simtime", action="store_true", help="simulate time: it jumps from one event to the next")
    add_devices(parser)
    add_plan(parser)


def run(options: argparse.Namespace) -> int:
    made = _compile(options)
    if options.output:
        write_text(made.configuration, options.output)
    with _running(options, made) as runtime, ExitStack() as servers:
        _listen(options, runtime, servers)
        began, before = time.monotonic(), os.times()
        if not options.quit:
            _drive(options, runtime)
        if options.time:
            after = os.times()
            print(f"{after.user - before.user:.3f}u {after.system - before.system:.3f}s {_minutes(time.monotonic() - began)}")
        print_handlers(runtime.handlers, made.checked, options.handler)
        return exit_status(runtime.handlers, options.exit_handler) if options.exit_handler else 0


def _compile(options: argparse.Namespace) -> Compilation:
    checked = check_router(options)
    made = Compilation.of(checked, plan_options(options, checked))
    if not made.plan.devices:
        no_more_words(words(options))
    return made


@contextmanager
def _running(options: argparse.Namespace, made: Compilation) -> Iterator:
    """The runtime: on devices if the router has any and is to run, else by itself."""
    from clickbpf.runtime.host import Runtime

    if made.plan.devices and not options.quit:
        with _on_devices(options, made) as runtime:
            yield runtime
        return
    clock = BEGINNING if options.simtime else None
    with Runtime(made.checked, hash=made.hash, threads=options.threads, configuration=made.configuration, clock=clock) as runtime:
        if not options.simtime and not options.quit:
            runtime.start()
        yield runtime


@contextmanager
def _on_devices(options: argparse.Namespace, made: Compilation) -> Iterator:
    from clickbpf.load.hosting import hosted
    from clickbpf.load.loader import run as run_attached

    if options.simtime:
        raise ClickError("time can't be simulated for real devices")
    runtimes = []

    def start(path, devices):
        with ExitStack() as running:
            runtimes.append(running.enter_context(hosted(made, path, devices, options.threads)))
            return running.pop_all().close

    with run_attached(request(options, made, f"run-{os.getpid()}", start)):
        yield runtimes[0]


def _listen(options: argparse.Namespace, runtime, servers: ExitStack) -> None:
    from clickbpf.runtime.control import ControlServer

    for port in options.port:
        servers.callback(ControlServer.tcp(port, runtime.handlers).close)
    for path in options.unix_socket:
        servers.callback(ControlServer.unix(Path(path), runtime.handlers).close)


def _drive(options: argparse.Namespace, runtime) -> None:
    """Until the router stops or someone interrupts or terminates it, which are the same to Click's driver."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if options.simtime:
            _simulate(runtime)
        else:
            while not runtime.wait(GLANCE):
                continue
    except KeyboardInterrupt:
        return


def _simulate(runtime) -> None:
    """From event to event. When none is to come, nothing but an interrupt or a control connection ends it."""
    runtime.settle()
    while runtime.runs > 0:
        timer = runtime.next_timer
        if timer is None:
            time.sleep(GLANCE)
            runtime.settle()
        else:
            runtime.advance(max(0, timer - runtime.clock))


def print_handlers(handlers, checked, names: list[str]) -> None:
    """The values of read handlers: `element.handler`, where `element` may be a pattern or a class; or the router's own."""
    wanted = [found for name in names for found in expand(checked, name)]
    for element, handler in wanted:
        value = handlers.read(element, handler)
        text = value if value.endswith("\n") or not value else value + "\n"
        title = f"{element}.{handler}" if element else handler
        write_text(f"{title}:\n{text}\n" if len(wanted) > 1 else text, None)


def expand(checked, name: str) -> list[tuple[str, str]]:
    """The handlers that a name with a pattern or a class stands for. ClickError if there are none."""
    pattern, dot, handler = name.rpartition(".")
    if not dot:
        return [("", handler)]
    names = [element.name for element in checked.router.elements]
    found = [pattern] if pattern in names else [n for n in names if fnmatchcase(n, pattern)]
    found = found or [e.name for e in checked.router.elements if e.class_name == pattern]
    if not found:
        raise ClickError(f"no element matches '{pattern}'")
    return [(element, handler) for element in found]


def exit_status(handlers, name: str) -> int:
    """A handler's value as an exit status: an integer, or a boolean, whose true is 0."""
    value = handlers.read(*handlers.split(name)).strip()
    if value.lower() in ("true", "false", "yes", "no"):
        return int(value.lower() in ("false", "no"))
    try:
        return int(value) & 0xFF
    except ValueError:
        raise ClickError(f"the exit handler's value, '{value}', is not an integer") from None


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{seconds % 60:05.2f}"
