"""What copies are that leave together: each as its own way has made it, and of the packet as it was at the Tee."""

import pytest
from tests.axes import axis

from clickbpf.testing.equivalence import Twins, arrivals, assert_equivalent
from clickbpf.testing.executors import start
from clickbpf.testing.executors.bpf import COPIED
from clickbpf.testing.packets import Mix

pytestmark = pytest.mark.needs("root", "clang-19")

HOOKS = pytest.mark.parametrize("hook", axis("bpf", "tc"))
#: The first copy's paint and header offsets don't affect the second one's.
APART = """
FromDevice(in) -> Paint(0) -> {} t :: Tee(2);
t[0] -> Paint(1) -> MarkIPHeader(14) -> Queue -> ToDevice(a);
t[1] -> cp :: CheckPaint(1) -> Queue -> ToDevice(c); cp[1] -> Queue -> ToDevice(b);
"""


@HOOKS
@pytest.mark.parametrize("before", ["", "Strip(4) ->", "Truncate(70) ->", "Strip(4) -> Truncate(70) ->"])
def test_ways_of_copies_are_apart(before: str, hook: str) -> None:
    """And bytes removed from the packet before are missing from all of them."""
    text, packet = APART.format(before), bytes(range(100))
    assert_equivalent(text, 200, executors=("native", hook))
    with start(text, hook) as router:
        assert router.run("in", packet)[0] == COPIED
        whole = packet[4:] if "Strip" in before else packet
        whole = whole[:70] if "Truncate" in before else whole
        assert {(output.device, output.data) for output in router.send("in", packet)} == {("a", whole), ("b", whole)}


@HOOKS
def test_copies_that_one_gives_up_are_all_made_in_the_runtime(hook: str) -> None:
    """So the kernel path asks before it makes any: the first copy would be counted twice."""
    text = "FromDevice(in) -> t :: Tee(2); t[0] -> c :: Counter -> Queue -> ToDevice(a); t[1] -> MarkIPHeader(-1) -> Queue -> ToDevice(b);"
    with start(text, hook) as router:
        assert {output.device for output in router.send("in", bytes(60))} == {"a", "b"}
        assert router.read("c.count") == "1"


#: The packet goes on changed, by the first or the last output; the other ways look at what it was.
BESIDE = (
    """
FromDevice(in) -> before :: Counter -> t :: Tee(3);
t[0] -> Strip(14) -> MarkIPHeader -> SetIPDSCP(10) -> Truncate(60) -> e :: Counter -> Unstrip(14) -> Queue -> ToDevice(out);
t[1] -> c :: Classifier(12/0800, -) -> Paint(1) -> Print(one, 40) -> Discard; c[1] -> others :: Counter -> Discard;
t[2] -> s :: CheckLength(90) -> ToHostSniffers(in); s[1] -> Print(three, 4) -> long :: Counter -> Discard;
""",
    """
FromDevice(in) -> Paint(3) -> pt :: PaintTee(3) -> EtherMirror -> Queue -> ToDevice(back);
pt[1] -> seen :: Counter -> Print(seen, 70) -> Discard;
FromDevice(also) -> Strip(2) -> t :: Tee(2); t[0] -> Print(two, 20) -> first :: Counter -> Discard;
t[1] -> Print(on, 20) -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> k :: CheckLength(70) -> Queue -> ToDevice(out);
k[1] -> Print(long, 20) -> SetTimestamp -> Print(still, 20) -> TimeRange -> Discard;
""",
)


@HOOKS
@pytest.mark.parametrize("text", BESIDE)
def test_a_packet_goes_on_changed(text: str, hook: str) -> None:
    with Twins(text, ("native", hook), printed=True) as both:
        assert both.other.compilation.plan.copies["t"][0].goes_on is not None
        for arrival in arrivals(2000, both.entries, both.titles, 5, Mix()):
            both.arrive(arrival)


@HOOKS
def test_what_must_be_given_up_beside_a_copy_is_given_up_whole(hook: str) -> None:
    """A counter that reaches its limit is the runtime's: none of the ways has counted the packet before."""
    text = """
        FromDevice(in) -> t :: Tee(3); t[0] -> a :: Counter -> Discard;
        t[1] -> b :: Counter(COUNT_CALL 3 a.reset) -> Discard; t[2] -> EtherMirror -> c :: Counter -> Queue -> ToDevice(out);
    """
    with Twins(text, ("native", hook)) as both:
        for number in range(5):
            both.send("in", bytes(range(60)))
            assert both.other.read("c.count") == str(number + 1)
        assert both.other.read("a.count") == "2"


#: On TC clones leave before the packet is changed, by either of two outputs.
LEAVING = """
FromDevice(in) -> before :: StoreEtherAddress(2:2:2:2:2:2, src) -> t :: Tee(4);
t[0] -> a :: Counter -> Queue -> ToDevice(a);
t[1] -> Strip(14) -> MarkIPHeader -> SetIPDSCP(10) -> Truncate(60) -> e :: Counter -> Unstrip(14) -> k :: CheckLength(70);
k[0] -> Queue -> ToDevice(out); k[1] -> SetTimestamp -> TimeRange -> Queue -> ToDevice(late);
t[2] -> c :: Classifier(12/0800, -) -> Queue -> ToDevice(b); c[1] -> Queue -> ToDevice(c);
t[3] -> l :: Counter(COUNT_CALL 900 a.reset) -> Print(seen, 30) -> Discard;
FromDevice(stripped) -> Strip(2) -> s :: Tee(2); s[0] -> n :: Counter -> Queue -> ToDevice(n);
s[1] -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(m);
"""


def test_clones_leave_before_a_packet_is_changed() -> None:
    with Twins(LEAVING, ("native", "tc"), printed=True) as both:
        plan = both.other.compilation.plan
        assert (plan.copies["t"][0].goes_on, plan.copies["s"][0].goes_on) == (1, 1)
        for arrival in arrivals(2400, both.entries, both.titles, 7, Mix()):
            both.arrive(arrival)
        assert all(int(both.one.read(handler)) for handler in ("e.count", "n.count", "l.count")), "packets came by all ways"
