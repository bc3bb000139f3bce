"""List the routers that are loaded."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from clickbpf.cli.options import add_json
from clickbpf.cli.output import print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load import places
    from clickbpf.load.listing import describe

    found = [describe(name) for name in places.loaded()]
    if options.json:
        print_json([asdict(router) for router in found])
        return
    heads = ("router", "state", "runtime", "up", "mode", "devices")
    print_table(heads, ((r.name, r.state, str(r.runtime or "-"), _time(r.uptime), r.mode or "-", ", ".join(_devices(r))) for r in found))


def _time(seconds: float | None) -> str:
    """A length of time by its two largest units: 3d 4h, 5m 6s."""
    if seconds is None:
        return "-"
    rest, parts = int(seconds), []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        number, rest = divmod(rest, size)
        if number or parts or size == 1:
            parts.append(f"{number}{unit}")
    return " ".join(parts[:2])


def _devices(router):
    attached = {a.device: a.attached for a in router.attachments}
    for configured, device in router.devices.items():
        name = device if device == configured else f"{configured}={device}"
        yield name if attached.get(device, True) else f"{name} (gone)"
