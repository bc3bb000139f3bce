"""Show which elements of a loaded router dropped packets, and why."""

import argparse
from dataclasses import asdict

from clickbpf.cli.flags import add_json, add_watch
from clickbpf.cli.output import print_json, print_line, print_table

#: Seconds over which a rate is measured without --watch.
MOMENT = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")
    add_watch(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.observe.dropcounts import watch

    name = choose(options.name)
    for found in watch(name, options.watch or MOMENT):
        plain = {"router": name, "drops": [asdict(each) for each in found], "total": sum(each.count for each in found)}
        if options.json and options.watch is not None:
            print_line(plain)
        elif options.json:
            print_json(plain)
        else:
            _print(found)
        if options.watch is None:
            return


def _print(found) -> None:
    if not found:
        print("nothing was dropped", flush=True)
        return
    rows = [(e.element, e.class_name, e.place, e.count, f"{e.rate:.0f}/s", e.meaning) for e in found]
    total = ("all", "", "", sum(e.count for e in found), f"{sum(e.rate for e in found):.0f}/s", "")
    print_table(("element", "class", "place", "count", "rate", "because"), (*rows, total))
    print(flush=True)
