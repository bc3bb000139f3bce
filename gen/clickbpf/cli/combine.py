"""Combine the routers of a network into one configuration, connected where cables connect the routers (click-combine)."""

import argparse
import re

from clickbpf.cli.tools import add_output, write_router
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.graph.elaborate import read_file, read_text
from clickbpf.graph.router import Router
from clickbpf.messages import expression_name, show
from clickbpf.passes.combine import LINK, RECEIVERS, SENDERS, RouterLink, combine, find_device

#: Tells other tools about the class that represents a cable: its input pulls, its output pushes.
ELEMENT_MAP = f"""<?xml version="1.0" standalone="yes"?>
<elementmap xmlns="http://www.lcdf.org/click/xml/">
  <entry name="{LINK}" processing="l/h" flowcode="x/x" flags="S3" />
</elementmap>
"""
#: The archive member that lists the components' names, one a line.
COMPONENTS = "componentmap"

_LINK = re.compile(r"([^.=]+)\.([^=]+)=([^.=]+)\.(.+)")
_NAMED = re.compile(r"(\w+)=(.+)")


class _InOrder(argparse.Action):
    """Records -n, -f and -e in their order, because -n names the router that follows it."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.parts = [*getattr(namespace, "parts", []), (self.dest, value)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--name", metavar="NAME", action=_InOrder, help="the name of the next router")
    parser.add_argument("-f", "--file", metavar="FILE", action=_InOrder, help="the configuration of a router")
    parser.add_argument("-e", "--expression", metavar="TEXT", action=_InOrder, help="the configuration itself, instead of a file")
    parser.add_argument(
        "-l", "--link", metavar="LINK", action="append", default=[], help="NAME.DEVICE=NAME.DEVICE: from the first to the second"
    )
    parser.add_argument("words", nargs="*", metavar="NAME=FILE|LINK", help="routers, and links from one element or device to another")
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    routers, links = _routers(options), _links([*options.link, *filter(_LINK.fullmatch, options.words)])
    if not routers:
        raise ClickError("no routers specified", hint="give at least two, as NAME=FILE")
    found = [RouterLink(find_device(routers, one, of, SENDERS), find_device(routers, other, to, RECEIVERS)) for one, of, other, to in links]
    if not found:
        show([Diagnostic(None, "no links between routers", severity="warning")])
    extra = {"elementmap.xml": ELEMENT_MAP.encode()} if found else {}
    extra[COMPONENTS] = "".join(f"{name}\n" for name in routers).encode()
    write_router(combine(routers, found), options, extra)


def _routers(options: argparse.Namespace) -> dict[str, Router]:
    routers: dict[str, Router] = {}
    name = None
    named = [_NAMED.fullmatch(word) for word in options.words if not _LINK.fullmatch(word)]
    if None in named:
        raise ClickError("a router needs a name", hint="give it as NAME=FILE, or by -n NAME before -f FILE")
    parts = [*getattr(options, "parts", []), *(part for word in named for part in (("name", word[1]), ("file", word[2])))]
    for kind, value in parts:
        if kind == "name":
            name = value
            continue
        if name is None or "/" in name:
            raise ClickError("a router needs a name without slashes", hint="give it by -n NAME before -f FILE")
        if name in routers:
            raise ClickError(f"two routers named '{name}'")
        routers[name] = read_file(value) if kind == "file" else read_text(value, name=expression_name())
        name = None
    return routers


def _links(texts: list[str]) -> list[tuple[str, ...]]:
    found = [_LINK.fullmatch(text) for text in texts]
    if None in found:
        raise ClickError(f"bad link '{texts[found.index(None)]}'", hint="write NAME.DEVICE=NAME.DEVICE")
    return [link.groups() for link in found]
