"""Export the numbers of loaded routers to Prometheus and other collectors."""

import argparse
from pathlib import Path

from clickbpf.cli.flags import LOOPBACK, endpoint
from clickbpf.cli.output import write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="routers to report (default: all that are loaded at the time)")
    where = parser.add_mutually_exclusive_group()
    listen = f"serve the numbers by HTTP until interrupted; the default ADDRESS is {LOOPBACK}"
    where.add_argument("--listen", metavar="[ADDRESS:]PORT", type=endpoint, help=listen)
    where.add_argument("--textfile", metavar="FILE", type=Path, help="write to FILE, for the node exporter's textfile collector")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.observe import metrics

    names = [choose(name) for name in options.names]
    if options.listen:
        metrics.serve(names, *options.listen).join()
    elif options.textfile:
        metrics.write(names, options.textfile)
    else:
        write_text(metrics.text(names), None)
