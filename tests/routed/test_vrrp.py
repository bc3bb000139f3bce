"""The address that keepalived moves between two accelerated routers, under numbered datagrams."""

import os

import pytest
from tests.accelerated import Accelerated
from tests.routed.pair import GATEWAY, NAMES, Numbered, Pair
from tests.waiting import eventually

from clickbpf.testing.traffic import ping

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19", "keepalived")]


def test_the_gateways_address_moves(undo):
    pair = Pair(undo)
    assert eventually(lambda: pair.owner() == "first")
    first, second = (Accelerated(pair.at[name], f"{name}{os.getpid()}") for name in NAMES)
    undo.callback(second.unload)
    undo.callback(first.unload)
    traffic = Numbered(pair, undo)
    assert eventually(lambda: first.forwarded() > 500) and second.forwarded() < 10
    # The first one's cable is cut: the datagrams in between are lost, and none after that. Linux answers for the address.
    start = traffic.sent
    pair.switch.ip("link", "set", "first1", "down")
    assert eventually(lambda: second.forwarded() > 500)
    middle = traffic.sent
    assert eventually(lambda: middle - 1 in traffic.arrived)
    lost = traffic.lost(start, middle)
    assert lost == list(range(lost[0], lost[-1] + 1)) and lost[-1] < middle - 400
    before = first.forwarded()
    assert ping(pair.at["host"], GATEWAY, 2) == 2 and first.forwarded() == before
    # It comes back: both forward, whoever has the address, and nothing is lost.
    start = traffic.sent
    pair.switch.ip("link", "set", "first1", "up")
    assert eventually(lambda: pair.owner() == "first" and first.forwarded() > before + 500)
    end = traffic.sent
    assert eventually(lambda: end - 1 in traffic.arrived)
    assert not traffic.lost(start, end)
