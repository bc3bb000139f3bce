"""What the runtime does to packets: it pushes, pulls, defers, drops and counts them, and moves them when they grow."""

import os
import struct

import pytest

from clickbpf.errors import ClickError

FACTS = struct.Struct("<iiiiii48s")


def test_push_reaches_the_output_and_nothing_is_kept(run):
    router = run("FromDevice(a) -> Hop -> Queue -> ToDevice(b);")
    router.inject("a", b"\0" + b"x" * 59)
    assert router.collect("b") == [b"\0" + b"x" * 59]
    assert router.packets == 0


def test_unconnected_output_is_a_counted_drop(run):
    router = run("FromDevice(a) -> h :: Hop -> Queue -> ToDevice(b);")
    router.inject("a", b"\5" * 60)
    assert router.collect("b") == []
    assert router.drops("h") == {"UNCONNECTED": 1}
    assert router.packets == 0


def test_cycle_does_not_grow_the_stack(run):
    """A packet goes round three elements 256 times; with calls for every hop, a million rounds would overflow any stack."""
    router = run(
        "FromDevice(a) -> h :: Hop -> Queue -> ToDevice(b); h[1] -> x :: Hop -> h;"
        "i :: InfiniteSource(DATA \\<00>, LIMIT 1) -> y :: Hop -> z :: Hop -> y;"
    )
    with pytest.raises(ClickError, match="become quiet"):
        router.settle(2000)
    for instance in ("h", "x"):
        assert router.drops(instance) == {}


def test_packets_round_a_cycle_come_out(run):
    router = run("FromDevice(a) -> h :: Hop -> Queue -> ToDevice(b); h[1] -> h;")
    router.inject("a", b"\xff" + b"x" * 59)
    router.inject("a", b"\x00" + b"y" * 59)
    assert router.collect("b") == [b"\0" + b"x" * 59, b"\0" + b"y" * 59]


