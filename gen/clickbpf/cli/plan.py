"""Show where each element runs and why, and the programs that the kernel path consists of.

With -E the router is compiled, too: it shows mistakes in the C of the user's own classes before anything is loaded.
"""

import argparse
from dataclasses import asdict

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, add_plan, add_spread, compilation, no_more_words, words
from clickbpf.cli.output import print_json, print_table
from clickbpf.errors import Diagnostic
from clickbpf.messages import show
from clickbpf.plan import Plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_plan(parser)
    add_spread(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    no_more_words(words(options))
    made = compilation(options)
    plan = made.plan
    if options.elements:
        _ = made.build_for(threads=1) if made.has_kernel_path else made.native(1).path
    if plan.options.frags:
        _warn_of_parts()
    if options.json:
        print_json(_plain(plan))
        return
    instances = plan.checked.instances
    print_table(
        ("element", "class", "runs", "because"),
        ((name, type(instances[name]).class_name(), p.where, p.reason) for name, p in plan.placements.items()),
    )
    if plan.programs:
        print()
        print_table(
            ("program", "starts at", "size", "because"),
            ((p.device or ("queue" if p.jump is None else f"jump {p.jump}"), p.element, p.size, p.reason) for p in plan.programs),
        )


def _warn_of_parts() -> None:
    """Warn if this kernel can't hand over packets in several buffers. Unprivileged processes can't find out."""
    from clickbpf.load.kernel import capabilities
    from clickbpf.load.kernel.features import takes_parts

    if not capabilities.lacking() and not takes_parts():
        what = "packets in several buffers can't reach elements in user space before Linux 6.6"
        show([Diagnostic(None, what, "they are dropped, and counted for that element as DEVICE", "warning")])


def _plain(plan: Plan) -> dict:
    instances = plan.checked.instances
    return {
        "elements": [
            {"name": name, "class": type(instances[name]).class_name(), "where": p.where, "reason": p.reason}
            for name, p in plan.placements.items()
        ],
        "programs": [
            {"element": p.element, "device": p.device, "jump": p.jump, "size": p.size, "reason": p.reason} for p in plan.programs
        ],
        "devices": list(plan.devices),
        "made": [asdict(each) for each in plan.made],
        "carried": [{"offset": offset, "length": length} for offset, length in plan.carried],
    }
