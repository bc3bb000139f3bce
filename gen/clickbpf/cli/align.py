"""Insert Aligns where elements need aligned packets, for machines that can't read words at any address (click-align)."""

import argparse

from clickbpf.cli.options import add_input, library, no_more_words, read_router, words
from clickbpf.cli.tools import add_output, add_unused, write_router
from clickbpf.errors import Diagnostic
from clickbpf.messages import show
from clickbpf.passes.align import ALIGN, align


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_output(parser)
    add_unused(parser, "-b", "--bsdmodule")
    add_unused(parser, "-l", "--linuxmodule")
    add_unused(parser, "-u", "--userlevel")


def run(options: argparse.Namespace) -> None:
    no_more_words(words(options))
    router = read_router(options)
    aligned = align(router, library(options))
    added = sum(element.class_name == ALIGN and element.name not in router for element in aligned.elements)
    if added:
        show([Diagnostic(None, f"added {added} {ALIGN} element{'' if added == 1 else 's'}", severity="warning")])
    write_router(aligned, options)
