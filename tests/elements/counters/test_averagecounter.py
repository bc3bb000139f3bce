"""AverageCounter: counts over the time from the first packet to the last."""

import pytest

from clickbpf.testing.cases import Case

SECOND = 10**9
FRAME = bytes(100)


def test_packets_and_bytes_are_counted(element):
    x = element("AverageCounter")
    for _ in range(3):
        x.passes(FRAME)
    assert (x.read("count"), x.read("byte_count")) == ("3", "300")
    x.write("reset")
    assert (x.read("count"), x.read("byte_count"), x.read("rate")) == ("0", "0", "0")
    x.send(FRAME[:60])
    assert (x.read("count"), x.read("byte_count")) == ("1", "60")


def at_times(x, times: list[int]) -> None:
    """A packet at each of these milliseconds."""
    for time in times:
        x.router.executor.runtime.set_clock(time * SECOND // 1000)
        x.send(FRAME)


def test_rates_are_averages_over_the_whole_time(element):
    x = element("AverageCounter", simtime=True)
    at_times(x, [5000, 5200, 9000])
    # Three packets in four seconds; a later look doesn't change that.
    assert (x.read("rate"), x.read("byte_rate")) == ("0.75", "75")
    x.write("reset")
    at_times(x, [10000])
    assert x.read("rate") == "1000"
    at_times(x, [13000])
    assert x.read("rate") == "0.666666666667"


def test_the_beginning_can_be_ignored(element):
    x = element("AverageCounter(2)", simtime=True)
    at_times(x, [1000, 2999, 3000, 4000, 5000])
    assert (x.read("count"), x.read("byte_count"), x.read("rate")) == ("3", "300", "1.5")


def test_the_end_can_be_left_out(element):
    x = element("AverageCounterMP(MAX 3)", simtime=True)
    at_times(x, [1000, 2000, 3999, 4000, 9000])
    assert (x.read("count"), x.read("rate"), x.read("time")) == ("3", f"{3000 / 2999:.12g}", "2.999")


@pytest.mark.parametrize("arguments, around", [("", 24), ("0, false", 20), ("LINK_FCS true", 24)])
def test_a_link_is_busy_for_more_than_a_frame(element, arguments, around):
    """IEEE 802.3: 8 bytes of preamble and delimiter, a gap of 12, and the frame check sequence of 4."""
    x = element(f"AverageCounterIMP({arguments})", simtime=True)
    at_times(x, [5000, 5200, 9000])
    bits = 8 * 3 * (len(FRAME) + around)
    assert (x.read("bit_count"), x.read("link_count"), x.read("time")) == ("2400", str(bits), "4")
    assert (x.read("bit_rate"), x.read("link_rate")) == ("600", f"{bits / 4:.12g}")
    x.write("reset_now")
    assert (x.read("link_count"), x.read("count")) == ("0", "0")


def test_a_packet_from_before_the_first_one_counts_too(element):
    """CPUs may disagree on a moment."""
    x = element("AverageCounter", simtime=True)
    at_times(x, [5000, 4999])
    assert (x.read("count"), x.read("rate")) == ("2", "2000")


CASES = [Case("AverageCounter")]
