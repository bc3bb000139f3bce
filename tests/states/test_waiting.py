"""Packets that wait while a router takes another's place: they go on in the new one, or are drops with a reason."""

import pytest
from tests.axes import few
from tests.runtime.routers import LIBRARY, Routers
from tests.states.scenes import WAITING

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over

#: Classes whose packets a hot swap keeps; those of the others are drops.
LOST = {"ComparePackets", "CPUQueue", "Pipeliner", "DRRSched", "TimeSortedSched"}


@pytest.fixture
def waiting():
    made = []

    def start(name):
        scene = WAITING[name]
        made.append(Routers(scene.text))
        for each in scene.frames:
            made[-1].now.inject("eth0", each)
        scene.begin(made[-1])
        return scene, made[-1]

    yield start
    for each in made:
        each.now.close()


@pytest.mark.parametrize("name", WAITING)
def test_a_swap_keeps_or_counts(waiting, name):
    scene, router = waiting(name)
    arrived = len(router.now.collect("eth1")) - scene.also
    router.replace(scene.text)
    scene.release(router)
    arrived += len(router.now.collect("eth1"))
    lost = sum(router.now.drops(each).get("ENDED", 0) for each in router.now.instances)
    assert arrived + lost == scene.packets, f"{lost} counted"
    assert bool(lost) == (name in LOST)
    assert router.now.packets == 0, "none is leaked"


def test_packets_of_an_element_that_another_class_replaces(waiting, capsys):
    scene, router = waiting("LinkUnqueue")
    router.replace(scene.text.replace("LinkUnqueue(1s, 1GBps)", "Unqueue"))
    assert router.now.drops("x") == {"ENDED": 20}


@pytest.mark.parametrize("name", few(WAITING, 2))
def test_packets_of_elements_that_are_gone_are_counted(waiting, name):
    scene, router = waiting(name)
    arrived = len(router.now.collect("eth1")) - scene.also
    router.replace("FromDevice(eth0) -> other :: Discard;")
    lost = sum(router.now.drops(each).get("ENDED", 0) for each in router.now.instances)
    assert arrived + lost == len(scene.frames) and router.now.packets == 0


def test_drops_of_an_element_that_is_gone_go_on_at_the_one_before_it():
    """What had been dropped with another reason than what waited; the one before it has drops of its own. The others' are the first's."""
    one = "FromDevice(eth0) -> a :: CheckLength(63) -> b :: Null -> q :: Queue(5) -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(eth1);"
    router = Routers(one)
    for frames in (64, *[60] * 8):
        router.now.inject("eth0", bytes(frames))
    router.replace("FromDevice(eth0) -> a :: CheckLength(63) -> b :: Null -> Discard; Idle -> ToDevice(eth1);")
    assert (router.now.drops("a"), router.now.drops("b")) == ({"FILTERED": 1}, {"ENDED": 5, "FORMER": 3})
    router.replace("FromDevice(eth0) -> z :: Discard;")
    assert router.now.drops("FromDevice@1") == {"FORMER": 4, "ENDED": 5}
    router.now.close()


@pytest.mark.parametrize("messages", ["", "click"])
def test_packets_of_an_element_that_is_gone(waiting, capsys, monkeypatch, messages):
    """Click says nothing of them."""
    monkeypatch.setenv("CLICKBPF_MESSAGES", messages)
    scene, router = waiting("LinkUnqueue")
    router.replace(scene.text.replace("x :: LinkUnqueue(1s, 1GBps)", "Unqueue"))
    warning = "'x' is not in the new router: packets that waited there are lost, 20 of them"
    assert (warning in capsys.readouterr().err) == (messages != "click")


def test_two_swaps_before_the_first_router_is_closed(waiting):
    """What waited in it is counted by the router that runs by then."""
    scene, router = waiting("CPUQueue")
    first = router.now
    second = Runtime(Compilation(check_text(scene.text, LIBRARY)), clock=first.clock, replaces=first)
    second.initialise()
    take_over(second, first, {name: name for name in second.devices})
    router.now = second
    router.replace(scene.text)
    first.close()
    assert router.now.drops("x") == {"ENDED": 20}


def test_packets_that_wait_when_a_router_ends_are_drops(waiting):
    """The counts outlive the runtime: where there is a kernel path they are in its maps."""
    _, router = waiting("Queue")
    router.now.close()
    assert router.now.drops("x") == {"ENDED": 20}
