"""TCPNormalize: the streams of others' connections, whatever pieces they come in."""

import itertools

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.elements.swapped import runtime

from clickbpf.runtime.host import Runtime

STEPS = " -> ".join(f"{name} :: TCP{name}(flows)" for name in ("Lookup", "Normalize", "Trim", "Reset", "Reassemble", "Fin"))


def watcher(capacity: int = 10, replaces: Runtime | None = None) -> Runtime:
    return runtime(
        f"flows :: TCPConnections({capacity}, BUFFER 4096, TIMEOUT 60); FromDevice(in0) -> CheckIPHeader(14) -> Strip(14) -> {STEPS}"
        " -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> Queue -> ToDevice(out0);",
        replaces,
    )


@pytest.fixture
def make():
    made = []

    def start(*arguments, **options) -> Runtime:
        made.append(watcher(*arguments, **options))
        return made[-1]

    yield start
    for router in made:
        router.close()


def sees(router: Runtime, flags: str, seq: int, data: bytes = b"", port: int = 5, **fields) -> list[bytes]:
    """What of the stream is known after a segment of it; an end is empty."""
    tcp = TCP(sport=port, dport=80, flags=flags, seq=seq, **fields)
    router.inject("in0", bytes(Ether() / IP(src="10.0.0.2", dst="10.0.1.2") / tcp / data))
    return [frame[14:] for frame in router.collect("out0")]


PIECES = [(b"A" * 10, 10), (b"B" * 20, 5), (b"C" * 12, 0), (b"D" * 25, 0), (b"EF", 24)]


def test_what_came_first_counts(make):
    """In all orders; what each byte is follows without TCP."""
    router = make()
    for port, order in enumerate(itertools.permutations(PIECES[:4]), 100):
        stream, seen = {}, sees(router, "S", 999, port=port)
        for data, at in [*order, PIECES[4]]:
            stream = {at + i: data[i : i + 1] for i in range(len(data))} | stream
            seen += sees(router, "FA" if at == 24 else "A", 1000 + at, data, port=port)
        assert b"".join(seen) == b"".join(stream[i] for i in range(26)) and seen.count(b"") == 1 and seen[-1] == b""


def test_what_no_receiver_believes(make):
    """Wrong checksums, resets and data beyond the window, a SYN amidst a stream, data without an acknowledgement (RFC 9293,
    3.10.7.4, fifth); the right reset ends it."""
    router = make()
    assert sees(router, "S", 999) == [] and sees(router, "A", 1000, b"one ") == [b"one "]
    evil = [("R", 1005, {}), ("A", 1004, {"chksum": 1}), ("A", 9000, {}), ("S", 1004, {}), ("S", 7, {}), ("FP", 1004, {})]
    for flags, seq, fields in evil:
        assert sees(router, flags, seq, b"evil", **fields) == []
    assert sees(router, "A", 1004, b"two") == [b"two"] and router.handlers.read("flows", "table")
    assert sees(router, "R", 1007) == [] and router.handlers.read("flows", "table") == ""
    assert sees(router, "A", 5000, b"amidst") == [b"amidst"], "a stream whose beginning was not seen"


def test_data_beside_a_syn(make):
    """As Fast Open has them (RFC 7413): they are part of the stream, once."""
    router = make()
    assert sees(router, "S", 999, b"one ") == [b"one "]
    assert sees(router, "S", 999, b"one ") == []
    assert sees(router, "A", 1000, b"one two") == [b"two"]


def test_floods_and_silence(make):
    router = make()
    assert sees(router, "S", 99) == [] and sees(router, "A", 100, b"x") == [b"x"]
    for port in range(100, 200):
        assert sees(router, "S", 7, port=port) == []
    assert len(router.handlers.read("flows", "table").splitlines()) == 6 and sees(router, "A", 101, b"y") == [b"y"]
    router.advance(61 * 10**9)
    assert router.handlers.read("flows", "table") == "" and router.handlers.read("flows", "segments") == "0"


def test_pieces_are_kept_in_a_hot_swap(make):
    router = make()
    assert [sees(router, "S", 99), sees(router, "A", 103, b"late")] == [[], []]
    assert b"".join(sees(make(20, replaces=router), "A", 100, b"one")) == b"onelate"


def test_it_sends_nothing(refused_router):
    assert "flows has a TCPOutput: out" in refused_router(
        "flows :: TCPConnections; Idle -> TCPNormalize(flows) -> Discard; Idle -> out :: TCPOutput(flows) -> Discard;"
    )
