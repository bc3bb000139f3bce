"""Packets that come from the kernel path: the record in front of the frame says where they go on, and as what."""

import random
import struct

import pytest

HASH = 0xC0FFEE11
FACTS = struct.Struct("<iiiiii48s")
FRAME = bytes(range(64))


def record(element: int, *, port=0, off=0, mac=-1, net=-1, trans=-1, trim=0, kind=0, annotations=b"", hash=HASH, device=0) -> bytes:
    """struct handover of bpf/handover.h, with annotations, in this machine's byte order."""
    size = 20 + -(-len(annotations) // 4) * 4
    head = struct.pack("=IHBBhhhhHBB", hash, element, port, size, off, mac, net, trans, trim, kind, device)
    return head + annotations.ljust(size - 20, b"\0")


@pytest.fixture
def router(run):
    router = run("FromDevice(a) -> Hop -> f :: Facts -> Queue -> ToDevice(b);")
    router.change_handovers(HASH, ((0, 4), (16, 1)))
    return router


def test_packet_goes_on_with_what_was_known_about_it(router):
    sent = record(2, off=14, mac=0, net=14, trans=34, trim=4, kind=3, annotations=b"\1\2\3\4\5") + FRAME
    assert router.handover(sent, "b")
    (facts,) = router.collect("b")
    device, kind, mac, network, transport, length, annotations = FACTS.unpack_from(facts)
    assert (device, kind, mac, network, transport, length) == (1, 3, -14, 0, 20, 46)
    assert annotations == b"\1\2\3\4" + bytes(12) + b"\5" + bytes(31)
    assert facts[FACTS.size :] == FRAME[14:-4]


def test_unset_headers_stay_unset(router):
    router.handover(record(2, annotations=bytes(5)) + FRAME)
    device, _, mac, network, transport, *_ = FACTS.unpack_from(router.collect("b")[0])
    assert (device, mac, network, transport) == (-1, -1000, -1000, -1000)


def test_record_of_another_configuration_is_refused(router):
    assert not router.handover(record(2, hash=HASH + 1, annotations=bytes(5)) + FRAME)
    assert router.drops("FromDevice@1") == {"NO_RUNTIME": 1}
    assert router.packets == 0


@pytest.mark.parametrize(("bad", "reason"), [(record(0, hash=HASH + 1, device=1), "NO_RUNTIME"), (record(99, device=1), "MALFORMED")])
def test_refused_records_are_counted_where_their_packets_came_in(run, bad, reason):
    """By the device of the socket, or from the inlet, the one after the last, by the record's; and for no other element."""
    router = run("one :: FromDevice(a) -> Discard; two :: FromDevice(b) -> Discard;")
    router.change_handovers(HASH, ())
    router._devices["inlet"] = 2
    for device in ("b", "inlet"):
        assert not router.handover(bad + FRAME, device)
    assert (router.drops("one"), router.drops("two")) == ({}, {reason: 2})


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        record(2, annotations=bytes(5))[:19],
        record(2) + FRAME,
        record(2, annotations=bytes(5), off=65) + FRAME,
        record(2, annotations=bytes(5), off=-1) + FRAME,
        record(2, annotations=bytes(5), off=60, trim=5) + FRAME,
        record(99, annotations=bytes(5)) + FRAME,
        record(2, port=1, annotations=bytes(5)) + FRAME,
    ],
    ids=["empty", "cut", "no annotations", "off beyond", "off negative", "trim beyond", "no element", "no port"],
)
def test_malformed_records_are_dropped_and_counted(router, bad):
    assert not router.handover(bad)
    assert router.drops("FromDevice@1") == {"MALFORMED": 1}
    assert (router.collect("b"), router.packets) == ([], 0)


def test_an_element_behind_an_elided_queue_sends_on_to_the_device(run):
    """The kernel path has no Queue, and gives a packet up between it and the device: it isn't queued again."""
    router = run("FromDevice(a) -> q :: Queue -> f :: Facts -> t :: ToDevice(b);")
    router.change_handovers(HASH, ((0, 48),))
    assert router.handover(record(2, annotations=bytes(48)) + FRAME, "a", settle=False)
    assert [frame[FACTS.size :] for frame in router.collect("b")] == [FRAME]
    assert router.handover(record(3, annotations=bytes(48)) + FRAME, "a", settle=False)
    assert router.collect("b") == [FRAME]
    assert router.handlers.read("q", "highwater_length") == "0"
    assert router.handlers.read("t", "count") == "2"


def test_whatever_arrives_the_runtime_survives_it(router):
    """Records of the right configuration and otherwise any bytes: delivered or counted as malformed, nothing kept."""
    dice = random.Random(7)
    delivered = refused = 0
    for _ in range(3000):
        content = dice.randbytes(dice.randrange(120))
        head = struct.pack("=IHBB", HASH, dice.choice((0, 1, 2, 3, 9)), dice.choice((0, 0, 1)), dice.choice((28, 28, 20, 255)))
        offsets = struct.pack("=hhhhH", *(dice.choice((-1, 0, 14, 60, -30000, 30000)) for _ in range(4)), dice.choice((0, 4, 65535)))
        if router.handover(head + offsets + content):
            delivered += 1
        else:
            refused += 1
        router.collect("b")
    assert delivered > 50
    assert router.drops("FromDevice@1")["MALFORMED"] == refused
    assert router.packets == 0
