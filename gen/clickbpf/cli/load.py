"""Load a router, or a compiled object of one, to run in the background under a name."""

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from clickbpf.cli import flags
from clickbpf.cli.options import add_input, add_plan, check_router, config_file, plan_options, words
from clickbpf.cli.output import say
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError, Diagnostic, TooComplex
from clickbpf.lang.load import is_object
from clickbpf.messages import show
from clickbpf.nearest import did_you_mean
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import wire

#: Where a router is among the XDP programs of a device unless the user chooses: in the middle, as libxdp puts them.
PRIORITY = 50
#: A thread costs some megabytes of memory, and a value in every per-thread state.
MOST_THREADS = 1024
#: The lowest limit of a program's instructions that is tried for the verifier's sake.
SHORTEST = 250
#: Options that take effect when a router is compiled.
PLANNED = ("optimise", "hook", "frags", "no_kernel", "chain", "user")

Loaded = TypeVar("Loaded")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    parser.add_argument("-n", "--name", help="the router's name (default: the file's)")
    parser.add_argument("--replace", action="store_true", help="replace the router that has this name now")
    parser.add_argument("--dry-run", action="store_true", help="only print what would be attached, made and changed")
    differs = "with --replace: show which packets the new router would treat differently, by proof, and ask"
    parser.add_argument("--diff", action="store_true", help=differs)
    undone = "undo the load after SECONDS, unless 'clickbpf confirm' is run before that"
    multi = "share the devices' XDP hooks with other programs that libxdp (xdp-loader) attaches, instead of taking the hooks"
    parser.add_argument("--multi", action="store_true", help=multi)
    order = f"with --multi: programs with smaller numbers see packets first (default {PRIORITY}, as of libxdp's other programs)"
    parser.add_argument("--priority", metavar="NUMBER", type=flags.whole(0, 65535), dest="among", help=order)
    parser.add_argument("--confirm", metavar="SECONDS", type=flags.seconds, help=undone)
    resume = "if the router is loaded, have it run: restart a runtime that has died, attach to devices that came back; otherwise load"
    parser.add_argument("--resume", action="store_true", help=resume)
    parser.add_argument("--runtime-only", metavar="NAME", help="only restart the runtime of a loaded router")
    add_devices(parser)
    add_plan(parser)


def add_devices(parser: argparse.ArgumentParser) -> None:
    """What all commands that take devices have."""
    parser.set_defaults(multi=False, among=None)
    parser.add_argument("--mode", choices=("auto", "native", "generic"), default="auto", help="XDP mode (auto: native if possible)")
    crossing = "how the runtime's packets leave: by AF_XDP's sockets, as XDP frames from a ring, or (auto, the default) so by veth devices"
    parser.add_argument("--crossing", choices=("auto", "af_xdp", "ring"), default="auto", help=crossing)
    spread = (
        "run the kernel path on these CPUs, such as 0,2 or 0-3: each flow's packets on one, in their order. FIELDS tell flows apart: "
        "flow, for addresses, protocol and ports (default); hosts, for both addresses; src; or dst"
    )
    parser.add_argument("--spread", metavar="CPUS[,FIELDS]", type=_lanes, help=spread)
    parser.add_argument("--no-fix-veth", action="store_true", help="change no offloads, neither of devices nor of veth devices' other ends")
    number, threads = flags.whole(1, MOST_THREADS), "number of the runtime's threads (default 1)"
    parser.add_argument("-j", "--threads", type=number, default=1, metavar="N", help=threads)


