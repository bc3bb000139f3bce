"""The look at what is left behind sees what is there, and takes nothing of another test's for this one's."""

import pytest
from tests.load import traces
from tests.waiting import eventually

from clickbpf.load.kernel.fds import BPF_MAP_TYPE_ARRAY, Map

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "tc")


def test_a_map_is_seen_while_it_is_there(own):
    with Map.create(BPF_MAP_TYPE_ARRAY, f"{own}_seen", 4, 4, 1) as made:
        number = made.info().id
        assert number in traces.objects(own)["map"]
    assert eventually(lambda: number not in traces.objects(own)["map"])


def test_what_was_there_before_the_test_may_go_meanwhile(own, request):
    with Map.create(BPF_MAP_TYPE_ARRAY, f"{own}_late", 4, 4, 1) as late:
        unchanged = request.getfixturevalue("unchanged")
        with unchanged():
            late.close()
