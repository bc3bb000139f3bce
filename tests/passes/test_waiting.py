"""Level 3 does without what only matters while packets wait: each case with the graph before and after, and one router by its
packets."""

import pytest

from clickbpf.compile import check_text, optimised
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes import optimise
from clickbpf.plan import plan
from clickbpf.plan.values import USER
from clickbpf.testing.compare import compare_outputs
from clickbpf.testing.executors import start
from clickbpf.testing.packets import generate
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
TWO = "f :: FromDevice(a) -> q :: Queue(7) -> r :: RoundRobinSched; g :: FromDevice(b) -> p :: Queue -> [1] r;"
#: With room for 7 packets and the usual 1000.
ONE = "f :: FromDevice(a) -> q :: Queue(1007); g :: FromDevice(b) -> q;"


def graph(text: str, level: int = 0) -> tuple[dict[str, str], set[str]]:
    """The elements of the router at a level, and its connections as text."""
    router = optimised(check_text(text, LIBRARY), LIBRARY, level).router
    return {e.name: f"{e.class_name}({e.config})" for e in router.elements}, {str(c) for c in router.connections}


CASES = {
    "queues before a device": (f"{TWO} r -> t :: ToDevice(c);", f"{ONE} q -> t :: ToDevice(c);"),
    "with plain elements before the device": (
        f"{TWO} r -> n :: Counter -> i :: Print -> t :: ToDevice(c);",
        f"{ONE} q -> n :: Counter -> i :: Print -> t :: ToDevice(c);",
    ),
    "several ways to one queue": (
        f"{TWO} r -> t :: ToDevice(c); h :: FromDevice(d) -> p;",
        f"{ONE} q -> t :: ToDevice(c); h :: FromDevice(d) -> q;",
    ),
    "all that a queue can have": (
        "f :: FromDevice(a) -> q :: Queue(2147483647) -> r :: RoundRobinSched -> t :: ToDevice(c); g :: FromDevice(b) -> Queue -> [1] r;",
        "f :: FromDevice(a) -> q :: Queue(2147483647) -> t :: ToDevice(c); g :: FromDevice(b) -> q;",
    ),
    "schedulers in a row": (
        f"{TWO} r -> [1] s :: RRSched -> t :: ToDevice(c); h :: FromDevice(d) -> o :: Queue -> [0] s;",
        "h :: FromDevice(d) -> o :: Queue(2007) -> t :: ToDevice(c); f :: FromDevice(a) -> o; g :: FromDevice(b) -> o;",
    ),
    "a queue that is emptied at once": (
        "f :: FromDevice(a) -> Queue -> Unqueue -> c :: Counter -> q :: Queue -> t :: ToDevice(b);",
        "f :: FromDevice(a) -> c :: Counter -> q :: Queue -> t :: ToDevice(b);",
    ),
    "a queue that is emptied at once through others": (
        "f :: FromDevice(a) -> Queue -> c :: Counter -> Unqueue -> d :: Discard;",
        "f :: FromDevice(a) -> c :: Counter -> d :: Discard;",
    ),
    "a queue before a sink": ("f :: FromDevice(a) -> Queue -> d :: Discard;", "f :: FromDevice(a) -> d :: Discard;"),
    "queues that are emptied at once": (
        f"{TWO} r -> Unqueue -> c :: Counter -> d :: Discard;",
        "f :: FromDevice(a) -> c :: Counter -> d :: Discard; g :: FromDevice(b) -> c;",
    ),
}

