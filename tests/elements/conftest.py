"""What tests of elements share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from tests.elements.merging import Merged
from tests.elements.trials import Trial, assert_trials_hold

from clickbpf.compile import check_text
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.testing.cases import Case, assert_cases_agree
from clickbpf.vocabulary.library import Library


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: Any) -> list[pytest.Item] | None:
    """Tables in a file are tests: CASES = [Case("Paint(3)"), ...] that both executors do the same in each, for each hook that they name;
    TRIALS, that packets become what they say (trials.py); MISTAKES = {"Paint(-1)": "is not an integer"}, that such elements and
    configurations are refused, and what is said about them: a part of it, or, in a list, all of the messages."""
    if name == "CASES":
        return [_agreement(collector, obj, hook) for hook in dict.fromkeys(hook for case in obj for hook in case.hooks)]
    if name == "TRIALS":
        collector.obj.test_trials = _trials(obj)
        return list(collector._genfunctions("test_trials", collector.obj.test_trials))
    if name == "MISTAKES":
        return [pytest.Function.from_parent(collector, name="test_mistakes_are_reported", callobj=lambda: _assert_refused(obj))]
    return None


def _trials(trials: Mapping[str, Trial | Iterable[Trial]]):
    def test_trials(router) -> None:
        assert_trials_hold(trials, router)

    return test_trials


def _agreement(collector: pytest.Collector, cases: Sequence[Case], hook: str) -> pytest.Item:
    def executors_agree() -> None:
        assert_cases_agree(cases, hook)

    item = pytest.Function.from_parent(collector, name=f"test_executors_agree_on_cases[{hook}]", callobj=executors_agree)
    item.add_marker(pytest.mark.needs("root", "clang-19"))
    return item


@pytest.fixture
def refused():
    """refused("Switch(7)", outputs=2) is what is said about an element with wrong arguments: the messages, line by line."""
    return lambda element, outputs=1: refusal(around(element, outputs))


@pytest.fixture
def refused_router():
    """The same for a whole configuration."""
    return refusal


@pytest.fixture
def started(element):
    """started(Trial("Paint(3)")) is the element in a router of its own."""
    return lambda trial: element(**trial.surroundings, simtime=True)


@pytest.fixture
def printed(element, capfd):
    """printed("Print(ok)", FRAME) are the lines that the element prints of a packet, which passes; with `before`, as for `element`, that
    may have changed it."""

    def lines(text: str, packet: Any, **options: Any) -> list[str]:
        x = element(text, **options)
        capfd.readouterr()
        x.gives(packet, None if "before" in options else packet)
        return capfd.readouterr().err.splitlines()

    return lines


@pytest.fixture
def merged(router):
    """merged("PrioSched", 2) is a scheduler between queues that a test fills and a task that it lets pull."""
    return lambda scheduler, inputs, **options: Merged(router, scheduler, inputs, **options)


def around(element: str, outputs: int = 1) -> str:
    """A configuration with an element that has so many outputs."""
    return f"x :: {element}; Idle -> x; {''.join(f'x[{port}] -> Discard;' for port in range(outputs))}"


def _assert_refused(table: Mapping[str | tuple[str, int], str | list[str]]) -> None:
    """Each element, which may be given with its number of outputs, or configuration is refused, with these messages, or with a message
    or a hint of which this is a part."""
    for given, said in table.items():
        text, outputs = (given, 1) if isinstance(given, str) else given
        found = mistakes(text if "->" in text or ";" in text else around(text, outputs))
        if isinstance(said, list):
            assert [line for each in found for line in each.message.splitlines()] == said, text
        else:
            assert said in "\n".join(f"{each.message}\n{each.hint}" for each in found), text


def refusal(configuration: str) -> str:
    return "\n".join(each.message for each in mistakes(configuration))


def mistakes(configuration: str) -> list[Diagnostic]:
    with pytest.raises(ClickError) as error:
        check_text(configuration, Library.standard())
    return [each for each in error.value.diagnostics if each.severity == "error"]
