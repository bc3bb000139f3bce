"""What tests of elements share."""

from __future__ import annotations

import pytest
from tests.elements.merging import Merged

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library


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