def _lanes(text: str):
    from clickbpf.load.devices.spread import Lanes

    try:
        return Lanes.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.files.places import RunFolder, check_name
    from clickbpf.load.life import confirm
    from clickbpf.load.life.loader import load
    from clickbpf.load.life.preview import preview
    from clickbpf.load.life.replace import replace as put_in_place
    from clickbpf.load.life.trial import before
    from clickbpf.load.process import service
    from clickbpf.load.process.restart import restart

    if options.runtime_only is not None:
        restart(options.runtime_only)
        return
    name = default_name(options) if options.name is None else check_name(options.name)
    if options.resume and _resumed(options, name):
        return
    given = read_object(options)
    if options.diff and (given or not options.replace):
        raise ClickError("--diff compares a configuration with the router that it replaces", hint="give --replace, and the configuration")

    agreed: list[str | None] = []  # the router that is to be replaced, if the user was asked

    def once() -> None:
        manifest, content = given or compiled(options)
        wanted = request(options, manifest, content, name, lambda *_: service.start(RunFolder.of(name)))
        warn_of_default_route(options, wanted)
        if options.dry_run:
            print("\n".join([f"{name} would be loaded:", *preview(wanted, options.replace)]))
            return
        if options.diff:
            agreed.append(_agreed(options, name))
        with confirm.watched(name, options.confirm) as token:
            wanted = replace(wanted, trial=token)
            if options.replace:
                put_in_place(wanted, *agreed)
            else:
                load(wanted)

    if given:
        once()
    else:
        with_shorter_programs(options, once)
    if options.dry_run:
        return
    if options.confirm is None:
        _loaded(name, f"{name} loaded")
        return
    after = "the previous router is put back" if before(RunFolder.of(name)) else "it is unloaded again"
    _loaded(name, f"{name} loaded; {after} in {options.confirm:g} seconds, unless 'clickbpf confirm {name}' is run before that")


