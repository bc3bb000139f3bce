"""What tests of elements share."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.elements.merging import Merged

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case, assert_cases_agree
from clickbpf.vocabulary.library import Library


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: Any) -> list[pytest.Item] | None:
    """CASES = [Case("Paint(3)"), ...] in a file is a test that both executors do the same in each, for each hook that they name."""
    if name != "CASES":
        return None
    return [_agreement(collector, obj, hook) for hook in dict.fromkeys(hook for case in obj for hook in case.hooks)]


def _agreement(collector: pytest.Collector, cases: Sequence[Case], hook: str) -> pytest.Item:
    def executors_agree() -> None:
        assert_cases_agree(cases, hook)

    item = pytest.Function.from_parent(collector, name=f"test_executors_agree_on_cases[{hook}]", callobj=executors_agree)
    item.add_marker(pytest.mark.needs("root", "clang-19"))
    return item


@pytest.fixture
def refused():
    """refused("Switch(7)", outputs=2) is what is said about an element with wrong arguments: the messages, line by line."""

    def mistakes(element: str, outputs: int = 1) -> str:
        ends = "".join(f"x[{port}] -> Discard;" for port in range(outputs))
        return refusal(f"x :: {element}; Idle -> x; {ends}")

    return mistakes


@pytest.fixture
def refused_router():
    """The same for a whole configuration."""
    return refusal


@pytest.fixture
def merged(router):
    """merged("PrioSched", 2) is a scheduler between queues that a test fills and a task that it lets pull."""
    return lambda scheduler, inputs, **options: Merged(router, scheduler, inputs, **options)


def refusal(configuration: str) -> str:
    with pytest.raises(ClickError) as error:
        check_text(configuration, Library.standard())
    return "\n".join(d.message for d in error.value.diagnostics if d.severity == "error")
