"""Copies that are changed on their way out: what leaves, what is counted, and what is given up there."""

from __future__ import annotations

import pytest

from clickbpf.compile import check_text
from clickbpf.plan import Options, plan
from clickbpf.testing.equivalence import Twins, arrivals
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root", "clang-19")

#: Names of routers, each with the elements that make copies and with handlers that must have counted something.
ROUTERS = {
    "mirror": (
        """
        FromDevice(in) -> in_count :: Counter -> t :: Tee(3); t[0] -> Queue -> ToDevice(out);
        t[1] -> StoreEtherAddress(2:2:2:2:2:2, src) -> Truncate(100) -> tapped :: Counter -> Queue -> ToDevice(tap);
        t[2] -> Strip(2) -> Queue -> ToDevice(stripped); FromDevice(tap) -> Queue -> ToDevice(out);
        """,
        ["t"],
        ["tapped.count"],
    ),
    # The packet is part of the frame, and the first copy needs what is before it.
    "services": (
        """
        FromDevice(in) -> Truncate(300) -> c :: Classifier(12/0800, -) -> Strip(14) -> CheckIPHeader -> t :: Tee(3); c[1] -> Discard;
        t[0] -> SetIPDSCP(10) -> Unstrip(14) -> Queue -> ToDevice(a);
        t[1] -> ttl :: DecIPTTL -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> sent :: Counter -> Queue -> ToDevice(b);
        ttl[1] -> expired :: Counter -> Discard;
        t[2] -> tcp :: IPClassifier(tcp, -) -> Unstrip(14) -> others :: Queue -> ToDevice(c); tcp[1] -> Truncate(9) -> Discard;
        """,
        ["t"],
        ["sent.count", "expired.count"],
    ),
    # Annotations, header offsets and the time of arrival are the packet's at the Tee; ways don't affect each other.
    "annotations": (
        """
        FromDevice(in) -> Paint(7) -> SetTimestamp -> MarkMACHeader -> MarkIPHeader(14) -> t :: Tee(3);
        t[0] -> cp :: CheckPaint(7) -> Paint(1) -> s :: StoreTimestamp(20) -> Queue -> ToDevice(a); cp[1] -> lost :: Counter -> Discard;
        t[1] -> cq :: CheckPaint(7) -> Strip(14) -> EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(b); cq[1] -> Discard;
        t[2] -> Paint(9) -> seen :: Counter -> Queue -> ToDevice(c);
        """,
        ["t"],
        ["seen.count"],
    ),
    # Short packets are given up in the middle of a way, and so is everything at a counter that has a call to make.
    "given up": (
        """
        FromDevice(in) -> t :: Tee(3); t[0] -> first :: Counter -> Queue -> ToDevice(a);
        t[1] -> before :: Counter -> Strip(70) -> after :: Counter(COUNT_CALL 500 first.reset) -> k :: CheckLength(200)
             -> Pad(40) -> Queue -> ToDevice(b); k[1] -> long :: Counter -> Discard; t[2] -> EtherMirror -> Queue -> ToDevice(c);
        """,
        ["t"],
        ["after.count", "long.count"],
    ),
    # Two elements make copies that leave by the same devices, beside packets that aren't copies.
    "shared": (
        """
        FromDevice(in) -> pt :: Paint(3) -> p :: PaintTee(3) -> Queue -> ToDevice(a);
        p[1] -> EtherMirror -> mirrored :: Counter -> Queue -> ToDevice(back);
        FromDevice(a) -> t :: Tee(3); t[0] -> VLANEncap(5) -> Queue -> ToDevice(in);
        t[1] -> Strip(2) -> Queue -> ToDevice(back); t[2] -> w :: CheckLength(90) -> Queue -> ToDevice(a); w[1] -> Discard;
        FromDevice(back) -> u :: Tee(1) -> Strip(1) -> Queue -> ToDevice(a);
        """,
        ["t"],
        ["mirrored.count"],
    ),
    # A switch with ports that have tags: floods leave them with one.
    "trunk": (
        """
        FromDevice(in) -> s :: EtherSwitch; FromDevice(a) -> [1] s; FromDevice(trunk) -> VLANDecap -> [2] s;
        FromDevice(other) -> VLANDecap -> [3] s; s[3] -> VLANEncap(9) -> Queue -> ToDevice(other);
        s[0] -> Queue -> ToDevice(in); s[1] -> Queue -> ToDevice(a);
        s[2] -> VLANEncap(7) -> tagged :: Counter -> Queue -> ToDevice(trunk);
        """,
        ["s"],
        ["tagged.count"],
    ),
}


