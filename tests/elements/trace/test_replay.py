"""Replay, ReplayUnqueue, MultiReplayUnqueue: what is sent, when, and how often."""

import pytest
from scapy.packet import Raw
from scapy.utils import wrpcap

pytestmark = pytest.mark.executors("native")


def frame(number: int) -> bytes:
    return bytes([number]) * 60


@pytest.fixture
def router(router):
    """Routers whose run goes on though an element asks for its end."""
    return lambda text, **options: router(f"{text} DriverManager(wait_stop 9);", **options)


@pytest.fixture
def dump(tmp_path):
    """dump(1.0, 3.5) is a file with packets of these times, numbered by their place; dump(2, of=10) begins with number 10."""
    made = []

    def make(*times: float, of: int = 0) -> str:
        packets = [Raw(frame(of + i)) for i in range(len(times))]
        for packet, time in zip(packets, times):
            packet.time = 1_000_000_000 + time
        made.append(tmp_path / f"{len(made)}.pcap")
        wrpcap(str(made[-1]), packets, linktype=1)
        return f"FromDump({made[-1]})"

    return make


def numbers(outputs, device: str | None = None) -> list[int]:
    return [output.data[0] for output in outputs if device in (None, output.device)]


def test_all_again_and_again(router, dump):
    r = router(f"{dump(0, 1, 2)} -> r :: ReplayUnqueue(STOP 3, ACTIVE false) -> Queue -> ToDevice(eth0);")
    assert (r.read("r.loaded"), r.read("r.stop"), r.read("r.active")) == ("false", "3", "false")
    assert numbers(r.write("r.active", "true")) == [0, 1, 2] * 3
    assert (r.read("r.loaded"), r.read("r.stop"), r.read("r.active")) == ("true", "0", "false")


def test_once_more(router, dump):
    r = router(f"{dump(0, 1, 2)} -> r :: ReplayUnqueue(STOP 1, ACTIVE false) -> Queue -> ToDevice(eth0);")
    assert numbers(r.write("r.active", "true")) == [0, 1, 2]
    r.write("r.stop", "2")
    assert numbers(r.write("r.active", "true")) == [0, 1, 2] * 2


def test_other_packets(router):
    r = router("FromDevice(a) -> Queue -> r :: ReplayUnqueue(STOP 1, ACTIVE false) -> Queue -> ToDevice(eth0);")
    r.send("a", [frame(1), frame(2)])
    assert numbers(r.write("r.active", "true")) == [1, 2]
    r.write("r.reset")
    assert r.read("r.loaded") == "false"
    r.send("a", frame(3))
    r.write("r.stop", "1")
    assert numbers(r.write("r.active", "true")) == [3]


def test_without_packets_it_ends_or_waits_for_some(router):
    r = router("FromDevice(a) -> Queue -> r :: ReplayUnqueue(STOP 2) -> Queue -> ToDevice(eth0);")
    assert r.read("r.active") == "false"
    r = router("FromDevice(a) -> Queue -> r :: ReplayUnqueue(TIMING 100) -> Queue -> ToDevice(eth0);", simtime=True)
    assert r.read("r.active") == "true"
    r.write("r.stop", "2")
    assert r.read("r.active") == "false"


@pytest.mark.parametrize("timing, factor", [(100, 1), (200, 0.5), (50, 2)])
def test_at_their_times(router, dump, timing, factor):
    """Each round begins when the last one is over."""
    r = router(f"{dump(0, 1, 1.5)} -> r :: ReplayUnqueue(STOP 2, TIMING {timing}, ACTIVE false) -> Queue -> ToDevice(eth0);", simtime=True)
    assert numbers(r.write("r.active", "true")) == [0]
    assert numbers(r.advance(0.999 * factor)) == []
    assert numbers(r.advance(0.001 * factor)) == [1]
    assert numbers(r.advance(0.499 * factor)) == []
    assert numbers(r.advance(0.001 * factor)) == [2, 0]
    assert numbers(r.advance(1.6 * factor)) == [1, 2]
    assert r.read("r.active") == "false"


def test_a_timestamp_of_long_ago_is_due(router, dump):
    r = router(f"{dump(5, 1, 6)} -> r :: ReplayUnqueue(STOP 1, TIMING 100, ACTIVE false) -> Queue -> ToDevice(eth0);", simtime=True)
    assert numbers(r.write("r.active", "true")) == [0, 1]
    assert numbers(r.advance(1)) == [2]


def test_for_a_time(router, dump):
    """Ten rounds of a second are wanted; the time is over in the third."""
    text = f"{dump(0, 1)} -> r :: ReplayUnqueue(STOP 10, STOP_TIME 2, TIMING 100, ACTIVE false) -> Queue -> ToDevice(eth0);"
    r = router(text, simtime=True)
    assert numbers(r.write("r.active", "true")) == [0]
    assert numbers(r.advance(5)) == [1, 0]
    assert (r.read("r.active"), r.read("r.stop")) == ("false", "9")


def test_no_more_than_a_limit(router, dump):
    r = router(f"{dump(0, 1, 2)} -> r :: ReplayUnqueue(STOP 1, LIMIT 2, ACTIVE false) -> Queue -> ToDevice(eth0);")
    assert numbers(r.write("r.active", "true")) == [0, 1]


INPUTS = "r :: {class_}(STOP 2, ACTIVE false); {one} -> r; {other} -> [1] r; "


def test_several_inputs_are_merged(router, dump):
    """Until one of them has no more. What is left of the other is dropped."""
    inputs = INPUTS.format(class_="ReplayUnqueue", one=dump(0, 2, 4), other=dump(1, 2, 3, 5, of=10))
    r = router(f"{inputs} r -> t :: PaintSwitch; t -> Queue -> ToDevice(eth0); t [1] -> Queue -> ToDevice(eth1);")
    outputs = r.write("r.active", "true")
    assert (numbers(outputs, "eth0"), numbers(outputs, "eth1")) == ([0, 1, 2] * 2, [10, 11, 12] * 2)
    assert r.dropped("r") == 1


def test_several_outputs(router, dump):
    inputs = INPUTS.format(class_="MultiReplayUnqueue", one=dump(0, 2, 4), other=dump(1, 2, 3, 5, of=10))
    r = router(f"{inputs} r -> Queue -> ToDevice(eth0); r [1] -> Queue -> ToDevice(eth1);")
    outputs = r.write("r.active", "true")
    assert (numbers(outputs, "eth0"), numbers(outputs, "eth1")) == ([0, 1, 2] * 2, [10, 11, 12] * 2)


def test_pulled(router, dump):
    r = router(f"{dump(0, 1)} -> r :: Replay(STOP 2, ACTIVE false) -> Unqueue -> Queue -> ToDevice(eth0);")
    assert numbers(r.write("r.active", "true")) == [0, 1] * 2
    assert (r.read("r.stop"), r.read("r.active")) == ("0", "false")


def test_copies_are_their_own(router, dump):
    """What happens to a packet in one round is not seen in the next."""
    r = router(f"{dump(0)} -> r :: ReplayUnqueue(STOP 2, ACTIVE false) -> StoreData(0, x) -> Strip(1) -> Queue -> ToDevice(eth0);")
    assert [output.data for output in r.write("r.active", "true")] == [frame(0)[1:]] * 2
