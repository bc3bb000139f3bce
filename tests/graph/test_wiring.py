"""How packets run through a router: cycles of push connections, which tasks wait for which elements, and where a packet given up
on a pull path can go."""

import pytest
from tests.runtime.conftest import checked

from clickbpf.graph.watching import watched
from clickbpf.graph.wiring import Wiring
from clickbpf.plan.devices import device_names


def wiring(text: str) -> Wiring:
    return Wiring(checked(text))


def test_each_cycle_is_cut_once_and_other_connections_are_not():
    found = wiring(
        "FromDevice(d) -> a :: Hop -> Discard; a[1] -> b :: Hop -> c :: Hop -> a; c[1] -> Discard; b[1] -> Discard;"
    ).closing
    assert found == {("c", 0)}


def test_an_element_may_lie_on_several_cycles():
    found = wiring("FromDevice(d) -> a :: Hop -> b :: Hop -> a; a[1] -> a; b[1] -> Discard;").closing
    assert found == {("b", 0), ("a", 1)}


def test_a_queue_cuts_a_cycle():
    assert wiring("FromDevice(d) -> a :: Hop -> Queue -> Unqueue -> a; a[1] -> Discard;").closing == frozenset()


def test_pullers_behind_pull_elements_sleep_on_the_queue():
    found = wiring("FromDevice(d) -> q :: Queue -> Hop -> u :: Unqueue -> r :: Queue -> t :: ToDevice(e);")
    assert found.sleepers_downstream("q") == ["u"]
    assert found.sleepers_downstream("r") == ["t"]


@pytest.mark.parametrize("elsewhere, storages", [("r :: Queue -> Discard", ["q", "r"]), ("Discard", []), ("SimpleQueue -> Discard", [])])
def test_sources_before_push_elements_sleep_if_all_that_they_push_at_is_full(elsewhere, storages):
    found = wiring(f"i :: InfiniteSource -> h :: Hop -> q :: Queue -> Discard; FromDevice(d) -> q; h[1] -> {elsewhere};")
    assert found.sleepers_upstream("q") == ["i"]
    assert found.storages_downstream("i") == storages


@pytest.mark.parametrize("element, passes", [("h", True), ("t", True), ("q", False), ("u", False), ("g", False)])
def test_packets_can_be_pushed_on_between_queue_and_device(element, passes):
    found = wiring(
        "FromDevice(d) -> q :: Queue -> h :: Stretch -> t :: ToDevice(e);"
        "FromDevice(f) -> Queue -> g :: Stretch -> u :: Unqueue -> Discard;"
    )
    assert found.passes(element) is passes


def test_devices_are_numbered_wires_first():
    instances = checked("FromHost(x, 10.1.1.1/24) -> ToHost(y); FromDevice(b) -> Queue -> ToDevice(a); FromDevice(a) -> Discard;").instances
    assert device_names(instances.values()) == ("x", "b", "a", "y")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("FromDevice(d) -> w :: Watcher -> q :: Queue -> Discard;", ["q"]),
        ("FromDevice(d) -> q :: Queue -> w :: Watcher -> Discard;", ["q"]),
        ("FromDevice(d) -> w :: Watcher -> h :: Hop -> q :: Queue -> Discard; h[1] -> r :: Queue -> Discard;", ["q", "r"]),
        ("FromDevice(d) -> w :: Watcher(r) -> q :: Queue -> Discard; Idle -> r :: Queue -> Discard;", ["r"]),
        ("FromDevice(d) -> w :: Watcher -> Discard;", []),
    ],
)  # fmt: skip
def test_nearest_storages_are_watched(text, expected):
    assert watched(checked(text), "w") == expected
