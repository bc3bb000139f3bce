"""The promise of classes that only look at packets (the traits PASSES and CHOOSES), for every one of the library: copies that leave
together with those that it has seen are what they were, wherever it sends its own, and it gives nothing up that GIVES_UP doesn't say
before."""

import re
from pathlib import Path

import pytest

from clickbpf.testing.equivalence import arrivals, assert_equivalent
from clickbpf.testing.examples import examples
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED, HANDED, SENT
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source
from clickbpf.vocabulary.traits import CHOOSES, LOOKS

LIBRARY = Library.standard()
LOOKING = [name for name in LIBRARY.names() if LIBRARY.find(name).traits & LOOKS]
#: Those that can stand at an output of a Tee, but for the edges of the router.
MIDDLE = [name for name in LOOKING if name not in ("ToDevice", "PullNull")]


#: Classes that are tried beside each other in one router, which is compiled once.
BESIDE = 7
BATCHES = [MIDDLE[first : first + BESIDE] for first in range(0, len(MIDDLE), BESIDE)]


def branched(name: str) -> str:
    """Copies packets, one for a device and one for the class, which sends it to others, one for each output."""
    used = examples(LIBRARY.find(name), LIBRARY)[0]
    ends = "".join(f"x[{port}] -> Queue -> ToDevice({name}_x{port}); " for port in range(used.noutputs))
    start = f"FromDevice({name}) -> Paint(1) -> MarkIPHeader(14) -> Counter -> t :: Tee(2)"
    return f"its_{name} :: {{ {start}; t[0] -> Queue -> ToDevice({name}_out); t[1] -> x :: {used.element}; {ends} }};\n"


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", ["bpf", pytest.param("tc", marks=pytest.mark.whole)])
@pytest.mark.parametrize(
    "names",
    [BATCHES[0], *(pytest.param(batch, marks=pytest.mark.whole) for batch in BATCHES[1:])],
    ids=lambda names: f"{names[0]} to {names[-1]}",
)
def test_their_copies_leave_with_others(names: list[str], hook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    text = "".join(map(branched, names))
    assert_equivalent(text, 400 * len(names), executors=("native", hook))
    with start(text, hook, simtime=True) as router:
        packets = [arrival.packet for arrival in arrivals(100, names, (hook,), 1, Mix()) if router.testable(arrival.packet)]
        for name in names:
            assert_copies_stay(name, {router.run(name, packet)[0] for packet in packets})


def assert_copies_stay(name: str, verdicts: set[int]) -> None:
    class_ = LIBRARY.find(name)
    assert HANDED not in verdicts or "gives_up" in class_.entries, name
    assert verdicts & {COPIED, HANDED} or class_.ports.endswith("/0"), f"{name} keeps its copy"
    assert SENT not in verdicts or CHOOSES in class_.traits or class_.ports.endswith("/0"), name


@pytest.mark.parametrize("name", [name for name in LOOKING if name != "ToHostSniffers"])  # its file is ToHost's, which looks at nothing
def test_what_it_gives_up_it_says_before(name: str) -> None:
    class_ = LIBRARY.find(name)
    text = c_source(class_).read_text()
    assert ("GIVES_UP()" in text) == ("gives_up" in class_.entries)
    assert "gives_up" in class_.entries or not re.search(r"\bPUNT\b", text)
    assert not re.search(r"\bpkt_(pull|push|trim|put|move_start)\(", text), "its copy would end elsewhere"
