"""Print a configuration in canonical form, with its compound elements, or draw its graph."""

import argparse
from pathlib import Path

from clickbpf.cli.options import add_input, add_plan, compilation, config_file, no_more_words, words
from clickbpf.cli.output import write_text
from clickbpf.errors import ClickError
from clickbpf.lang.load import parse_file, parse_source
from clickbpf.lang.unparse import unparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    drawn = parser.add_mutually_exclusive_group()
    drawn.add_argument("--svg", action="store_true", help="draw the graph, in colours that say where elements run (needs Graphviz)")
    drawn.add_argument("--html", action="store_true", help="draw it as a web page, with the elements' manual pages (needs Graphviz)")
    drawn.add_argument("--dot", action="store_true", help="write the graph in Graphviz's language")
    parser.add_argument("--unfold", action="store_true", help="draw the insides of compound elements, too")
    add_plan(parser)


def run(options: argparse.Namespace) -> None:
    if options.svg or options.html or options.dot:
        write_text(_drawn(options), options.output)
        return
    given = words(options)
    if given.assignments:
        raise ClickError(f"nothing uses {next(iter(given.assignments))}=: values are for drawings", hint="'clickbpf flatten' takes values")
    if options.expression is not None:
        tree = parse_source(options.expression, "<expression>")
    else:
        path = config_file(options)
        tree = parse_file("-" if path is None else path)
    write_text(unparse(tree), options.output)


def _drawn(options: argparse.Namespace) -> str:
    from clickbpf.draw.dot import dot
    from clickbpf.draw.layout import lay_out
    from clickbpf.draw.page import page
    from clickbpf.draw.picture import picture
    from clickbpf.draw.svg import svg

    no_more_words(words(options))
    plan = compilation(options).plan
    if options.html:
        return page(plan, Path(config_file(options) or "router").name)
    drawn = picture(plan, unfolded=options.unfold)
    return dot(drawn) if options.dot else svg(drawn, lay_out(drawn))
