"""Flows when a router takes another's place."""

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from tests.elements.nat.packets import PEER, tcp
from tests.elements.swapped import START, runtime, verdicts_while_state_moves

from clickbpf.runtime.host import Runtime
from clickbpf.testing.executors.bpf import DROPPED, HANDED


def configuration(arguments: str) -> str:
    return f"""
        x :: IPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, {arguments});
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x; x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x; x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
    """


def seen(router: Runtime, device: str, packet) -> list[tuple[str, int, str, int]]:
    """What comes out on the other side."""
    router.inject(device, bytes(Ether() / packet))
    packets = [IP(frame[14:]) for frame in router.collect("out1" if device == "in1" else "out0")]
    return [(p.src, p.sport, p.dst, p.dport) for p in packets]


def test_flows_move_with_their_times_and_counts():
    router = runtime(configuration("drop, MAPPING_CAPACITY 100"))
    for number in range(10):
        seen(router, "in0", tcp("10.0.0.9", 30 + number))
    router.set_clock(START + 60 * 10**9)
    # Another capacity is another table; flows that have no room any more are those that began last.
    for arguments, left in (("keep 0 1, MAPPING_CAPACITY 5000", 10), ("drop, MAPPING_CAPACITY 4", 4)):
        router = runtime(configuration(arguments), router)
        router.set_clock(START + 60 * 10**9)
        assert router.handlers.read("x", "size") == router.handlers.read("x", "table_size") == str(left)
        assert router.handlers.read("x", "tcp_table").splitlines()[0].endswith("i0 exp240")
    assert seen(router, "in1", tcp(PEER, 80, "1.0.0.1", 1027)) == [(PEER, 80, "10.0.0.9", 33)]
    assert seen(router, "in1", tcp(PEER, 80, "1.0.0.1", 1028)) == []
    assert router.handlers.read("x", "mapping_failures") == "0"
    router.close()


@pytest.mark.needs("root", "clang-19")
def test_packets_that_come_while_flows_move(monkeypatch):
    """Where the kernel path would drop what it knows no flow for."""
    old = runtime(configuration("drop"))
    stranger = bytes(Ether() / tcp(PEER, 80, "1.0.0.1", 1024))
    assert verdicts_while_state_moves(monkeypatch, old, configuration("drop"), "x", "in1", stranger) == (HANDED, DROPPED)


def test_another_pattern_ends_no_flow():
    """It is for new ones."""
    router = runtime(configuration("drop"))
    seen(router, "in0", tcp("10.0.0.9", 30))
    text = configuration("drop").replace("1.0.0.1 1024", "1.0.0.2 1024")
    router = runtime(text, router)
    assert seen(router, "in0", tcp("10.0.0.9", 30)) == [("1.0.0.1", 1024, PEER, 80)]
    assert seen(router, "in0", tcp("10.0.0.9", 31)) == [("1.0.0.2", 1024, PEER, 80)]
    router.close()


@pytest.mark.parametrize("outputs", ["2 0", "0 2"])
def test_flows_to_outputs_that_are_gone_end(outputs):
    """One goes where the new router has no output, there or back; the other stays, with its port."""
    three = f"""
        x :: IPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, pattern 1.0.0.1 1024-65535# - - {outputs});
        FromDevice(in0) -> Strip(14) -> CheckIPHeader -> [0] x; x[0] -> Unstrip(14) -> Queue -> ToDevice(out0);
        FromDevice(in1) -> Strip(14) -> CheckIPHeader -> [1] x; x[1] -> Unstrip(14) -> Queue -> ToDevice(out1);
        x[2] -> Discard;
    """
    router = runtime(three)
    for device, port in (("in0", 30), ("in1", 31)):
        router.inject(device, bytes(Ether() / tcp("10.0.0.9", port)))
    router.collect("out0")
    assert router.handlers.read("x", "table_size") == "2"
    router = runtime(configuration("drop"), router)
    assert router.handlers.read("x", "table_size") == "1"
    assert seen(router, "in0", tcp("10.0.0.9", 30)) == [("1.0.0.1", 1024, PEER, 80)]
    assert seen(router, "in0", tcp("10.0.0.9", 31)) == [("1.0.0.1", 1025, PEER, 80)]
    router.close()
