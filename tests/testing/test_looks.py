"""The promise of classes that only look at packets (Element.looks), for every one of the library: copies that leave together with those
that it has seen are what they were, wherever it sends its own, and it gives nothing up that GIVES_UP doesn't say before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clickbpf.testing.equivalence import arrivals, assert_equivalent
from clickbpf.testing.examples import examples
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED, HANDED, SENT
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.element import CHOOSES
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
LOOKING = [name for name in LIBRARY.names() if getattr(LIBRARY.find(name), "looks", None)]
#: Those that can stand at an output of a Tee, but for the edges of the router.
MIDDLE = [name for name in LOOKING if name not in ("ToDevice", "PullNull")]


def branched(name: str) -> str:
    """A router that copies packets, one for a device and one for the class, which sends it to others, one for each output."""
    used = examples(LIBRARY.find(name), LIBRARY)[0]
    ends = "".join(f"x[{port}] -> Queue -> ToDevice(x{port}); " for port in range(used.noutputs))
    start = "FromDevice(in) -> Paint(1) -> MarkIPHeader(14) -> Counter -> t :: Tee(2)"
    return f"{start}; t[0] -> Queue -> ToDevice(out); t[1] -> x :: {used.element}; {ends}"


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", ["bpf", pytest.param("tc", marks=pytest.mark.whole)])
@pytest.mark.parametrize("name", MIDDLE)
def test_its_copy_leaves_with_others(name: str, hook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    assert_equivalent(branched(name), 400, executors=("native", hook))
    with start(branched(name), hook) as router:
        packets = (arrival.packet for arrival in arrivals(100, ("in",), (hook,), 1, Mix()))
        verdicts = {router.run("in", packet)[0] for packet in packets if router.testable(packet)}
    class_ = LIBRARY.find(name)
    assert HANDED not in verdicts or "gives_up" in class_.entries
    assert verdicts & {COPIED, HANDED} or class_.ports.endswith("/0"), "it keeps its copy"
    assert SENT not in verdicts or class_.looks == CHOOSES or class_.ports.endswith("/0")


@pytest.mark.parametrize("name", LOOKING)
def test_what_it_gives_up_it_says_before(name: str) -> None:
    class_ = LIBRARY.find(name)
    text = class_.c_source().read_text()
    assert ("GIVES_UP()" in text) == ("gives_up" in class_.entries)
    assert "gives_up" in class_.entries or not re.search(r"\bPUNT\b", text)
    assert not re.search(r"\bpkt_(pull|push|trim|put|move_start)\(", text), "its copy would end elsewhere"
