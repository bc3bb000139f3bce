"""Graphs that don't fit one program are cut, the kernel takes the pieces, and the router does the same as ever."""

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.library import Library
from clickbpf.plan import Options
from clickbpf.testing.equivalence import assert_equivalent

pytestmark = pytest.mark.needs("root")

FRAMES = 300


def line(length: int) -> str:
    """A line of elements between two devices."""
    return f"FromDevice(eth0) -> {' -> '.join(['Strip(1) -> Unstrip(1)'] * length)} -> Queue -> ToDevice(eth1);"


def diamonds(count: int) -> str:
    """Each frame takes one side of every diamond, by a bit of its source address: 2^count ways through one graph."""
    text = "FromDevice(eth0) -> c0 :: Classifier(6/00%01, -);\n"
    for i in range(count):
        following = f"c{i + 1} :: Classifier({6 + (i + 1) % 6}/00%{1 << (i + 1) // 6:02x}, -)" if i + 1 < count else "end :: Null"
        text += f"c{i}[0] -> l{i} :: Counter -> {following}; c{i}[1] -> r{i} :: Counter -> {following.split(' ::')[0]};\n"
    return text + "end -> Queue -> ToDevice(eth1);"


#: Every turn takes one from the TTL, so a packet turns up to 254 times: more often than the kernel follows tail calls.
LOOP = """
FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> turn :: DecIPTTL -> turns :: Counter -> turn;
turn[1] -> Unstrip(14) -> Queue -> ToDevice(eth1);
"""

#: Four hundred outputs that meet again at once: they share one copy of what follows.
FAN = (
    "FromDevice(eth0) -> s :: RoundRobinSwitch; n :: Null -> Queue -> ToDevice(eth1);"
    f"s[0-399] => {', '.join(['n'] * 400)};"
)


@pytest.mark.parametrize(
    "text, options, cut",
    [(line(60), {"program_limit": 700}, True), (diamonds(14), {}, True), (LOOP, {}, True), (FAN, {}, False)],
    ids=["line", "diamonds", "loop", "fan"],
)
def test_large_graphs_load_and_agree(text, options, cut):
    compilation = Compilation.of(check_text(text, Library.standard()), Options(**options))
    assert bool(compilation.plan.jumps) == cut
    assert_equivalent(text, FRAMES, **options)


def test_chain_agrees():
    """Every element in a program of its own: what fused paths know at compile time crosses each cut."""
    assert_equivalent(line(8), FRAMES, chain=True)
    assert len(Compilation.of(check_text(line(8), Library.standard()), Options(chain=True)).plan.programs) == 19
