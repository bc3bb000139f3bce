"""A moment of the fuzzer that compares what `check`, `run` and `load` refuse, each time with the same routers."""

import pytest
from tests.fuzz import refusals

from clickbpf.graph import check as checking


@pytest.mark.whole
def test_commands_refuse_the_same():
    findings = refusals.run(60, 3, initialise=False)
    assert findings.differences == []
    assert findings.taken > 10 and findings.refused > 10, "some of both"


@pytest.mark.needs("clang-19")
def test_what_check_takes_can_be_initialised():
    findings = refusals.run(12, 4)
    assert findings.differences == [] and findings.initialised


@pytest.mark.needs("clang-19")
def test_a_check_that_is_missing_is_noticed(monkeypatch):
    """Two elements that receive from one device are one too many for what is made of the router."""
    twice = "FromDevice(eth0) -> Discard; FromDevice(eth0) -> Discard;"
    before = refusals.compare([twice])
    assert (before.refused, before.differences) == (1, [])
    monkeypatch.setattr(checking, "check_devices", lambda *_: None)
    assert refusals.compare([twice]).differences
