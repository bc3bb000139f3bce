"""Each event in the life of a loaded router, under traffic: it forwards again, is listed truly, and no frame is unaccounted for."""

import os

import pytest
from tests.axes import few
from tests.states.events import EVENTS, Router, happens, scene

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "bpftool", "clang-19")
RATE = 5_000


@pytest.fixture(scope="module")
def account():
    with scene(RATE, f"events{os.getpid()}") as made:
        yield made


@pytest.mark.parametrize("which", [0, 1], ids=["kernel", "runtime"])
@pytest.mark.parametrize("event", few(EVENTS, 4), ids=lambda event: event.__name__)
def test_nothing_is_lost_and_forwarding_goes_on(account, event, which):
    assert happens(account, account.routers[which], event) == []


@pytest.mark.whole
def test_refusals_of_many_frames_are_counted_once():
    """At this rate the runtime sends frames by its ring, and during a swap the programs of both routers see what the device refuses."""
    with scene(4 * RATE, f"refused{os.getpid()}") as account:
        assert [line for router in account.routers for line in happens(account, router, Router.swap_while_all_is_refused)] == []