def test_a_packet_that_goes_round_comes_before_what_its_sender_sends_later(run):
    """As in Click, where each push is a call: t's second copies come in the order in which t gets its turns back."""
    router = run("FromDevice(a) -> t :: Tee; t[0] -> h :: Hop -> q :: Queue -> ToDevice(b); h[1] -> t; t[1] -> q;")
    router.inject("a", b"\2" + b"x" * 59)
    assert [frame[0] for frame in router.collect("b")] == [0, 0, 1, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_packets_that_go_round_too_often_at_once_are_put_off(run, threads):
    """Each turn makes two packets of one: 4095 turns, more than there may be at once, and the stack holds."""
    router = run("FromDevice(a) -> h :: Hop -> Queue(5000) -> ToDevice(b); h[1] -> t :: Tee -> h; t[1] -> h;", threads=threads)
    router.inject("a", b"\x0c" + b"x" * 59)
    assert len(router.collect("b")) == 4096
    assert router.packets == 0


def test_a_class_with_a_state_of_its_own_is_not_entered_again_while_it_sends(run):
    router = run("FromDevice(a) -> e :: Entered -> h :: Hop -> Queue -> ToDevice(b); h[1] -> e;")
    router.inject("a", b"\5" + b"x" * 59)
    assert [router.handlers.read("e", name) for name in ("count", "again")] == ["6", "0"]
    assert len(router.collect("b")) == 1


def test_pull_through_an_agnostic_element_skips_what_it_sends_elsewhere(run):
    """Hop in a pull path: packets that leave by its push output don't make the puller believe the queue empty."""
    router = run("FromDevice(a) -> Queue -> h :: Hop -> ToDevice(b); h[1] -> Queue -> ToDevice(c);")
    for first in (0, 1, 1, 0):
        router.inject("a", bytes([first]) + b"x" * 59, settle=False)
    router.settle()
    assert len(router.collect("b")) == 2
    assert len(router.collect("c")) == 2


def test_many_drops_in_a_pull_path_wake_the_puller_again(run):
    """More packets than one pull tries in vain: the task must not sleep on a queue that has packets."""
    router = run("FromDevice(a) -> q :: Queue -> h :: Hop -> ToDevice(b);")
    for first in [1] * 200 + [0]:
        router.inject("a", bytes([first]) + b"x" * 59, settle=False)
    router.settle()
    assert len(router.collect("b")) == 1
    assert router.drops("h") == {"UNCONNECTED": 200}


@pytest.mark.parametrize("front", [0, 8, 256, 257, 3000, 60000])
def test_packets_grow_in_front(run, front):
    router = run(f"FromDevice(a) -> Stretch(FRONT {front}) -> Queue -> ToDevice(b);")
    router.inject("a", b"abc" * 20)
    assert router.collect("b") == [b"f" * front + b"abc" * 20]


@pytest.mark.parametrize("back", [1, 1792, 4000, 60000])
def test_packets_grow_behind(run, back):
    router = run(f"FromDevice(a) -> Stretch(BACK {back}) -> Queue -> ToDevice(b);")
    router.inject("a", b"abc" * 20)
    assert router.collect("b") == [b"abc" * 20 + b"b" * back]


def test_headers_stay_with_their_bytes_when_the_packet_moves(run):
    router = run("FromDevice(a) -> Stretch(FRONT 500) -> Facts -> Queue -> ToDevice(b);")
    router.inject("a", b"abc" * 20)
    (frame,) = router.collect("b")
    device, kind, mac, network, transport, length, annotations = FACTS.unpack_from(frame)
    assert (device, mac, network, transport, length) == (0, 500, -1000, -1000, 560)
    assert annotations == bytes(48)


def test_a_packet_that_gets_too_long_is_dropped(run):
    router = run("FromDevice(a) -> s :: Stretch(FRONT 65000) -> Stretch(FRONT 2000) -> Queue -> ToDevice(b);")
    router.inject("a", b"abc" * 20)
    assert router.collect("b") == []
    assert router.drops("Stretch@3") == {"NO_MEMORY": 1}
    assert router.packets == 0


def copying(element: str, outputs: int = 3, inputs: int = 1) -> str:
    """A packet from `a` meets the element when there is no memory for a copy of it."""
    ends = " ".join(f"c[{i}] -> Queue -> ToDevice(out{i});" for i in range(outputs))
    others = " ".join(f"Idle -> [{i}] c;" for i in range(1, inputs))
    return f"FromDevice(a) -> Paint(255) -> Exhaust -> c :: {element}; {others} {ends}"


@pytest.mark.skipif("CLICKBPF_SANITIZE" in os.environ, reason="the address sanitizer ends a process that has no more memory")
@pytest.mark.parametrize(
    "text, copies",
    [
        (copying("Tee"), 2), (copying("PaintSwitch"), 2), (copying("PaintTee(255)", 2), 1), (copying("Hub", inputs=3), 1),
        (copying("EtherSwitch", inputs=3), 1), (copying("ListenEtherSwitch", 4, inputs=3), 2),
        (copying("SnoopingEtherSwitch", inputs=3), 1),
    ],
)  # fmt: skip
def test_copies_for_which_there_is_no_memory_are_drops(run, text, copies):
    router = run(text)
    header = bytes.fromhex("333300000001 020000000001 86dd 6000000000003b40")
    router.inject("a", header + bytes(16) + b"\xff\x15" + bytes(13) + b"\1" + bytes(6))
    assert sum(len(router.collect(f"out{i}")) for i in range(4) if f"out{i})" in text) == 1, "the packet itself"
    assert router.drops("c") == {"NO_MEMORY": copies}


def test_packet_type_follows_the_destination_address(run):
    router = run("FromDevice(a) -> Facts -> Queue -> ToDevice(b);")
    router.set_address("a", bytes.fromhex("020000000001"))
    kinds = {}
    for address in ("020000000001", "020000000002", "010000000001", "ffffffffffff"):
        router.inject("a", bytes.fromhex(address) + bytes(54))
        kinds[address] = FACTS.unpack_from(router.collect("b")[0])[1]
    # PACKET_HOST, PACKET_OTHERHOST, PACKET_MULTICAST, PACKET_BROADCAST of <linux/if_packet.h>
    assert list(kinds.values()) == [0, 3, 2, 1]


def test_watched_length_is_the_sum(run):
    router = run(
        "FromDevice(d) -> w :: Watcher -> h :: Hop -> q :: Queue -> Unqueue(ACTIVE false) -> Discard;"
        "h[1] -> r :: Queue -> Unqueue(ACTIVE false) -> Discard;"
    )
    for first in (0, 1, 1, 0, 0):
        router.inject("d", bytes([first]) * 60)
    assert router.instances["w"].state.seen.length == 4, "as the last of five packets found it"


def test_two_routers_of_one_text_are_apart(run):
    text = "FromDevice(a) -> q :: Queue -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(b);"
    first, second = run(text), run(text)
    first.inject("a", b"x" * 60)
    assert first.handlers.read("q", "length") == "1"
    assert second.handlers.read("q", "length") == "0"


def test_a_puller_behind_two_queues_wakes_for_either(run):
    router = run("FromDevice(a) -> Queue -> m :: Merge -> ToDevice(c); FromDevice(b) -> Queue -> [1]m;")
    router.inject("b", b"b" * 60)
    router.inject("a", b"a" * 60)
    router.inject("b", b"B" * 60)
    assert [frame[:1] for frame in router.collect("c")] == [b"b", b"a", b"B"]
