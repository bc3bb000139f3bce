"""Load a router, from its configuration or a compiled object, to run in the background under a name."""

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from clickbpf.cli import flags
from clickbpf.cli.options import add_input, add_plan, add_spread, check_router, compilation, config_file, words
from clickbpf.cli.output import say
from clickbpf.compile import Compilation
from clickbpf.crossings import AUTO, CHOICES
from clickbpf.errors import ClickError, Diagnostic, TooComplex
from clickbpf.lang.load import is_object
from clickbpf.messages import show
from clickbpf.nearest import did_you_mean
from clickbpf.objects.hooks import TC
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import QUEUES_PER_DEVICE, Manifest
from clickbpf.objects.outbound import wire

#: The default priority among a device's XDP programs, which is libxdp's.
PRIORITY = 50
#: Each thread costs some megabytes of memory, and a value in every per-thread state.
MOST_THREADS = 1024
#: Options whose value is optional, and what they mean without one: argparse would take the word after them for the value.
VALUES_LEFT_OUT = dict.fromkeys(("-a", "--affinity", "--cpu"), "--affinity=0")
#: The lowest --program-limit that is tried where the verifier refuses longer programs.
SHORTEST = 250
#: Options that only matter to the compiler.
PLANNED = ("optimise", "hook", "frags", "no_kernel", "chain", "user")

Loaded = TypeVar("Loaded")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    parser.add_argument("-n", "--name", help="the router's name (default: the file's)")
    parser.add_argument("--replace", action="store_true", help="replace the router that has this name now")
    parser.add_argument("--dry-run", action="store_true", help="only print what would be attached, created and changed")
    differs = "with --replace: first prove which packets the new router would treat differently, show them, and ask"
    parser.add_argument("--diff", action="store_true", help=differs)
    undone = "undo the load after SECONDS, unless 'clickbpf confirm' is run before that"
    multi = "share the devices' XDP hooks with other programs that libxdp (xdp-loader) attaches, instead of taking the hooks"
    parser.add_argument("--multi", action="store_true", help=multi)
    order = f"with --multi: programs with lower numbers see packets first (default {PRIORITY}, libxdp's own default)"
    parser.add_argument("--priority", metavar="NUMBER", type=flags.whole(0, 65535), dest="among", help=order)
    parser.add_argument("--confirm", metavar="SECONDS", type=flags.seconds, help=undone)
    resume = "if the router is loaded, restart a dead runtime and attach to devices that came back; otherwise load it"
    parser.add_argument("--resume", action="store_true", help=resume)
    queues = "give the devices that packets enter by N receive queues, until the router is unloaded (ethtool -L)"
    parser.add_argument("--queues", metavar="N", type=flags.whole(1, QUEUES_PER_DEVICE), help=queues)
    interrupts = "have the interrupts of these devices run on these CPUs in turn, such as 0,2 or 0-3, until the router is unloaded"
    parser.add_argument("--interrupts", metavar="CPUS", type=_cpus, default=(), help=interrupts)
    parser.add_argument("--runtime-only", metavar="NAME", help="only restart the runtime of a loaded router")
    add_devices(parser)
    add_plan(parser)


def add_devices(parser: argparse.ArgumentParser) -> None:
    """Options of all commands that run a router on devices."""
    parser.set_defaults(multi=False, among=None, queues=None, interrupts=())
    parser.add_argument("--mode", choices=("auto", "native", "generic"), default="auto", help="XDP mode (auto: native if possible)")
    crossing = "how packets leave the runtime: by AF_XDP sockets, as XDP frames from a ring, or (auto, the default) that only for veth"
    parser.add_argument("--crossing", choices=CHOICES, default=AUTO, help=crossing)
    add_spread(parser)
    parser.add_argument("--no-fix-veth", action="store_true", help="leave the offloads of devices, and of veth peers, as they are")
    number, threads = flags.whole(1, MOST_THREADS), "number of the runtime's threads (default 1)"
    parser.add_argument("-j", "--threads", type=number, default=1, metavar="N", help=threads)
    pinned = "pin threads to CPUs: -a from CPU 0 on, -aN or --affinity=N from CPU N on"
    parser.add_argument("-a", "--affinity", metavar="N", type=flags.whole(0, 1023), help=pinned)


