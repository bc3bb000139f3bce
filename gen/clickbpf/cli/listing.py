"""List the loaded routers."""

import argparse
from dataclasses import asdict

from clickbpf.cli.flags import add_json
from clickbpf.cli.output import print_json, print_table, spell_time
from clickbpf.crossings import GONE, RING


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import describe
    from clickbpf.load.files import places

    found = [describe(name) for name in places.loaded()]
    if options.json:
        print_json([asdict(router) for router in found])
        return
    heads = ("router", "state", "runtime", "up", "mode", "devices")
    rows = ((r.name, r.condition, r.runtime or "-", spell_time(r.uptime), _mode(r), ", ".join(_devices(r)) + _where(r)) for r in found)
    print_table(heads, rows)


def _where(router) -> str:
    """The network namespace of the devices, unless it is the command's own."""
    return " (namespace gone)" if router.namespace is None else f" in {router.namespace}" if router.namespace else ""


def _mode(router) -> str:
    shared, spread = "" if router.priority is None else ", multi", f", CPUs {router.spread}" if router.spread else ""
    return (router.mode or "-") + shared + spread


def _devices(router):
    attached = {a.device: a.attached for a in router.attachments}
    for configured, device in router.devices.items():
        name = device if device == configured else f"{configured}={device}"
        is_there = attached.get(device, True) and router.crossings.get(device) != GONE
        crossing = " (ring)" if router.crossings.get(device) == RING else ""
        yield name + crossing if is_there else f"{name} (gone)"
