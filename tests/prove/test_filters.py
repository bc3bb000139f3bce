"""Filters of 100 rules: neither what `fastclassifier` makes of them nor merged rules change anything; another rule does."""

import random
from itertools import groupby

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.graph.elaborate import read_text
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.prove.answers import Router, Verdict
from clickbpf.prove.differences import Comparison, compare
from clickbpf.prove.explore import Explorer
from clickbpf.vocabulary.library import Library

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "clang-19")]

ROUTER = "FromDevice(eth0) -> Classifier(12/0800) -> Classifier(14/45) -> MarkIPHeader(14) -> IPFilter({}) -> Queue -> ToDevice(eth1);"


def rules(seed: int, count: int) -> list[tuple[str, str]]:
    """Actions and patterns; each has an address, so that no rule makes all later ones idle."""
    chosen = random.Random(seed)
    found = []
    for _ in range(count):
        network = f"net 10.{chosen.randrange(4)}.{chosen.randrange(256)}.0/{chosen.randrange(16, 25)}"
        port = chosen.choice(["", " && tcp dst port {}", " && udp src port {}"]).format(chosen.randrange(1, 1024))
        found.append((chosen.choice(["allow", "deny"]), f"{chosen.choice(['src', 'dst'])} {network}{port}"))
    return [*found, ("deny", "all")]


def text(filter_rules: list[tuple[str, str]]) -> str:
    return ROUTER.format(", ".join(f"{action} {pattern}" for action, pattern in filter_rules))


def merged(filter_rules: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbours that do the same as one rule."""
    groups = groupby(filter_rules[:-1], key=lambda rule: rule[0])
    return [*((action, " or ".join(f"({pattern})" for _, pattern in group)) for action, group in groups), filter_rules[-1]]


def compared(*texts: str) -> Comparison:
    return compare(*(Router(Explorer(Compilation(check_text(each, Library.standard())))) for each in texts))


def fast(configuration: str) -> str:
    """As `clickbpf fastclassifier` writes it."""
    known = Library.standard()
    made = unparse_router(combine_classifiers(read_text(configuration, known), known))
    assert made.count(":: Classifier(") == 1
    return made


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("form", ["fast", "merged", "changed"])
def test_random_filters(seed, form):
    before = rules(seed, 100)
    if form == "fast":
        found = compared(text(before), fast(text(before)))
    elif form == "merged":
        found = compared(text(before), text(merged(before)))
    else:
        action, pattern = before[50]
        found = compared(text(before), text([*before[:50], ("deny" if action == "allow" else "allow", pattern), *before[51:]]))
    assert found.verdict is (Verdict.REFUTED if form == "changed" else Verdict.PROVED), found.open
