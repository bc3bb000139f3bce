"""What copies are that leave together: each as its own way has made it, and of the packet as it was at the Tee."""

from __future__ import annotations

import pytest

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED

pytestmark = pytest.mark.needs("root", "clang-19")

HOOKS = pytest.mark.parametrize("hook", ["bpf", "tc"])
#: The first way's paint, and its idea of where headers are, are none of the second one's.
APART = """
FromDevice(in) -> Paint(0) -> {} t :: Tee(2);
t[0] -> Paint(1) -> MarkIPHeader(14) -> Queue -> ToDevice(a);
t[1] -> cp :: CheckPaint(1) -> Queue -> ToDevice(c); cp[1] -> Queue -> ToDevice(b);
"""


@HOOKS
@pytest.mark.parametrize("before", ["", "Strip(4) ->", "Truncate(70) ->", "Strip(4) -> Truncate(70) ->"])
def test_ways_of_copies_are_apart(before: str, hook: str) -> None:
    """And what was taken off the packet before is off all of them."""
    text, packet = APART.format(before), bytes(range(100))
    assert_equivalent(text, 200, executors=("native", hook))
    with start(text, hook) as router:
        assert router.run("in", packet)[0] == COPIED
        whole = packet[4:] if "Strip" in before else packet
        whole = whole[:70] if "Truncate" in before else whole
        assert {(output.device, output.data) for output in router.send("in", packet)} == {("a", whole), ("b", whole)}
