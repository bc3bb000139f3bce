"""DupPath: the source address decides whether a packet waits."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

TEXT = """
    FromDevice(in) -> Strip(14) -> MarkIPHeader -> x :: DupPath;
    x[0] -> Unstrip(14) -> Queue -> ToDevice(pushed);
    x[1] -> u :: Unqueue(ACTIVE {active}) -> Unstrip(14) -> Queue -> ToDevice(pulled);
"""


def packet(source: str, number: int = 0) -> Ether:
    return Ether() / IP(src=source, dst="10.0.1.2", id=number) / UDP()


@pytest.mark.parametrize(
    "source, waits",
    [("10.0.0.0", False), ("10.0.0.1", True), ("10.0.0.16", True), ("10.0.0.17", False), ("1.1.17.0", False), ("10.0.0.30", True)],
)
def test_two_bits_of_the_address_decide(router, source, waits):
    r = router(TEXT.format(active="true"))
    r.forwards("in", packet(source), "pulled" if waits else "pushed")
    r.expect_nothing()


def test_at_most_128_packets_wait(router):
    r = router(TEXT.format(active="false"))
    packets = [packet("10.0.0.1", number) for number in range(130)]
    r.send("in", packets)
    r.expect_nothing()
    assert r.dropped("x", "FULL") == 2
    r.write("u.active", "true")
    for sent in packets[:128]:
        r.expect("pulled", sent)
    r.forwards("in", packets[129], "pulled")
    r.expect_nothing()


def test_packets_without_a_header_are_dropped(router):
    r = router(TEXT.format(active="true"))
    r.send("in", bytes(packet("10.0.0.1"))[:33])
    r.expect_nothing()
    assert r.dropped("x", "MALFORMED") == 1


def test_its_second_output_is_pulled(refused_router):
    text = "Idle -> x :: DupPath -> Discard; x[1] -> {} -> Discard;"
    assert "push" in refused_router(text.format("PushNull"))
    assert "pull" in refused_router("Idle -> x :: DupPath -> Queue -> Discard; x[1] -> Queue -> Discard;")
