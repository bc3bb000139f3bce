"""PullNull: a Null that may only be pulled through."""

import pytest

from clickbpf.errors import ClickError


def test_a_pulled_packet(router):
    r = router("FromDevice(eth0) -> Queue -> PullNull -> ToDevice(eth1);")
    r.forwards("eth0", bytes(range(64)), "eth1")


def test_nobody_pushes_through_it(router):
    with pytest.raises(ClickError, match="push output 0 of 'FromDevice@1' is connected to pull input 0 of 'PullNull@2'"):
        router("FromDevice(eth0) -> PullNull -> Discard;")