@pytest.mark.parametrize("name", ROUTERS)
@pytest.mark.parametrize("mix", [Mix(), Mix(payload=1460, large=30)], ids=["mixed", "long"])
def test_both_executors_do_the_same(name: str, mix: Mix) -> None:
    text, makers, counts = ROUTERS[name]
    with Twins(text, ("native", "tc")) as both:
        made = both.other.compilation.plan
        assert all(any(copies.late for copies in made.copies[maker]) for maker in makers)
        for arrival in arrivals(2400, both.entries, both.titles, 11, mix):
            both.arrive(arrival)
        assert all(int(both.one.read(handler)) for handler in counts), "packets came by all ways"


LIBRARY = Library.standard()


@pytest.mark.parametrize(
    "way, possible",
    [
        ("Strip(1) -> Queue -> ToDevice(b)", True),
        ("Strip(1) -> k :: CheckLength(9) -> Queue -> ToDevice(b); k[1] -> Queue -> ToDevice(c)", False),
        ("Strip(1) -> Queue -> ToDevice(a)", False),
        ("Strip(1) -> Discard", False),
        ("Strip(1) -> Print -> Queue -> ToDevice(b)", False),
        ("Strip(1) -> k :: CheckLength(9) -> Queue -> ToDevice(b); k[1] -> ToHost", False),
        ("Strip(1) -> k :: CheckLength(9) -> Queue -> ToDevice(b); k[1] -> Tee(1) -> Discard", False),
        ("Strip(1) -> TimeRange -> Queue -> ToDevice(b)", False),
        ("Strip(1) -> Pacer(9) -> Queue -> ToDevice(b)", False),
        ("Strip(1) -> n :: Null -> n", False),
        ("Strip(1) -> Null -> c :: Counter -> Queue -> ToDevice(b); Idle -> c", True),
        ("Strip(1) -> " + "CheckIPHeader -> " * 150 + "Queue -> ToDevice(b)", False),
    ],
)
def test_what_a_program_on_the_way_out_can_do(way: str, possible: bool) -> None:
    """It sends by its device or drops; the runtime does what it can't."""
    text = f"""
        FromDevice(in) -> t :: Tee(3); t[0] -> Queue -> ToDevice(a); t[1] -> {way};
        t[2] -> Strip(2) -> two :: CheckLength(99) -> Queue -> ToDevice(d); two[1] -> Queue -> ToDevice(e);
    """
    made = plan(check_text(text, LIBRARY), Options(hook="tc"))
    assert (made.placements["t"].where == "tc") == possible
    assert made.late_devices == (("a", "b") if possible else ())
    for other in (Options(hook="tc", chain=True), Options()):
        assert plan(check_text(text, LIBRARY), other).placements["t"].where == "user", "such programs don't jump, and aren't on XDP"


@pytest.mark.parametrize(
    "shared, possible",
    [
        ("k[1] -> n :: Discard; l[1] -> n", True),
        ("k[1] -> n :: RoundRobinSwitch -> Discard; l[1] -> n; n[1] -> Discard", False),
        ("k[1] -> n :: RoundRobinSwitch -> Discard; n[1] -> Discard; l[1] -> o :: RoundRobinSwitch -> Discard; o[1] -> Discard", True),
    ],
)
def test_copies_share_nothing_that_remembers_their_order(shared: str, possible: bool) -> None:
    text = "FromDevice(in) -> t :: Tee(2); t[0] -> Strip(1) -> k :: CheckLength(9) -> Queue -> ToDevice(a);"
    text += f"t[1] -> Strip(2) -> l :: CheckLength(9) -> Queue -> ToDevice(b); {shared};"
    assert bool(plan(check_text(text, LIBRARY), Options(hook="tc")).late_copies) == possible
