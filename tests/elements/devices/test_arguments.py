"""Arguments of Click's Linux driver that FromDevice, ToDevice and ToHost share, and handlers."""

import pytest

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

ELEMENTS = ["FromDevice(eth0%s) -> Discard", "Idle -> ToDevice(eth0%s)", "Idle -> ToHost(eth0%s)"]


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_device_is_there_from_the_beginning(refused_router, element):
    check_text(element % ", ALLOW_NONEXISTENT false", Library.standard())
    for argument in ("ALLOW_NONEXISTENT true", "UP_CALL s.run", "DOWN_CALL s.run"):
        assert f"{argument.split()[0]} isn't supported" in refused_router(f"{element % f', {argument}'}; s :: Script(TYPE PASSIVE)")


@pytest.mark.parametrize("arguments, doubtful", [("lo", True), ("lo, SNIFFER true", False), ("eth0", False)])
def test_taking_all_packets_of_the_loopback_device_is_doubtful(arguments, doubtful):
    found = check_text(f"FromDevice({arguments}) -> Discard", Library.standard()).warnings
    assert [("'lo'" in each.message, each.place.column) for each in found] == [(True, 12)] * doubtful


def test_handlers_of_fromdevice(router):
    """Packets that an element drops were not lost by the kernel."""
    running = router("r :: FromDevice(eth0, FORCE_IP true) -> Discard")
    running.send("eth0", bytes(60))
    assert running.dropped("r") == 1
    assert [running.read(f"r.{handler}") for handler in ("count", "kernel_drops", "encap")] == ["1", "0", "ETHER"]


def test_counts_are_reset_for_one_element(router):
    """Although in the kernel all elements' counters are in one map, and in one cache line."""
    running = router("in :: FromDevice(eth0) -> out :: ToDPDKDevice(eth1)")
    running.send("eth0", bytes(60))
    running.write("out.reset_counts", "")
    assert [running.read("in.count"), running.read("out.count")] == ["1", "0"]
