"""Try a router out between Linux hosts in network namespaces: open a shell on one, or run a command; then remove them all."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from clickbpf.cli.load import VALUES_LEFT_OUT as VALUES_LEFT_OUT
from clickbpf.cli.load import add_devices, request, with_shorter_programs
from clickbpf.cli.options import add_input, add_plan, check_router, compilation, no_more_words, words
from clickbpf.cli.output import say
from clickbpf.graph.check import CheckedRouter
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import wire

#: For cli/parser.py: the words after `--` are a command.
TAKES_COMMAND = True

#: The folder of `on`, which runs commands on other hosts.
COMMANDS = Path(__file__).parents[1] / "tryout" / "commands"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    where = "run the shell or command on the host of this device (default: the first), or with 'router' in the router's own namespace"
    parser.add_argument("--host", metavar="DEVICE", help=where)
    add_devices(parser)
    add_plan(parser)


def run(options: argparse.Namespace) -> int:
    """The exit status of the command."""
    from clickbpf.load.devices.diagnose import check_privileges
    from clickbpf.tryout.addresses import hosts, interfaces
    from clickbpf.tryout.guard import guarded
    from clickbpf.tryout.lab import Lab

    no_more_words(words(options))
    check_privileges("trying a router out")
    checked = check_router(options)
    manifest, _ = _compiled(options, checked)  # first, so that a configuration that doesn't compile makes no namespaces
    made = {each.device for each in manifest.made} | {INLET, "lo"}
    found = interfaces(checked, [device for device in dict.fromkeys(map(wire, manifest.devices)) if device not in made])
    lab = Lab(found, hosts(checked, found))
    with guarded(), lab:
        where = lab.where(options.host)
        lab.load(lambda name: with_shorter_programs(options, lambda: _load(options, *_compiled(options, checked), name)))
        if not options.command_line:
            say(_welcome(lab))
        return _run(where, options.command_line or _shell(), _surroundings(lab, where))


def _compiled(options: argparse.Namespace, checked: CheckedRouter) -> tuple[Manifest, bytes]:
    made = compilation(options, checked)
    return made.manifest, made.build_for(options.threads, soon=True).read_bytes()


def _load(options: argparse.Namespace, manifest: Manifest, content: bytes, name: str) -> None:
    from clickbpf.load.files.places import RunFolder
    from clickbpf.load.life.loader import load
    from clickbpf.load.process import service

    wanted = request(options, manifest, content, name, lambda *_: service.start(RunFolder.of(name)))
    load(replace(wanted, say=lambda text: None))


def _run(where, command: list[str], environment: Mapping[str, str]) -> int:
    """Run a command in a namespace; only the command sees interrupts from the terminal."""
    child = None
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        child = subprocess.Popen(where.command(*command), env={**os.environ, **environment})
        status = child.wait()
        return status if status >= 0 else 128 - status
    finally:
        signal.signal(signal.SIGINT, before)
        if child and child.poll() is None:
            child.kill()
            child.wait()


def _shell() -> list[str]:
    """bash without the user's settings, since their prompt doesn't name the host. Without a terminal it reads this process's
    standard input."""
    interactive = ["-i"] if sys.stdin.isatty() else []
    return ["bash", "--noprofile", "--norc", *interactive] if shutil.which("bash") else ["sh", *interactive]


def _surroundings(lab, where) -> dict[str, str]:
    """The shell's environment: a prompt with the host's name, the router that clickbpf's commands mean, the command `on` for other
    hosts, and a PATH with `clickbpf`."""
    from clickbpf.load.access.listing import ROUTER_VARIABLE

    host = next(name for name, namespace in lab.namespaces.items() if namespace is where)
    namespaces = " ".join(f"{name}={namespace.path}" for name, namespace in lab.namespaces.items())
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent), str(COMMANDS)))
    return {"PS1": f"{host}# ", "PATH": path, ROUTER_VARIABLE: lab.name, "CLICKBPF_HOSTS": namespaces}


def _welcome(lab) -> str:
    """A text that names the hosts."""
    lines = [f"The router is '{lab.name}'; its hosts, by its devices:"]
    for device, host in lab.hosts.items():
        gateways = ", ".join(map(str, host.gateways))
        lines.append(f"  {device}: {', '.join(map(str, host.addresses))}" + (f", default route by {gateways}" if gateways else ""))
    lines.append("'on DEVICE COMMAND' runs a command on another host, 'on router COMMAND' in the router's namespace. Ctrl-D ends all.")
    return "\n".join(lines)
