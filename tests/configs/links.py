"""The two routers of configs/papers/link-*.click: each by itself, and optimised together."""

from __future__ import annotations

from tests.configs.traffic import PAPERS

from clickbpf.graph.elaborate import read_file
from clickbpf.graph.router import Router
from clickbpf.passes import UNDEAD, apply
from clickbpf.passes.combine import RECEIVERS, SENDERS, RouterLink, combine, find_device, uncombine
from clickbpf.passes.patterns import read_patterns
from clickbpf.passes.xform import transform
from clickbpf.vocabulary.library import Library

SIDES = ("left", "right")
LIBRARY = Library.standard()


def separate() -> dict[str, Router]:
    return {side: read_file(PAPERS / f"link-{side}.click", LIBRARY) for side in SIDES}


def combined() -> dict[str, Router]:
    """Both routers, after they have been optimised together."""
    routers = separate()
    links = [
        RouterLink(find_device(routers, a, "eth1", SENDERS), find_device(routers, b, "eth1", RECEIVERS)) for a, b in (SIDES, SIDES[::-1])
    ]
    whole = transform(combine(routers, links), read_patterns(str(PAPERS / "lib" / "noarp.clickpat")))
    whole = apply(UNDEAD, whole, LIBRARY)
    return {side: uncombine(whole, SIDES, side) for side in SIDES}
