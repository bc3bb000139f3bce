"""WifiDupeFilter: frames that are sent again are dropped if they had arrived (IEEE 802.11, 10.3.2.14)."""

import pytest
from scapy.layers.dot11 import Dot11

from clickbpf.testing.cases import Case

AGAIN, MORE = 8, 4


def frame(sequence, flags=0, sender=1, fragment=0, type=2, to="02:00:00:00:00:22"):
    address = f"02:00:00:00:00:{sender:02x}"
    return bytes(Dot11(type=type, FCfield=flags, addr1=to, addr2=address, addr3=address, SC=sequence << 4 | fragment)) + b"in"


@pytest.mark.parametrize(
    "frames, passed",
    [
        ([frame(5), frame(5, AGAIN), frame(6, AGAIN), frame(6, AGAIN)], [True, False, True, False]),
        ([frame(5), frame(5)], [True, True]),
        ([frame(5, AGAIN), frame(5, AGAIN, sender=2)], [True, True]),
        ([frame(0, AGAIN), frame(0, AGAIN)], [True, False]),
        ([frame(5, AGAIN, fragment=f) for f in (0, 1, 1, 0, 2)], [True, True, False, False, True]),
        ([frame(5, fragment=2), frame(5, AGAIN | MORE, fragment=0), frame(5, AGAIN)], [True, False, False]),
        ([frame(5, AGAIN, to="ff:ff:ff:ff:ff:ff")] * 2, [True, True]),
        ([frame(5, AGAIN, type=1)] * 2, [True, True]),
        ([frame(5, AGAIN)[:23]] * 2, [True, True]),
    ],
)
def test_what_passes(element, frames, passed):
    x = element("WifiDupeFilter")
    for one, passes in zip(frames, passed, strict=True):
        x.send(one)
        if passes:
            x.expect(0, one)
        x.expect_nothing()
    dropped = passed.count(False)
    assert x.dropped("FILTERED") == dropped
    assert x.read("dupes") == x.read("drops") == f"{dropped}\n"


def test_statistics(element):
    x = element("WifiDupeFilter")
    for one in (frame(5), frame(5, AGAIN), frame(7, sender=2, fragment=3)):
        x.send(one)
    first, second = "02-00-00-00-00-01 packets 0 dupes 1 seq 5 frag 0\n", "02-00-00-00-00-02 packets 0 dupes 0 seq 7 frag 3\n"
    assert x.read("stats") == first + second
    x.write("reset", "")
    assert (x.read("stats"), x.read("dupes")) == ("", "0\n")
    x.send(frame(5, AGAIN))
    assert x.read("dupes") == "0\n"


def test_senders_make_room_for_others(element):
    x = element("WifiDupeFilter(CAPACITY 3)")
    for sender in range(20):
        x.send(frame(5, sender=sender))
    assert len(x.read("stats").splitlines()) == 3


CASES = [Case("WifiDupeFilter", packets=[frame(5), frame(5, AGAIN), frame(6, AGAIN), frame(6, AGAIN), b""])]