def _agreed(options: argparse.Namespace, name: str) -> str | None:
    """Show what packets the configuration treats otherwise than the running router; ClickError unless the user agrees. Returns the router's
    version: it alone was looked at."""
    from clickbpf.cli.diff import print_comparison, with_running
    from clickbpf.load.files.places import RunFolder
    from clickbpf.prove.differences import compare

    options.diff = False  # asked once
    version, checked = RunFolder.of(name).version(), check_router(options)
    print_comparison(compare(*with_running(name, Compilation(checked, plan_options(options, checked)))))
    say(f"replace {name}? [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise ClickError(f"{name} was not replaced")
    return version


def with_shorter_programs(options: argparse.Namespace, load: Callable[[], Loaded]) -> Loaded:
    """What `load`, which compiles and loads as the options say, returns. If a program is too long or too complex, it is called again with a
    lower --program-limit."""
    while True:
        try:
            return load()
        except TooComplex:
            if options.program_limit <= SHORTEST:
                raise
            options.program_limit = max(options.program_limit // 4, SHORTEST)
            say(f"a program is too long or too complex for the kernel: programs are cut at {options.program_limit} instructions")


def _resumed(options: argparse.Namespace, name: str) -> bool:
    """Whether there was a router to resume, or one that runs already."""
    from clickbpf.load.life.returned import put_back
    from clickbpf.load.process.restart import resume

    done = resume(name, options.replace, options.dry_run)
    if done:
        done = put_back(name, say, options.dry_run) or done
    if done and options.dry_run:
        print(done)
    elif done:
        _loaded(name, done)
    return done is not None


def _loaded(name: str, text: str) -> None:
    """Report that the router runs, and the process to watch to a service manager that asked for it."""
    from clickbpf.load.files.places import RunFolder
    from clickbpf.load.process import service, systemd

    say(text)
    systemd.notify(READY=1, MAINPID=service.main_process(RunFolder.of(name)))


def warn_of_default_route(options: argparse.Namespace, wanted) -> None:
    """A user who is logged in over such a device may lose access to the machine."""
    from clickbpf.load.devices.devices import with_default_route
    from clickbpf.load.devices.need import entered

    hint = None if options.confirm else "with --confirm 60 the load is undone after 60 seconds unless you confirm it"
    devices = with_default_route(entered(wanted))
    show([Diagnostic(None, f"{device} carries the default route of this machine", hint, "warning") for device in devices])


def compiled(options: argparse.Namespace) -> tuple[Manifest, bytes]:
    """The object compiled from the configuration."""
    checked = check_router(options)
    if not checked.router.elements and not (checked.router.text or "").strip():
        raise ClickError("the configuration is empty: there is nothing to load")
    made = fitted(options, Compilation(checked, plan_options(options, checked)))
    path = made.build_bpf() if options.dry_run else made.build_for(options.threads, soon=not options.replace)
    return made.manifest, path.read_bytes()


def fitted(options: argparse.Namespace, made: Compilation) -> Compilation:
    """The compilation with the options' limit of programs, and for frames in several buffers if it is to be attached to devices that have
    them, and the kernel sends them. (In generic mode it puts each frame into one buffer.)"""
    from clickbpf.load.devices.frags import WHOLE_MTU, needs_frags
    from clickbpf.load.kernel.features import redirects_parts

    made = replace(made, options=replace(made.options, program_limit=options.program_limit))
    if not made.has_kernel_path:
        return made
    check_hook(options, made.manifest)  # before there are errors about devices
    if made.options.sees_parts or options.mode == "generic" or not redirects_parts():
        return made
    large = any(each.mtu > WHOLE_MTU for each in made.manifest.made) or any(map(needs_frags, _existing(options, made.manifest)))
    return replace(made, options=replace(made.options, frags=True)) if large else made


def _existing(options: argparse.Namespace, manifest: Manifest):
    """The devices of the manifest that the router doesn't make itself."""
    from clickbpf.load.devices.devices import existing

    given = words(options)
    return existing(manifest, given.assignments, given.names)


def read_object(options: argparse.Namespace) -> tuple[Manifest, bytes] | None:
    """The object that the options name; None if they name a configuration."""
    path = config_file(options)
    if options.expression is not None or path in (None, "-") or not is_object(path):
        return None
    given = [option for option in PLANNED if getattr(options, option)]
    if given:
        raise ClickError(f"{path} is already compiled: --{given[0].replace('_', '-')} has no effect", hint="give it to 'clickbpf build'")
    content = Path(path).read_bytes()
    manifest = Manifest.from_object(content, path)
    devices = set(map(wire, manifest.devices))
    for name in words(options).assignments.keys() - devices:
        hint = did_you_mean(name, devices) or "variables are set when an object is built"
        raise ClickError(f"nothing uses {name}=: the object has no device {name}", hint=hint)
    check_carried(manifest, content, path, options)
    return manifest, content


def check_carried(manifest: Manifest, content: bytes, path: str, options: argparse.Namespace) -> None:
    """ClickError if the runtime that the object carries differs from what its configuration compiles to here."""
    made = Compilation.reopened(manifest, options.elements, words(options).assignments)
    if not made.native().fits(content):
        raise ClickError(
            f"{path} does not fit this machine: it was built for another kind of machine, by another version of clickbpf or of its element "
            "classes, or where its devices have other addresses",
            hint="build it here",
        )


def request(options: argparse.Namespace, manifest: Manifest, content: bytes, name: str, start):
    """The request that the options make for a compiled router."""
    from clickbpf.load.devices.made import inlet_name
    from clickbpf.load.files.libraries import trusted
    from clickbpf.load.life.loader import Request

    check_hook(options, manifest)
    given = words(options)
    own = {each.device for each in manifest.made}
    return Request(
        name=name,
        content=content,
        manifest=manifest,
        devices=_existing(options, manifest),
        start=start,
        names={INLET: inlet_name(name), **{conf: device for conf, device in given.assignments.items() if conf in own}},
        mode="native" if options.spread and options.mode == "auto" and manifest.hook != TC else options.mode,
        spread=options.spread,
        crossing=options.crossing,
        fix_veth=not options.no_fix_veth,
        threads=options.threads,
        priority=_priority(options),
        record={"library": trusted(options.elements)},
        say=say,
        keeps_process=True,
    )


def check_hook(options: argparse.Namespace, manifest: Manifest) -> None:
    """ClickError for options that don't go with each other, or with the hook."""
    if manifest.hook == TC and options.mode != "auto":
        raise ClickError(f"--mode {options.mode} is an XDP mode, but the router runs on TC", hint="leave out --mode, or --hook tc")
    if options.among is not None and not options.multi:
        raise ClickError("--priority is a router's place among the programs beside it", hint="give --multi as well")
    if options.multi and manifest.hook == TC:
        raise ClickError("--multi is for XDP: on TC programs run beside others anyway", hint="leave out --multi, or --hook tc")


def _priority(options: argparse.Namespace) -> int | None:
    """The router's priority among the programs of its devices; None if it takes them for itself."""
    return (PRIORITY if options.among is None else options.among) if options.multi else None


def default_name(options: argparse.Namespace) -> str:
    """The name of the configuration's file, made one that a router can have."""
    file = config_file(options)
    return "router" if file in (None, "-") else re.sub(r"[^A-Za-z0-9_.-]|^[.-]", "_", Path(file).stem or "_")[:64]