KEPT = {
    "priorities": f"{TWO.replace('RoundRobin', 'Prio')} r -> ToDevice(c);",
    "tickets": f"{TWO.replace('RoundRobinSched', 'StrideSched(1, 2)')} r -> ToDevice(c);",
    "turns before a shaper": f"{TWO} r -> Shaper(10) -> ToDevice(c);",
    "turns before another decision": f"{TWO} r -> [1] s :: PrioSched -> ToDevice(c); FromDevice(d) -> Queue -> s;",
    "turns before what only user space runs": f"{TWO} r -> TimeRange -> ToDevice(c);",
    "turns before what pulls in its own way": f"{TWO} r -> Bypass -> ToDevice(c);",
    "what can't be pushed to": "FromDevice(a) -> Queue -> PullNull -> Unqueue -> Discard;",
    "turns of a queue of another class": f"{TWO.replace('Queue(7)', 'FrontDropQueue(7)')} r -> ToDevice(c);",
    "packets that a queue has no room for": f"{TWO} r -> ToDevice(c); q[1] -> Discard;",
    "turns between packets of a device and of a source": f"{TWO} r -> ToDevice(c); InfiniteSource -> p;",
    "a named queue": f"{TWO} r -> ToDevice(c); Script(print q.length);",
    "a named scheduler": f"{TWO} r -> ToDevice(c); Script(print r.class);",
    "a queue named in a compound": "elementclass W { input -> q :: Queue -> Unqueue -> output; Script(print q.length) }"
    " FromDevice(a) -> W -> Discard;",
    "a named sink": "FromDevice(a) -> Queue -> d :: Discard; Script(write d.active false);",
    "turns before a named Unqueue": f"{TWO} r -> u :: Unqueue -> Discard; Script(write u.active false);",
    "a queue that is watched": "FromDevice(a) -> RED(1, 5, 0.1) -> Counter -> Queue -> Discard;",
    "turns of a queue that is watched": f"{TWO} r -> ToDevice(c); FromDevice(d) -> RED(1, 5, 0.1) -> p;",
    "a thread": "FromDevice(a) -> Queue -> u :: Unqueue -> Discard; StaticThreadSched(u 0);",
    "an Unqueue that waits": "FromDevice(a) -> Queue -> Unqueue(ACTIVE false) -> Discard;",
    "an Unqueue that stops": "FromDevice(a) -> Queue -> Unqueue(LIMIT 3) -> Discard;",
    "an Unqueue that never pulls": "FromDevice(a) -> Queue -> Unqueue(BURST 0) -> Discard;",
    "a sink that waits": "FromDevice(a) -> Queue -> Discard(ACTIVE false);",
    "a source that a full queue holds up": "InfiniteSource -> Queue -> Unqueue -> Discard;",
    "a loop": "FromDevice(a) -> l :: Paint(1) -> c :: CheckPaint(2) -> Discard; c[1] -> Queue -> Unqueue -> l;",
    "a queue that two pull from": "FromDevice(a) -> q :: Queue -> Discard; q -> Unqueue -> Discard;",
}


@pytest.mark.parametrize("before, after", CASES.values(), ids=CASES)
def test_what_goes(before, after):
    assert graph(before, 3) == graph(after)
    assert graph(before, 2) == graph(before)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_stays(text):
    assert graph(text, 3) == graph(text)


#: A bump in the wire as it is found in the wild: ARP passes, IP is checked, and turns join the two again.
BUMP = """
from :: FromDevice(eth0) -> c :: Classifier(12/0806, 12/0800, -);
to :: ToDevice(eth1);
turns :: RoundRobinSched;
c[0] -> arp :: Counter -> Queue -> [0] turns;
c[1] -> Strip(14) -> ok :: CheckIPHeader -> Unstrip(14) -> Queue -> [1] turns;
c[2] -> Discard;
turns -> Unqueue -> c2 :: Classifier(12/0806, -);
c2[0] -> Queue -> [0] last :: RoundRobinSched; c2[1] -> ip :: Counter -> Queue -> [1] last;
last -> to;
"""


def test_the_whole_router_is_in_the_kernel_then():
    checked = check_text(BUMP, LIBRARY)
    placed = {level: plan(optimised(checked, LIBRARY, level)).placements for level in (2, 3)}
    assert placed[2]["ip"].where == USER
    assert not [name for name, placement in placed[3].items() if placement.where == USER]


@pytest.mark.needs("root")
def test_packets_that_need_not_wait_leave_as_before():
    checked = check_text(BUMP, LIBRARY)
    packets = generate(2000, seed=5)
    plain = start(BUMP, "native", simtime=1)
    less = start(unparse_router(optimise(checked.router, LIBRARY, 3)), "bpf", simtime=1)
    try:
        for number, packet in enumerate(packets):
            differs = compare_outputs(plain.send("eth0", packet), less.send("eth0", packet), ("before", "after"))
            assert differs is None, f"packet {number}: {differs}"
        counts = [[executor.read(f"{name}.count") for name in ("arp", "ip", "to")] for executor in (plain, less)]
        assert counts[0] == counts[1] and all(map(int, counts[0]))
    finally:
        plain.close()
        less.close()
