"""Options that several commands share, and the configuration that they name."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Self

from clickbpf.cli.flags import whole
from clickbpf.compile import Compilation, check_file, check_text, optimised
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.elaborate import read_file, read_text
from clickbpf.graph.router import Element, Router
from clickbpf.messages import as_click, expression_name, show
from clickbpf.objects.hooks import HOOKS, TC
from clickbpf.passes import LEVELS
from clickbpf.plan import Options
from clickbpf.vocabulary.library import Library

ASSIGNMENT = re.compile(r"([^=\s]+)=(.*)", re.DOTALL)


@frozen
class Words:
    """The arguments after the options: a file, words, and NAME=VALUE pairs."""

    file: str | None
    names: tuple[str, ...]
    assignments: dict[str, str]

    @classmethod
    def of(cls, words: Iterable[str], with_file: bool = True) -> Self:
        """Sort words into these; with_file: the first name is the file, since no option gives one."""
        names, assignments = [], {}
        for word in words:
            pair = ASSIGNMENT.fullmatch(word)
            if pair and pair[1] in assignments:
                raise ClickError(f"parameter '{pair[1]}' multiply defined", hint="give each NAME=VALUE once")
            if pair:
                assignments[pair[1]] = pair[2]
            else:
                names.append(word)
        file = names.pop(0) if with_file and names else None
        return cls(file, tuple(names), assignments)


def add_library(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-E", "--elements", metavar="DIR", action="append", default=[], help="also use the element classes in DIR (as with $CLICKBPF_PATH)"
    )


def add_input(parser: argparse.ArgumentParser, words: str = "VAR=VALUE") -> None:
    """Options that say where the configuration comes from."""
    parser.add_argument("-e", "--expression", metavar="TEXT", help="the configuration itself, instead of a file")
    parser.add_argument("-f", "--file", metavar="FILE", help="the configuration's file; '-' is standard input")
    parser.add_argument("-C", "--clickpath", metavar="PATH", help="folders of configuration libraries, instead of $CLICKPATH")
    parser.add_argument("-w", "--no-warnings", action="store_true", help="show no warnings")
    parser.add_argument("--warnings", dest="no_warnings", action="store_false", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", metavar=f"[FILE] {words}", help="the configuration's file, unless -f or -e is given; values")
    add_library(parser)


def library(options: argparse.Namespace) -> Library:
    return Library.standard(options.elements)


def words(options: argparse.Namespace) -> Words:
    return Words.of(options.words, with_file=options.file is None and options.expression is None)


def read_router(options: argparse.Namespace) -> Router:
    """The flat router of the configuration; its classes need not exist."""
    return _input(options, None, read_file, read_text)


def _input(options: argparse.Namespace, known: Library | None, of_file: Callable, of_text: Callable) -> Any:
    """The result of `of_file` or `of_text` for the configuration that the options name."""
    if options.clickpath is not None:
        os.environ["CLICKPATH"] = options.clickpath
    given = words(options)
    if options.expression is not None and options.file is not None:
        raise ClickError("router configuration specified twice")
    if options.expression is not None:
        return of_text(options.expression, known, given.assignments, expression_name())
    path = config_file(options)
    path = "-" if path is None else path
    if path != "-" or as_click():
        return of_file(path, known, given.assignments)
    text = sys.stdin.buffer.read()
    if not text.strip():
        raise ClickError("standard input is empty: there is no configuration", hint="give a FILE, or -e TEXT")
    return of_text(text, known, given.assignments, "<stdin>")


def check_router(options: argparse.Namespace, added: Sequence[Element] = ()) -> CheckedRouter:
    """The checked router of the configuration with the `added` elements; its warnings are shown."""
    more = {"devices": words(options).assignments, "added": added, "staged": as_click()}
    return _warned(options, _input(options, library(options), partial(check_file, **more), partial(check_text, **more)))


def compilation(options: argparse.Namespace, checked: CheckedRouter | None = None) -> Compilation:
    """The configuration's router, or this one, with the planner's options."""
    checked = check_router(options) if checked is None else checked
    return Compilation(checked, plan_options(options, checked))


def _warned(options: argparse.Namespace, checked: CheckedRouter) -> CheckedRouter:
    """Show the router's warnings; returns it optimised as -O says."""
    if not options.no_warnings:
        show(checked.warnings, checked.router.sources)
    level = getattr(options, "optimise", 0)
    if not level:
        return checked
    return optimised(checked, library(options), level, words(options).assignments, frozenset(options.user))


def check_router_text(options: argparse.Namespace, text: str, added: Sequence[Element] = ()) -> CheckedRouter:
    """The checked router of another configuration, with the same options; mistakes are reported stage by stage, as in Click."""
    given = words(options).assignments
    return _warned(options, check_text(text, library(options), given, devices=given, added=added, staged=True))


def config_file(options: argparse.Namespace) -> str | None:
    """The configuration's file, `-` for standard input; None if the options name none."""
    return words(options).file if options.file is None else options.file


def no_more_words(given: Words) -> None:
    if given.names:
        raise ClickError(f"'{given.names[0]}' is one word too many", hint="values are given as VAR=VALUE")


def add_spread(parser: argparse.ArgumentParser) -> None:
    """The option --spread, which concerns the planner and the loader."""
    spread = (
        "run the kernel path on these CPUs, such as 0,2 or 0-3, each flow on one of them, in order. FIELDS is what makes a flow: "
        "flow (addresses, protocol and ports; the default), hosts (both addresses), src or dst. StaticThreadSched's threads are these CPUs"
    )
    parser.add_argument("--spread", metavar="CPUS[,FIELDS]", type=_lanes, help=spread)


def _lanes(text: str):
    from clickbpf.load.devices.lanes import Lanes

    try:
        return Lanes.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Options of the planner."""
    parser.add_argument(
        "-O",
        "--optimise",
        metavar="LEVEL",
        type=int,
        choices=range(len(LEVELS)),
        default=0,
        help="1: remove elements that do nothing; 2: also join classifiers; 3: also remove RoundRobinScheds and Unqueues, assuming "
        "that no packet has to wait for another; removed elements have no handlers (default 0)",
    )
    parser.add_argument("--hook", choices=HOOKS, help="the kernel's hook: XDP or TC (default: xdp)")
    frags = "take frames in several XDP buffers, which devices with an MTU above 3498 bytes have (load, run: on by itself for such devices)"
    parser.add_argument("--frags", action="store_true", help=frags)
    parser.add_argument("--no-kernel", action="store_true", help="run every element in user space")
    parser.add_argument("--chain", action="store_true", help="give every element a BPF program of its own")
    parser.add_argument("--user", metavar="ELEMENT", action="append", default=[], help="run ELEMENT in user space (may be repeated)")
    limit = "cut BPF programs of more than N instructions (load, run: N is lowered by itself for programs too complex for the verifier)"
    parser.add_argument("--program-limit", metavar="N", type=whole(1, 1_000_000), default=Options.program_limit, help=limit)


def plan_options(options: argparse.Namespace, checked: CheckedRouter) -> Options:
    unknown = [name for name in options.user if name not in checked.instances]
    if unknown:
        raise ClickError([Diagnostic(None, f"--user: there is no element '{name}'") for name in unknown])
    if options.frags and options.hook == TC:
        raise ClickError("--frags is for XDP: on TC programs take frames of any size", hint="leave out --frags, or --hook tc")
    return Options(
        hook=options.hook or Options.hook,
        frags=options.frags,
        kernel=not options.no_kernel,
        chain=options.chain,
        user=frozenset(options.user),
        program_limit=options.program_limit,
        spread=True if getattr(options, "spread", None) else None,
    )
