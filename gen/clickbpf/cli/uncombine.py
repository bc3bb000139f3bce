"""Extract one router from a combined configuration (click-uncombine)."""

import argparse
from dataclasses import replace

from clickbpf.cli.combine import COMPONENTS
from clickbpf.cli.tools import add_output, write_router
from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_file
from clickbpf.passes.combine import uncombine
from clickbpf.passes.order import as_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-f", "--file", metavar="FILE", help="the combined configuration; '-' is standard input")
    parser.add_argument("-n", "--name", metavar="NAME", help="the router to extract")
    parser.add_argument("words", nargs="*", metavar="[FILE] [NAME]", help="file and router, if not given by -f and -n")
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    words = list(options.words)
    path = options.file if options.file is not None else words.pop(0) if words else "-"
    name = options.name if options.name is not None else words.pop(0) if words else None
    if words:
        raise ClickError(f"'{words[0]}' is one word too many", hint="a file and a name are enough")
    if name is None:
        raise ClickError("no component specified", hint="give the name of a router after the file")
    router = read_file(path)
    if COMPONENTS not in router.archive:
        raise ClickError(f"{path}: not created by 'combine' (no '{COMPONENTS}')")
    components = router.archive[COMPONENTS].decode().split()
    if name not in components:
        raise ClickError(f"{path}: no '{name}' component", hint=f"its components are {', '.join(components)}")
    left = {member: content for member, content in router.archive.items() if member != COMPONENTS}
    write_router(replace(uncombine(as_written(router), components, name), archive=left), options)
