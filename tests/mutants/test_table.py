"""The table of mutants is true of the tree: what it changes is there, and so are the tests that it names."""

import argparse
import ast
import shlex
from collections.abc import Iterator
from functools import cache

from _pytest.mark.expression import Expression
from tests.mutants.mutants import ROOT, Mutant, mutants

MUTANTS = mutants()
#: What `make mutants` is about; the count is of mutants.
ELEMENTS = ("bridge", "ethernet", "ip", "ip6", "nat", "tunnel")
AREAS = ("bpf/", *(f"elements/{family}/" for family in ELEMENTS), "gen/clickbpf/plan/", "gen/clickbpf/emit/")
ENOUGH = 60
#: Words of expressions that are about a test's parameters, where it gets these from elsewhere.
PARAMETERS = ("native", "bpf", "tc", "tcx", "clsact", "xdp", "runtime", "clones", "redirect", "ARPQuerier")
#: Tables that are tests (tests/elements/conftest.py).
TABLES = {"CASES": "test_executors_agree_on_cases", "TRIALS": "test_trials", "MISTAKES": "test_mistakes_are_reported"}
WORDS = argparse.ArgumentParser()
WORDS.add_argument("-k", default="")
WORDS.add_argument("places", nargs="+")


def test_there_are_enough():
    assert len(MUTANTS) >= ENOUGH
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    for area in AREAS:
        assert any(mutant.file.startswith(area) for mutant in MUTANTS), area


def test_all_mutants_can_be_made():
    assert [f"{mutant.file}: {mutant.name}" for mutant in MUTANTS if not can_be_made(mutant)] == []


def can_be_made(mutant: Mutant) -> bool:
    """Whether what it changes is in its file once."""
    return (ROOT / mutant.file).read_text().count(mutant.old) == 1 and mutant.new != mutant.old


def test_there_are_such_tests():
    named = [WORDS.parse_args(shlex.split(words)) for words in {mutant.tests for mutant in MUTANTS}]
    asked = sorted({(place, given.k) for given in named for place in given.places})
    assert [words for words in asked if not any(chosen(test, words[1]) for test in within(words[0]))] == []


def test_a_name_that_no_test_has_is_noticed():
    (test,) = within("tests/mutants/test_table.py::test_there_are_enough")
    assert chosen(test, "enough and not many") and not chosen(test, "enough and many") and not chosen(test, "not enough")
    assert list(within("tests/mutants/test_table.py::test_there_are_many")) == []


def within(place: str) -> Iterator[str]:
    """The tests in a file or folder, or with a name, each as what an expression may be about: its names, and what parameters it has."""
    path, *names = place.partition("[")[0].split("::")
    files = [ROOT / path] if path.endswith(".py") else sorted((ROOT / path).rglob("test_*.py"))
    for file in files:
        yield from (" ".join([file.name, *test]) for test in found_in(file.read_text()) if set(names) <= set(test))


@cache
def found_in(text: str) -> list[tuple[str, ...]]:
    """The names of a test's classes, its own, and the text of its decorators."""
    return list(_tests(ast.parse(text), ()))


def _tests(within: ast.Module | ast.ClassDef, classes: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for node in within.body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node, (*classes, node.name))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield (*classes, node.name, *map(ast.unparse, node.decorator_list))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in TABLES:
            yield (TABLES[ast.unparse(node.targets[0])],)


def chosen(test: str, expression: str) -> bool:
    """Whether an expression of pytest's -k means this test, at least with some parameters."""
    return not expression or Expression.compile(expression).evaluate(lambda name: name in PARAMETERS or name.lower() in test.lower())
