"""StringMatcher and StringClassifier: texts anywhere in packets."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clickbpf.testing.cases import Case
from clickbpf.testing.punt import assert_punts_unchanged

TEXTS = (b"abab", b"ba", b"\0\1", b"bbb", b"aba")
CLASSIFIER = 'StringClassifier(abab, "ba", \\<00 01>, bbb, aba)'


def test_the_first_text_that_a_packet_has_decides(element):
    """Texts within and over each other, against Python's `in`."""
    x = element(CLASSIFIER, noutputs=6)

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from(b"ab\0\1c"), max_size=40).map(bytes))
    def run(data):
        packet = bytes([2]) * 20 + data
        x.passes(packet, output=next((n for n, text in enumerate(TEXTS) if text in packet), 5))

    run()
    x.write("reset_count", "")
    for end in (b"ba", b"none"):
        x.send(bytes(1400) + end)
    assert x.read("matches") == "1"


def test_it_looks_at_the_packet_alone(element):
    """Not at what was stripped from it, nor at what was cut off."""
    x = element("StringMatcher(secret)", noutputs=2, before="Strip(10) -> Truncate(40)")
    for packet, output in ((b"secret" + bytes(90), 0), (bytes(46) + b"secret" + bytes(60), 0), (bytes(44) + b"secret" + bytes(60), 1)):
        x.gives(packet, packet[10:50], output=output)


def test_without_output_1_packets_are_dropped(element):
    x = element("StringMatcher(one, another)")
    x.drops(bytes(60) + b"another")
    assert (x.dropped("FILTERED"), x.read("matches")) == (1, "1")


@pytest.mark.executors("bpf")
def test_the_kernel_does_it_all(executor):
    assert assert_punts_unchanged(CLASSIFIER, noutputs=6, packets=100).count == 0


def test_mistakes(refused):
    assert "pattern 1 has no bytes" in refused('StringMatcher(a, "")')
    assert "16384 bytes" in refused(f"StringMatcher({'x' * 16384})")
    assert "output 1 is not connected" in refused("StringClassifier(a, b)")


CASES = [Case("StringMatcher(\\<00 00>, \\<ff>)", noutputs=2), Case(CLASSIFIER, noutputs=5, hooks=("bpf", "tc"))]
#: Frames that aren't in one piece are those of TC, and long ones.
UNREACHED = {
    name: {f"{name.lower()}.c: if (SELF(is_beyond)(p)) return PUNT;": "the packets of these tests are in one piece"}
    for name in ("StringMatcher", "StringClassifier")
}