def _cpus(text: str) -> tuple[int, ...]:
    from clickbpf.load.devices.lanes import cpus_of

    try:
        return cpus_of(text)
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
    if options.replace and options.spread is None:
        options.spread = _lanes_of(name)
    if options.diff and (given or not options.replace):
        raise ClickError("--diff compares a configuration with the router that it replaces", hint="give --replace, and the configuration")

    agreed: list[str | None] = []  # the version of the router whose replacement the user agreed to

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
    after = "the previous router is restored" if before(RunFolder.of(name)) else "it is unloaded again"
    _loaded(name, f"{name} loaded; {after} in {options.confirm:g} seconds, unless 'clickbpf confirm {name}' is run before that")


def _lanes_of(name: str):
    """The CPUs of the router that is replaced, which the new one is planned for; None if there is none, or it has no CPUs of choice."""
    from clickbpf.load.devices.record import record
    from clickbpf.load.files.places import RunFolder

    return record(RunFolder.of(name)).spread


def _agreed(options: argparse.Namespace, name: str) -> str | None:
    """Show which packets the configuration treats differently from the running router, and ask; ClickError unless the user agrees.
    Returns the version of the running router, since the answer is about no other."""
    from clickbpf.cli.diff import print_comparison, with_running
    from clickbpf.load.files.places import RunFolder
    from clickbpf.prove.differences import compare

    options.diff = False  # asked once
    version = RunFolder.of(name).version()
    print_comparison(compare(*with_running(name, compilation(options))))
    say(f"replace {name}? [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise ClickError(f"{name} was not replaced")
    return version


def with_shorter_programs(options: argparse.Namespace, load: Callable[[], Loaded]) -> Loaded:
    """Call `load`, which compiles and loads according to the options, until the verifier accepts the programs: each time with a lower
    --program-limit. Returns its result."""
    while True:
        try:
            return load()
        except TooComplex:
            if options.program_limit <= SHORTEST:
                raise
            options.program_limit = max(options.program_limit // 4, SHORTEST)
            say(f"a program is too long or too complex for the kernel: programs are cut at {options.program_limit} instructions")


def _resumed(options: argparse.Namespace, name: str) -> bool:
    """Resume a loaded router, unless it runs; False if there is none."""
    from clickbpf.load.life.reattach import reattach
    from clickbpf.load.process.restart import resume

    done = resume(name, options.replace, options.dry_run)
    if done:
        done = reattach(name, say, options.dry_run) or done
    if done and options.dry_run:
        print(done)
    elif done:
        _loaded(name, done)
    return done is not None


def _loaded(name: str, text: str) -> None:
    """Report that the router runs; to systemd, if it started this command, with the process to watch."""
    from clickbpf.load.files.places import RunFolder
    from clickbpf.load.process import service, systemd

    say(text)
    systemd.notify(READY=1, MAINPID=service.main_process(RunFolder.of(name)))


def warn_of_default_route(options: argparse.Namespace, wanted) -> None:
    """Warn of devices with the default route: a user who is logged in over one may lose access to the machine."""
    from clickbpf.load.devices.devices import with_default_route
    from clickbpf.load.devices.need import entered

    hint = None if options.confirm else "with --confirm 60 the load is undone after 60 seconds unless you confirm it"
    devices = with_default_route(entered(wanted))
    show([Diagnostic(None, f"{device} carries the default route of this machine", hint, "warning") for device in devices])


def compiled(options: argparse.Namespace) -> tuple[Manifest, bytes]:
    """Compile the configuration: the object, and its manifest."""
    checked = check_router(options)
    if not checked.router.elements and not (checked.router.text or "").strip():
        raise ClickError("the configuration is empty: there is nothing to load")
    made = fitted(options, compilation(options, checked))
    path = made.build_bpf() if options.dry_run else made.build_for(options.threads, soon=not options.replace)
    return made.manifest, path.read_bytes()


def fitted(options: argparse.Namespace, made: Compilation) -> Compilation:
    """The compilation with the present --program-limit, and with --frags if one of its devices has frames in several buffers and the kernel
    can redirect these. (In generic mode every frame is in one buffer.)"""
    from clickbpf.load.devices.frags import WHOLE_MTU, needs_frags
    from clickbpf.load.kernel.features import redirects_parts

    made = replace(made, options=replace(made.options, program_limit=options.program_limit))
    if not made.has_kernel_path:
        return made
    check_hook(options, made.manifest)  # first: the next lines may fail because of devices
    if made.options.sees_parts or options.mode == "generic" or not redirects_parts():
        return made
    large = any(each.mtu > WHOLE_MTU for each in made.manifest.made) or any(map(needs_frags, _existing(options, made.manifest)))
    return replace(made, options=replace(made.options, frags=True)) if large else made


def _existing(options: argparse.Namespace, manifest: Manifest):
    """The manifest's devices, without those that the router creates."""
    from clickbpf.load.devices.devices import existing

    given = words(options)
    return existing(manifest, given.assignments, given.names)


def read_object(options: argparse.Namespace) -> tuple[Manifest, bytes] | None:
    """Read the object that the options name; None if they name a configuration."""
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
        hint = did_you_mean(name, devices) or "give variables to 'clickbpf build'"
        raise ClickError(f"nothing uses {name}=: the object has no device {name}", hint=hint)
    check_carried(manifest, content, path, options)
    return manifest, content


def check_carried(manifest: Manifest, content: bytes, path: str, options: argparse.Namespace) -> None:
    """ClickError if the runtime code in the object differs from what its configuration compiles to on this machine."""
    made = Compilation.reopened(manifest, options.elements, words(options).assignments)
    if not made.native().fits(content):
        raise ClickError(
            f"{path} does not fit this machine: it was built for another kind of machine, with another version of clickbpf or its element "
            "classes, or on a machine whose devices have other addresses",
            hint="build it here",
        )


def request(options: argparse.Namespace, manifest: Manifest, content: bytes, name: str, start):
    """The loader's request for a compiled router, with the options."""
    from clickbpf.load.devices.pair import inlet_name
    from clickbpf.load.files.libraries import trusted
    from clickbpf.load.life.loader import Request
    from clickbpf.runtime.loaded import check_cpu

    check_hook(options, manifest)
    if options.affinity is not None:
        check_cpu(options.affinity)
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
        queues=options.queues,
        interrupts=options.interrupts,
        crossing=options.crossing,
        fix_veth=not options.no_fix_veth,
        threads=options.threads,
        affinity=options.affinity,
        priority=_priority(options),
        library=trusted(options.elements),
        say=say,
        keeps_process=True,
    )


def check_hook(options: argparse.Namespace, manifest: Manifest) -> None:
    """ClickError for options that contradict each other or the hook."""
    if manifest.hook == TC and options.mode != "auto":
        raise ClickError(f"--mode {options.mode} is an XDP mode, but the router runs on TC", hint="leave out --mode, or --hook tc")
    if options.among is not None and not options.multi:
        raise ClickError("--priority orders the programs of a shared XDP hook", hint="give --multi as well")
    if options.multi and manifest.hook == TC:
        raise ClickError("--multi is for XDP: TC is shared with other programs anyway", hint="leave out --multi, or --hook tc")


def _priority(options: argparse.Namespace) -> int | None:
    """The router's priority among its devices' XDP programs; None if it takes their hooks for itself."""
    return (PRIORITY if options.among is None else options.among) if options.multi else None


def default_name(options: argparse.Namespace) -> str:
    """The configuration's file name, with other characters than routers' names may have replaced."""
    file = config_file(options)
    return "router" if file in (None, "-") else re.sub(r"[^A-Za-z0-9_.-]|^[.-]", "_", Path(file).stem or "_")[:64]
