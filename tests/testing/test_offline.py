"""Packets of tests are built without a word to the network."""

import pytest
from scapy.layers import inet6, l2
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Ether

from clickbpf.testing.offline import ELSEWHERE


def asked(*arguments, **keywords):
    raise AssertionError("scapy asks for an Ethernet address")


@pytest.mark.parametrize("payload", [IP(dst="192.0.2.77"), IP(), IPv6(dst="2001:db8::77"), IPv6(), ARP(op=2, pdst="192.0.2.77")], ids=repr)
def test_addresses_that_a_test_leaves_open(monkeypatch, payload):
    monkeypatch.setattr(l2, "srp1", asked)
    monkeypatch.setattr(inet6, "neighsol", asked)
    assert Ether(bytes(Ether() / payload)).dst == ELSEWHERE
    assert Ether(bytes(Ether(dst="02:00:00:00:00:01") / payload)).dst == "02:00:00:00:00:01"
