"""PullTee: who pulls output 0 sends copies to the others."""

import pytest
from tests.axes import axis

from clickbpf.testing.equivalence import Twins, arrivals
from clickbpf.testing.packets import Mix

FRAME = bytes(range(64))

#: The kernel path elides the queues, and gives up packets on the way that a counter's limit is for.
MIRRORED = """
FromDevice(in) -> q :: Queue -> s :: CheckLength(100) -> t :: PullTee(3) -> after :: Counter -> ToDevice(out);
s[1] -> long :: Counter -> EtherMirror -> Queue -> ToDevice(aside);
t[1] -> Queue -> c :: Counter(COUNT_CALL 700 long.reset) -> ToDevice(mirror);
t[2] -> Classifier(12/0800) -> Print(seen, 20) -> Discard;
"""


def test_pulled_packets_are_pushed_too(router):
    r = router(
        """
        FromDevice(eth0) -> Queue -> t :: PullTee(3) -> ToDevice(eth1);
        t[1] -> Queue -> ToDevice(eth2);
        t[2] -> Strip(1) -> Queue -> ToDevice(eth3);
        """
    )
    r.send("eth0", FRAME)
    for device, packet in (("eth1", FRAME), ("eth2", FRAME), ("eth3", FRAME[1:])):
        r.expect(device, packet)
    r.expect_nothing()


def test_nothing_is_copied_before_it_is_pulled(router):
    r = router("FromDevice(eth0) -> q :: Queue -> t :: PullTee -> d :: Discard(ACTIVE false); t[1] -> c :: Counter -> Discard;")
    r.send("eth0", FRAME)
    assert (r.read("q.length"), r.read("c.count")) == ("1", "0")


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_the_kernel_path_makes_no_difference(hook):
    with Twins(MIRRORED, ("native", hook), printed=True, ignore_handlers=("q.*",)) as both:
        assert both.other.compilation.plan.placements["t"].where != "user"
        for arrival in arrivals(2000, both.entries, both.titles, 2, Mix()):
            both.arrive(arrival)


MISTAKES = {"Idle -> t :: PullTee(3) -> Discard; t[1] -> Discard;": ["PullTee: output 2 is not connected: N is 3"]}
