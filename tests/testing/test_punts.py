"""The rule of PUNT, for every class of the library that runs in the kernel: each place of its text that gives packets up is come to,
with packet and state as they were.

Most are found by generated packets and the element of the class's manual page. For the others the class's tests have, in a list
PUNTS, what leads there:

    PUNTS = [Reach("Pad(80)"), Reach("Strip(60)", before="...", packets=[...])]

and in UNREACHED what nothing leads to, with the reason: {"Class": {"file.h: if (...) return PUNT;": "because ..."}}.
"""

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.testing.examples import examples
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.punt import Punts, assert_punts_unchanged
from clickbpf.testing.reach import Reach
from clickbpf.testing.single import NAME
from clickbpf.testing.sites import Site, punt_sites
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source
from clickbpf.vocabulary.traits import READS_OTHERS

pytestmark = pytest.mark.needs("root", "clang-19")

LIBRARY = Library.standard()
KERNEL = [name for name in LIBRARY.names() if "xdp" in LIBRARY.find(name).runs]
#: Classes that a router has at its edges: generated routers have them already.
EDGES = {"FromDevice", "FromHost", "ToDevice", "ToHost"}
#: Classes between a queue and a device.
PULLING = [name for name in KERNEL if LIBRARY.find(name).processing.startswith("l") and name not in EDGES]
CLASSES = [name for name in KERNEL if name not in PULLING]
TESTS = Path(__file__).parents[1]
#: Frames of the kernel path are in a page with their headroom, so nothing is longer than that; the verifier has to be told.
TOO_LONG = re.compile(r"> (\(int\))?SUM_MOST\b")


@cache
def stated() -> tuple[dict[str, list[Reach]], dict[str, dict[str, str]]]:
    """PUNTS and UNREACHED of all tests of elements, by class."""
    reaches: dict[str, list[Reach]] = {}
    excuses: dict[str, dict[str, str]] = {}
    for path in sorted((TESTS / "elements").rglob("test_*.py")):
        if re.search("^(PUNTS|UNREACHED) =", path.read_text(), re.MULTILINE):
            module = importlib.import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))
            for reach in getattr(module, "PUNTS", ()):
                reaches.setdefault(reach.class_name, []).append(reach)
            for name, sites in getattr(module, "UNREACHED", {}).items():
                excuses.setdefault(name, {}).update(sites)
    return reaches, excuses


def reaches(name: str) -> list[Reach]:
    """How packets come to the class's PUNTs: by its manual page, unless it needs others there, and as its tests say."""
    alone = name not in EDGES and READS_OTHERS not in LIBRARY.find(name).traits
    return (of_manual(name) if alone else []) + stated()[0].get(name, [])


def of_manual(name: str) -> list[Reach]:
    used = examples(LIBRARY.find(name), LIBRARY)[0]
    six = c_source(LIBRARY.find(name)).parent.name == "ip6"
    return [
        Reach(used.element, used.ninputs, used.noutputs, headers, packets=400, mix=IPV6 if six else Mix())
        for headers in ("ip6-checked" if six else "ip-checked", "ethernet")
    ]


def sites_of(reach: Reach) -> tuple[Site, ...]:
    """The PUNTs of a text that is not compiled."""
    return punt_sites(Compilation(check_text(reach.text(record=False), LIBRARY)), NAME)


@pytest.mark.whole
@pytest.mark.parametrize("name", CLASSES)
def test_every_punt_is_reached_and_comes_first(name: str) -> None:
    ways = reaches(name)
    assert ways or name in EDGES
    excused = stated()[1].get(name, {})
    if not any(sites_of(way) for way in ways):
        assert not excused, "nothing is given up"
        return
    seen = [assert_punts_unchanged(**way.arguments) for way in ways]
    missing = {str(site) for site in unreached(seen)}
    assert missing - excused.keys() == set(), "no packet of this test is given up there"
    assert excused.keys() - missing == set(), "excused, but packets are given up there, or there is no such place"


def unreached(seen: list[Punts]) -> set[Site]:
    """Sites that no packet came to, but for those where the element's own state would have to be missing or a frame too long."""
    sites, reached = (set().union(*sets) for sets in zip(*((punts.sites, punts.reached) for punts in seen)))
    return {site for site in sites - reached if not site.without_state and not TOO_LONG.search(str(site))}


@pytest.mark.parametrize("name", PULLING)
def test_nothing_is_given_up_behind_a_queue(name: str) -> None:
    """The test above has no queues."""
    assert "PUNT" not in c_source(LIBRARY.find(name)).read_text()
