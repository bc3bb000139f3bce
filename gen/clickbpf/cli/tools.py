"""What the commands that replace Click's configuration tools have in common.

They accept any name as an element class, since a configuration may be meant for another program, or be unfinished.
"""

import argparse
from collections.abc import Mapping

from clickbpf.cli.output import write_bytes, write_text
from clickbpf.errors import Diagnostic
from clickbpf.graph.router import Router
from clickbpf.graph.unparse import unparse_router
from clickbpf.lang.archive import write_archive
from clickbpf.messages import show
from clickbpf.vocabulary.library import Library


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    parser.add_argument("-c", "--config", action="store_true", help="write the configuration only, not an archive")


def add_unused(parser: argparse.ArgumentParser, *names: str) -> None:
    """Accept an option of Click's tool that has no meaning here: it selects one of Click's drivers, or how the tool compiles."""
    parser.add_argument(*names, action="store_true", help="accepted and ignored: concerns Click's own drivers")


def warn_of_unknown(router: Router, known: Library) -> None:
    """Warn of classes that the library doesn't have: nobody knows what they do to packets."""
    unknown = {e.class_name: e.place for e in reversed(router.elements) if not known.known(e.class_name)}
    warnings = [Diagnostic(place, f"unknown element class '{name}'", severity="warning") for name, place in reversed(unknown.items())]
    show(warnings, router.sources)


def write_router(router: Router, options: argparse.Namespace, extra: Mapping[str, bytes] | None = None) -> None:
    """Write the configuration; as an archive if it came in one, or if `extra` files belong to it."""
    text = unparse_router(router)
    members = {**router.archive, **(extra or {})}
    if members and not getattr(options, "config", False):
        content = {"config": text.encode("utf-8", "surrogateescape"), **members}
        write_bytes(write_archive(content), options.output)
    else:
        write_text(text, options.output)
