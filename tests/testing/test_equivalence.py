"""The equivalence check finds every kind of difference, shows a minimal case, and lets equal executors pass."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.equivalence import Twins, assert_element_equivalent, assert_equivalent
from clickbpf.testing.packets import Mix, frames, generate
from clickbpf.testing.shrink import Arrival, shrink

pytestmark = pytest.mark.needs("root", "clang-19")

LIBRARY = (str(Path(__file__).parent / "elements"),)
ETHER = Ether(src="02:00:00:00:00:11", dst="02:00:00:00:00:01")
ORDINARY = ETHER / IP(src="10.0.0.1", dst="10.0.1.2", ttl=64) / UDP()
SPECIAL = ETHER / IP(src="10.0.0.1", dst="10.0.1.2", ttl=7) / UDP()


def through(element, outputs="-> Queue -> ToDevice(eth1)"):
    return f"FromDevice(eth0) -> d :: {element} {outputs};"


RECORDED = "-> TestRecorder -> Queue -> ToDevice(eth1)"


def failure_of(configuration, packets=(ORDINARY, SPECIAL, ORDINARY), patience=0.2):
    with pytest.raises(AssertionError) as failure:
        assert_equivalent(configuration, packets, library=LIBRARY, patience=patience)
    return str(failure.value)


def test_equal_executors_pass():
    assert_equivalent(through("Differs(NOTHING)"), 500, library=LIBRARY)
    assert_equivalent(through("Differs(NOTHING)", RECORDED), 500, library=LIBRARY)


TWO_OUTPUTS = "-> Queue -> ToDevice(eth1); d [1] -> Queue -> ToDevice(eth2)"
#: By argument of Differs: what its outputs lead to, and what the failure says.
FOUND = {
    "BYTE": ("", r"on eth1: packets differ in 1 field[\s\S]* IP +ttl +8 +7 +<-"),  # native wrote 8, the kernel left 7
    "PORT": (TWO_OUTPUTS, "on eth1: only bpf sends|on eth2: only native sends"),
    "DROP": ("", "on eth1: only bpf sends"),
    "PAINT": (RECORDED, "annotations: .*09000000.* native, .* bpf"),
    "HEADER": (RECORDED, "network: 14 native, None bpf"),
    "COUNT": ("", r"the state that the packets leave differs[\s\S]*d.count: '2' native, '1' bpf"),
    "REASON": ("", r"d drops \(FILTERED\): 1 native, 0 bpf\n *d drops \(NO_ROUTE\): 0 native, 1 bpf"),
}


@pytest.mark.parametrize("what", FOUND)
def test_each_kind_of_difference_is_found(what):
    outputs, said = FOUND[what]
    text = failure_of(through(f"Differs({what})", *filter(None, [outputs])))
    assert re.search(said, text), text


def test_handlers_can_be_left_out():
    assert_equivalent(through("Differs(COUNT)"), [SPECIAL], ignore_handlers=["d.count"], library=LIBRARY)
    assert_equivalent(through("Differs(COUNT)"), [SPECIAL], handlers=["c.*"], library=LIBRARY)


def test_what_is_random_is_not_compared():
    assert_equivalent("s :: Script(TYPE PASSIVE);" + through("Counter"), 3)


def test_one_simple_packet_of_many_is_shown():
    text = failure_of(through("Differs(BYTE)"), [*generate(400, seed=5), SPECIAL], patience=20)
    assert "the least that shows it, 1 of 401 packets" in text
    assert f"\n    {(bytes(22) + bytes([7])).hex(' ')}\n" in text


def test_what_needs_several_packets_keeps_them():
    def fails(packets):
        return sum(arrival.packet.startswith(b"\x01") for arrival in packets) >= 2

    noise = [Arrival("eth0", bytes([n % 7, n]), n % 3) for n in range(100)]
    assert shrink(noise, fails) == [Arrival("eth0", b"\x01")] * 2


def test_shrinking_ends_in_time():
    tries = []

    def fails(packets):
        tries.append(time.sleep(0.01))
        return len(packets) > 990

    before = time.process_time()
    shrink([Arrival("eth0", bytes(1000))] * 1000, fails, patience=0.1)
    assert len(tries) <= 11, "without a limit it would try a thousand times"
    assert time.process_time() - before < 0.5, "what can't be tried any more isn't built either"


def test_an_element_in_both_surroundings():
    assert_element_equivalent("Paint(3)", packets=300)
    with pytest.raises(AssertionError, match="annotations"):
        assert_element_equivalent("Differs(PAINT)", packets=[SPECIAL], library=LIBRARY, patience=0.1)
    with pytest.raises(AssertionError, match="d?rops|only bpf sends"):
        assert_element_equivalent("Differs(DROP)", packets=[SPECIAL], library=LIBRARY, patience=0.1)


def test_packets_of_hypothesis():
    """A hundred of them, one after another through the same two routers."""
    path = "Strip(14) -> CheckIPHeader -> DecIPTTL -> Unstrip(14)"
    with Twins(f"FromDevice(eth0) -> c :: Counter -> {path} -> Queue -> ToDevice(eth1);") as both:

        @settings(max_examples=100, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(frames())
        def run(frame):
            both.send("eth0", frame)

        run()
        assert int(both.one.read("c.count")) >= 100


@pytest.mark.whole
def test_hypothesis_shrinks_a_difference():
    """The plainest frame that Differs treats differently: a whole, valid IPv4 packet but for its TTL of 7."""
    with pytest.raises(AssertionError) as failure, Twins(through("Differs(BYTE)"), library=LIBRARY) as both:

        @settings(max_examples=3000, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(frames(Mix(damaged=0, wrong=0, options=0)))
        def run(frame):
            both.send("eth0", frame)

        run()
    assert "packets differ in" in str(failure.value)


def test_twins_compare_writes_and_state():
    with pytest.raises(AssertionError, match="d.count: '2' native, '1' bpf"), Twins(
        through("Differs(COUNT)"), library=LIBRARY
    ) as both:
        both.send("eth0", SPECIAL)
    with Twins(through("Null -> c :: Counter")) as both:
        both.send("eth0", SPECIAL)
        both.write("c.reset")
        assert both.one.read("c.count") == both.other.read("c.count") == "0"


def test_time_passes_in_the_kernel_path_too():
    with Twins("FromDevice(eth0) -> c :: Counter -> a :: AverageCounter -> Queue -> ToDevice(eth1);") as both:
        for _ in range(101):
            both.send("eth0", ORDINARY)
            both.advance(0.1)
        assert float(both.other.read("a.rate")) == pytest.approx(10, rel=0.02)
        assert both.one.read("c.rate") == both.other.read("c.rate") != "0"


def test_the_time_that_shows_a_difference_is_shown():
    """Differs(AGE) drops in one of two executors what comes later than five seconds after the packet before."""
    with pytest.raises(AssertionError) as failure:
        assert_equivalent(through("Differs(AGE)"), [("eth0", SPECIAL, pause) for pause in (1, 2, 3, 7, 1)], library=LIBRARY)
    assert "the least that shows it, 1 of 5 packets" in str(failure.value) and "into eth0, after 7 s: " in str(failure.value)


@pytest.mark.whole
@pytest.mark.needs("ip", "ethtool")
def test_a_live_router_is_compared_too():
    """The counter of frames and the packets agree between this process and a router loaded on veth devices."""
    configuration = "FromDevice(eth0) -> c :: Counter -> Paint(3) -> Queue -> ToDevice(eth1);"
    assert_equivalent(configuration, 12, executors=("native", "live"), patience=0)
    with pytest.raises(AssertionError, match="d.count: '2' native, '1' live"):
        assert_equivalent(through("Differs(COUNT)"), [SPECIAL], executors=("native", "live"), library=LIBRARY, patience=0)
