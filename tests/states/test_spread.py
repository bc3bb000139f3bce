"""The same events for routers whose devices are spread over CPUs: besides, all flows keep their order."""

import os

import pytest
from tests.axes import few
from tests.states.events import Router, happens, scene

from clickbpf.load.files.places import RunFolder
from clickbpf.objects.manifest import Manifest

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "bpftool", "clang-19")
RATE, FLOWS = 5_000, 1000


def other_cpus(router: Router) -> bool:
    """Packets of moved flows may overtake each other: one CPU has what waits for it, and the other what comes."""
    router.load("--replace", "--spread", "0,hosts")
    router.load("--replace")
    return False


#: Those in which programs, queues or sockets change; the others are the same for all routers (test_events.py).
ABOUT_PROGRAMS = (
    *(Router.swap, Router.kill_and_resume, Router.kill_and_start_the_runtime, Router.kill_and_replace, Router.stop_and_resume),
    *(Router.trace, Router.device_is_deleted, Router.unload_and_load, other_cpus),
)


@pytest.fixture(scope="module")
def account():
    with scene(RATE, f"spread{os.getpid()}", ("--spread", "0,1"), FLOWS) as made:
        yield made


@pytest.mark.parametrize("which", [0, 1], ids=["kernel", "runtime"])
@pytest.mark.parametrize("event", few(ABOUT_PROGRAMS, 3), ids=lambda event: event.__name__)
def test_nothing_is_lost_and_flows_keep_their_order(account, event, which):
    _, disordered = account.traffic.received
    assert happens(account, account.routers[which], event) == []
    if event is not other_cpus:
        assert account.traffic.received[1] == disordered


@pytest.fixture(scope="module")
def lanes():
    with scene(RATE, f"lanes{os.getpid()}", ("--spread", "0,1"), FLOWS, "l :: Queue -> w :: Unqueue") as made:
        assert Manifest.from_object(RunFolder.of(made.routers[0].name).object.read_bytes()).hops
        yield made


@pytest.mark.whole
@pytest.mark.parametrize("event", ABOUT_PROGRAMS, ids=lambda event: event.__name__)
def test_what_waits_between_cpus_is_kept_or_counted(lanes, event):
    """Packets that a router leaves in a queue may be overtaken by those of the next one."""
    assert happens(lanes, lanes.routers[0], event) == []
