"""The same events for routers whose devices are spread over CPUs: besides, all flows keep their order."""

import os

import pytest
from tests.axes import few
from tests.states.events import Router, happens, scene

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
