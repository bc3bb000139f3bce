"""Load a router under a name, to run in the background."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from clickbpf.cli.options import add_input, add_plan, check_router, plan_options, words
from clickbpf.compile import Compilation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    parser.add_argument("-n", "--name", help="the router's name (default: the file's)")
    parser.add_argument("--replace", action="store_true", help="take the place of the router that has the name now")
    parser.add_argument("--runtime-only", metavar="NAME", help="start the runtime of a loaded router again, and nothing else")
    add_devices(parser)
    add_plan(parser)


def add_devices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mode", choices=("auto", "native", "generic"), default="auto", help="XDP mode (default: native where there is)")
    parser.add_argument("--no-fix-veth", action="store_true", help="leave offloads, of veth devices' other ends too, as they are")
    parser.add_argument("-j", "--threads", type=int, default=1, metavar="N", help="threads of the runtime")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load import service
    from clickbpf.load.loader import load
    from clickbpf.load.places import RunFolder
    from clickbpf.load.replace import replace
    from clickbpf.load.restart import restart

    if options.runtime_only:
        restart(options.runtime_only)
        return
    name = options.name or default_name(options)
    checked = check_router(options)
    made = Compilation.of(checked, plan_options(options, checked))
    wanted = request(options, made, name, lambda *_: service.start(RunFolder.of(name)))
    (replace if options.replace else load)(wanted)
    say(f"{name} loaded")


def request(options: argparse.Namespace, made: Compilation, name: str, start):
    """The request that the options make for a compiled router."""
    from clickbpf.load.devices import resolve
    from clickbpf.load.loader import Request

    given = words(options)
    own = {each.device for each in made.plan.made}
    existing = [device for device in made.plan.devices if device not in own]
    mapping = {conf: device for conf, device in given.assignments.items() if conf in existing}
    devices = resolve(existing, given.names, mapping)
    return Request(
        name=name,
        content=made.build_bpf().read_bytes(),
        manifest=made.manifest,
        devices=devices,
        start=start,
        names={conf: device for conf, device in given.assignments.items() if conf in own},
        mode=options.mode,
        fix_veth=not options.no_fix_veth,
        threads=options.threads,
        record={"library": [str(Path(path).resolve()) for path in options.elements]},
        say=say,
        keeps_process=True,
    )


def default_name(options: argparse.Namespace) -> str:
    file = options.file or words(options).file
    return re.sub(r"[^A-Za-z0-9_.-]", "_", Path(file).stem) if file not in (None, "-") else "router"


def say(text: str) -> None:
    print(text, file=sys.stderr)
