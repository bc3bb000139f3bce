"""The promise of the kernel path, for every class of the library that has a part in it, as its manual page uses it.

Both executors do the same to a packet. The classes' own tests say more; here none is forgotten.
"""

import os
from collections.abc import Sequence

import pytest

from clickbpf.testing.equivalence import arrivals, assert_equivalent
from clickbpf.testing.examples import INDEFINITE, Example, examples
from clickbpf.testing.executors import start
from clickbpf.testing.packets import IPV6, Mix
from clickbpf.testing.single import Surroundings
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source
from clickbpf.vocabulary.traits import READS_OTHERS

pytestmark = pytest.mark.needs("root", "clang-19")

LIBRARY = Library.standard()
#: Classes at the router's edge, which every other configuration here has.
EDGES = {"FromDevice", "FromHost", "ToDevice", "ToHost"}
CLASSES = [name for name in LIBRARY.names() if "xdp" in LIBRARY.find(name).runs and name not in EDGES]


def example(name: str) -> Example:
    """The first example of a class's manual page."""
    found = examples(LIBRARY.find(name), LIBRARY)
    assert found, f"the manual page of {name} has no example that is a configuration"
    return found[0]


DEFINITE = [name for name in CLASSES if name not in INDEFINITE]
#: Classes that come after a queue, or read the state of other elements: the whole of their example is compared.
WHOLE = [name for name in DEFINITE if LIBRARY.find(name).processing.startswith("l") or READS_OTHERS in LIBRARY.find(name).traits]
PUSHING = [name for name in DEFINITE if name not in WHOLE]
#: Classes that are tested beside each other in one router, which costs one compilation.
BESIDE = 16


def is_ip6(name: str) -> bool:
    return c_source(LIBRARY.find(name)).parent.name == "ip6"


def traffic(name: str, headers: str) -> tuple[str, Mix]:
    """How packets reach a class, and what they are: for classes of IPv6, IPv6 with its headers marked."""
    return (headers.replace("ip-", "ip6-"), IPV6) if is_ip6(name) else (headers, Mix())


BATCHES = [
    alike[first : first + BESIDE]
    for alike in ([name for name in PUSHING if not is_ip6(name)], [name for name in PUSHING if is_ip6(name)])
    for first in range(0, len(alike), BESIDE)
]
#: A header that is marked, in a whole frame, is something for classes of both; checks in front of each class would double the programs.
MARKED = "ip-in-ethernet"
#: How packets reach classes, whether they are recorded, and the hook; then the same with the runtime's part compiled as for users.
SURROUNDINGS = [
    ((MARKED, False, "bpf"), ("ip-checked", True, "tc")),
    ((MARKED, True, "tc"), ("ethernet", False, "bpf")),
    ((MARKED, False, "tc"), ("ip-checked", True, "bpf")),
    ((MARKED, True, "bpf"), ("ethernet", False, "tc")),
]


def surrounded() -> list:
    """Each batch in one of SURROUNDINGS in its turn."""
    turns = [(names, *SURROUNDINGS[number % len(SURROUNDINGS)]) for number, names in enumerate(BATCHES)]
    quick = [pytest.param(names, *first) for names, first, _ in turns]
    return quick + [pytest.param(names, *second, marks=pytest.mark.whole) for names, _, second in turns]


def compiled_anyway() -> list:
    """The batches; `make test` has those whose router it compiles for the test above, too."""
    return [pytest.param(names, marks=pytest.mark.whole if n % len(SURROUNDINGS) else ()) for n, names in enumerate(BATCHES)]


def beside(names: Sequence[str], headers: str, record: bool) -> str:
    """A router of elements that have nothing to do with each other: each in a compound, with devices of its own, named after it."""
    made = ((name, example(name)) for name in names)
    return "".join(Surroundings(one.element, one.ninputs, one.noutputs, headers).compound(f"its_{name}", record) for name, one in made)


@pytest.mark.parametrize("names, headers, record, hook", surrounded(), ids=str)
def test_executors_agree(names: list[str], headers: str, record: bool, hook: str) -> None:
    headers, mix = traffic(names[0], headers)
    assert_equivalent(beside(names, headers, record), 400 * len(names), patience=3, mix=mix, executors=("native", hook))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one CPU only")
@pytest.mark.parametrize("names", compiled_anyway(), ids=lambda names: f"{names[0]} to {names[-1]}")
def test_a_cpu_counts_in_its_own_slot(names: list[str]) -> None:
    """Whatever the kernel path leaves in a CPU's slot when it runs there, it leaves in another's on another, and nothing elsewhere."""
    headers, mix = traffic(names[0], MARKED)
    here, there = sorted(os.sched_getaffinity(0))[-2:]
    text = beside(names, headers, False)
    with start(text, "bpf", simtime=True) as one, start(text, "bpf", simtime=True) as other:
        one.cpu, other.cpu = here, there
        for arrival in arrivals(60 * len(names), one.entries, ("bpf",), 0, mix):
            assert one.send(arrival.device, arrival.packet) == other.send(arrival.device, arrival.packet)
        nothing = {name: bytes(len(value)) for name, value in one.values(here).items()}
        assert one.values(here) != nothing
        assert one.values(here) == other.values(there)
        assert one.values(there) == other.values(here) == nothing


@pytest.mark.parametrize("hook", ["bpf", pytest.param("tc", marks=pytest.mark.whole)])
@pytest.mark.parametrize("name", WHOLE)
def test_executors_agree_on_the_example(name: str, hook: str) -> None:
    assert_equivalent(example(name).configuration, 400, patience=1, executors=("native", hook))


def test_what_runs_in_user_space_sees_the_time_at_which_packets_arrive() -> None:
    """Classes that measure time, whose packets the kernel path hands over."""
    assert_equivalent(
        "FromDevice(in) -> c :: Counter -> a :: AverageCounter -> Strip(14) -> CheckIPHeader -> w :: IPReassembler"
        "-> m :: Meter(20, 60) -> rates :: IPRateMonitor(PACKETS, 0, 1) -> s :: RatedSplitter(50)"
        "-> q :: Queue -> d :: DelayShaper(0.2) -> r :: RatedUnqueue(30) -> sink :: Queue -> ToDevice(out);"
        "m[1] -> m1 :: Counter -> b :: BandwidthMeter(400Bps) -> Discard; m[2] -> m2 :: Counter -> Discard;"
        "b[1] -> b1 :: Counter -> Discard; s[1] -> s1 :: Counter -> Discard",
        1500,
    )
