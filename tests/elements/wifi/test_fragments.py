"""WifiFragment and WifiDefrag (IEEE 802.11, 10.4 and 10.5): the number of a fragment is in the lowest four bits of the sequence number."""

import struct

import pytest
from tests.elements.trials import Trial
from tests.elements.wifi.frames import DATA, STATION, frame

pytestmark = pytest.mark.executors("native")

MORE, HEADER = 4, 24


def fragment(body: bytes, number: int, is_last: bool, sequence: int = 0x123, sender: bytes = STATION) -> bytes:
    whole = bytearray(frame(DATA, body, sender=sender))
    whole[1] |= 0 if is_last else MORE
    struct.pack_into("<H", whole, 22, sequence << 4 | number & 15)
    return bytes(whole)


def whole(body: bytes, sequence: int = 0x123) -> bytes:
    return fragment(body, 0, True, sequence)


@pytest.mark.parametrize("length, sizes", [(10, [10]), (11, [10, 1]), (20, [10, 10]), (25, [10, 10, 5]), (0, [0]), (170, [10] * 17)])
def test_frames_are_divided(element, length, sizes):
    x = element("WifiFragment(10)")
    body = bytes(range(length))
    x.send(whole(body))
    at = 0
    for number, size in enumerate(sizes):
        x.expect(0, fragment(body[at : at + size], number, number == len(sizes) - 1))
        at += size
    x.expect_nothing()


def test_fragments_are_put_together(element):
    x = element("WifiDefrag")
    for sequence in (0, 5, 0xFFF):
        for number in range(15):
            x.send(fragment(b"part%02d" % number, number, False, sequence))
        x.expect_nothing()
        x.gives(fragment(b"end", 15, True, sequence), whole(b"".join(b"part%02d" % number for number in range(15)) + b"end", sequence))


def test_what_was_divided_is_put_together(router):
    r = router("FromDevice(in) -> WifiFragment(7) -> WifiDefrag -> Queue -> ToDevice(out);")
    r.forwards("in", whole(bytes(range(100))), "out")


def test_fragments_are_pulled(router):
    r = router("FromDevice(in) -> q :: Queue -> WifiDefrag -> c :: Counter -> ToDevice(out);")
    for number in range(5):
        r.send("in", fragment(b"part%02d" % number, number, number == 4))
    r.expect("out", whole(b"".join(b"part%02d" % number for number in range(5))))
    assert r.read("c.count") == "1"


def test_the_frame_has_the_first_ones_annotations(router):
    r = router(
        "FromDevice(in) -> Paint(3) -> x :: WifiDefrag -> c :: CheckPaint(3) -> Queue -> ToDevice(out); c[1] -> Discard;"
        "FromDevice(other) -> Paint(4) -> x;"
    )
    r.send("in", fragment(b"one", 0, False))
    r.send("other", fragment(b"two", 1, True))
    r.expect("out", whole(b"onetwo"))
    r.send("other", fragment(b"one", 0, False))
    assert not r.send("in", fragment(b"two", 1, True))


def test_transmitters_do_not_mix(element):
    x = element("WifiDefrag")
    other = b"\2\0\0\0\0\7"
    x.send(fragment(b"one", 0, False))
    x.send(fragment(b"uno", 0, False, sender=other))
    x.send(fragment(b"two", 1, True))
    x.expect(0, whole(b"onetwo"))
    x.send(fragment(b"due", 1, True, sender=other))
    assert x.expect(0).data[HEADER:] == b"unodue"


BEGUN = fragment(b"one", 0, False)


@pytest.mark.parametrize(
    "between",
    [
        fragment(b"three", 2, False),
        fragment(b"two", 1, False, 0x124),
        whole(b"other", 0x124),
    ],
)
def test_fragments_that_do_not_follow(element, between):
    x = element("WifiDefrag")
    x.send(BEGUN)
    x.send(between)
    x.send(fragment(b"two", 1, True))
    dropped = 1 if between[1] == 0 else 2
    assert x.dropped("FILTERED") == dropped
    if dropped == 1:
        x.expect(0, between)
    x.expect_nothing()


def test_transmitters_make_room_for_others(element):
    x = element("WifiDefrag(CAPACITY 2)")
    senders = [b"\2\0\0\0\1" + bytes([number]) for number in range(20)]
    for sender in senders:
        x.send(fragment(b"one", 0, False, sender=sender))
    for sender in senders:
        x.send(fragment(b"two", 1, True, sender=sender))
    assert x.dropped("FILTERED") == 18
    for _ in range(2):
        assert x.expect(0).data[HEADER:] == b"onetwo"


def test_frames_do_not_grow_without_end(router):
    """Sixteen fragments of 8000 bytes are more than a packet may have."""
    r = router("FromDevice(in) -> x :: WifiDefrag -> c :: Counter -> Discard;")
    for number in range(16):
        r.send("in", fragment(bytes(8000), number, number == 15))
    assert (r.read("c.count"), r.dropped("x", "FILTERED")) == ("0", 8)


TRIALS = {
    "frames that are not divided": [
        Trial(f"WifiFragment({arguments})").passes(whole(bytes(2000)), whole(b"")[:20], b"")
        for arguments in ["", "0", "MTU 4000"]
    ],
    "a frame begins anew": Trial("WifiDefrag")
        .drops(BEGUN, fragment(b"first", 0, False, 7)).gives(fragment(b"second", 1, True, 7), whole(b"firstsecond", 7))
        .drops(fragment(b"x", 3, True), reason="FILTERED")
        .passes(BEGUN[:23]),
}
