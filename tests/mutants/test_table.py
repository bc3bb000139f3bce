"""The table of mutants is true of the tree: what it changes is there, and so are the tests that it names."""

import shlex

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


def test_all_mutants_can_be_made():
    assert [f"{mutant.file}: {mutant.name}" for mutant in MUTANTS if not can_be_made(mutant)] == []


def can_be_made(mutant: Mutant) -> bool:
    """Whether what it changes is in its file once, and all tests that it names are in the tree."""
    files = [word.partition("::")[0] for word in shlex.split(mutant.tests) if word.startswith("tests/")]
    once = (ROOT / mutant.file).read_text().count(mutant.old) == 1
    return once and mutant.new != mutant.old and bool(files) and all((ROOT / file).exists() for file in files)
