"""List the element classes."""

from __future__ import annotations

import argparse

from clickbpf.cli.options import add_json, add_library, library
from clickbpf.cli.output import print_json, print_table

NAME = "elements"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_library(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    known = library(options)
    classes = [known.find(name) for name in known.names()]
    if options.json:
        print_json(
            [
                {
                    "name": c.class_name(),
                    "aliases": list(c.aliases),
                    "summary": c.summary(),
                    "ports": c.ports if isinstance(c.ports, str) else "",
                    "runs": sorted(c.runs) if isinstance(c.runs, frozenset) else [],
                }
                for c in classes
            ]
        )
        return
    print_table(("class", "summary"), ((c.class_name(), c.summary()) for c in classes))
