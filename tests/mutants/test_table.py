"""The table of mutants is true of the tree: what it changes is there, and so are the tests that it names."""

from __future__ import annotations

import shlex

import pytest
from tests.mutants.mutants import ROOT, Mutant, mutants

MUTANTS = mutants()
#: What `make mutants` is about; the count is of mutants.
ELEMENTS = ("bridge", "ethernet", "ip", "ip6", "nat", "tunnel")
AREAS = ("bpf/", *(f"elements/{family}/" for family in ELEMENTS), "gen/clickbpf/plan/", "gen/clickbpf/emit/")
ENOUGH = 60


def test_there_are_enough():
    assert len(MUTANTS) >= ENOUGH
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    for area in AREAS:
        assert any(mutant.file.startswith(area) for mutant in MUTANTS), area


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_can_be_made(mutant: Mutant):
    assert (ROOT / mutant.file).read_text().count(mutant.old) == 1
    assert mutant.new != mutant.old
    files = [word.partition("::")[0] for word in shlex.split(mutant.tests) if word.startswith("tests/")]
    assert files and all((ROOT / file).exists() for file in files)
