"""Rates of connections, from what elements count."""

from clickbpf.compile import Compilation, check_text
from clickbpf.observe.flows import Flow, Flows, counts_packets, is_of_packets, of_router
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
SPLIT = "f :: FromDevice(eth0) -> c :: Classifier(12/0800, 12/0806, -);"


def rates(text: str, counted: dict[str, float], dropped: dict[str, float] | None = None) -> dict[tuple[str, str], Flow]:
    """By the names of both ends."""
    checked = check_text(text, LIBRARY)
    found = of_router(Compilation(checked).plan).rates(counted, dropped or {})
    return {(c.source.element, c.target.element): found[n] for n, c in enumerate(checked.router.connections) if n in found}


def test_a_table_s_entries_are_no_packets():
    assert [name for name in ("Counter", "ToDevice", "ARPQuerier", "ARPTable", "Queue") if is_of_packets(LIBRARY.find(name))] == [
        "Counter", "ToDevice"
    ]  # fmt: skip


def test_a_line_carries_what_is_counted_anywhere_on_it():
    found = rates("f :: FromDevice(eth0) -> n :: Null -> c :: Counter -> m :: Null -> d :: Discard", {"c": 1000})
    assert {ends: (flow.rate, flow.counted) for ends, flow in found.items()} == {
        ("f", "n"): (1000, False),
        ("n", "c"): (1000, True),
        ("c", "m"): (1000, False),
        ("m", "d"): (1000, False),
    }


def test_what_was_dropped_does_not_come_out():
    found = rates("f :: FromDevice(eth0) -> s :: Strip(14) -> k :: CheckIPHeader -> n :: Null -> d :: Discard", {"f": 1000}, {"k": 400})
    assert found["s", "k"].rate == 1000 and found["k", "n"].rate == 600


def test_what_can_not_be_known_is_not_said():
    text = f"{SPLIT} c[0] -> a :: Null -> d :: Discard; c[1] -> b :: Null -> d; c[2] -> d"
    assert set(rates(text, {"f": 1000})) == {("f", "c")}


def test_copies_and_queues_carry_what_they_like():
    assert set(rates("f :: FromDevice(eth0) -> t :: Tee -> a :: Null -> d :: Discard; t[1] -> d", {"f": 9})) == {("f", "t")}
    assert set(rates("f :: FromDevice(eth0) -> q :: Queue -> u :: Unqueue -> d :: Discard", {"f": 9})) == {("f", "q")}


QUEUE = "f :: FromDevice(eth0) -> n :: Null -> q :: Queue -> u :: Unqueue -> m :: Null -> d :: Discard"


def test_who_counts_in_user_space_lets_as_much_out():
    assert rates(QUEUE, {"u": 500})["m", "d"].rate == 500


def test_bytes_and_samples_are_no_packets():
    instances = check_text("Idle -> a :: AggregateCounter(BYTES true) -> t :: Counter -> Discard;", LIBRARY).instances
    assert [counts_packets(instances[name]) for name in "at"] == [False, True]


def test_a_queue_in_whose_place_a_ring_is_keeps_nothing():
    found = rates("f :: FromDevice(eth0) -> n :: Null -> q :: Queue -> d :: ToDevice(eth1)", {"d": 9})
    assert {flow.rate for flow in found.values()} == {9} and len(found) == 3


def test_counts_that_contradict_each_other_end_in_numbers():
    """Elements aren't looked at in the same moment."""
    found = rates("f :: FromDevice(eth0) -> a :: Counter -> n :: Null -> b :: Counter -> d :: Discard", {"a": 1000, "b": 900, "d": 1100})
    assert all(0 <= flow.rate <= 1100 for flow in found.values())


def test_circles_come_to_an_end():
    """Both directions of a circle are passed on once."""
    flows = Flows([("a", "b"), ("b", "a"), ("s", "d")], {"a", "b"})
    assert flows.rates({"a": 100}, {}) == {1: Flow(100, True), 0: Flow(100, False)}


def test_which_counts_are_of_packets():
    line = "f :: FromDevice(eth0) -> c :: Counter -> q :: ARPQuerier(1.2.3.4, 2:0:0:0:0:1) -> Queue -> u :: Unqueue -> d :: Discard;"
    instances = check_text(f"{line} Idle -> [1] q", LIBRARY).instances
    assert {name for name, instance in instances.items() if counts_packets(instance)} == {"f", "c", "u", "d"}
