"""Search and UnstripAnno: off with what comes before a text, and back again."""

import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.elements.trials import Trial

HEADER, BODY = b"PUT /x HTTP/1.1\r\nHost: a\r\n\r\n", b"INSERT INTO t" + bytes(40)
REQUEST = HEADER + BODY


def removed(carried, offset: int = 16) -> int:
    """The number of bytes that an annotation counts."""
    return int.from_bytes(carried.annotations[offset : offset + 2], sys.byteorder)


def test_what_comes_before_goes_and_the_pattern_too(element):
    x = element('Search("\\r\\n\\r\\n")', noutputs=2)
    x.send(REQUEST)
    assert removed(x.expect(0, BODY).carried) == len(HEADER)


def test_the_pattern_may_stay(element):
    x = element('Search("\\r\\n\\r\\n", STRIP_AFTER false, ANNO 20)', noutputs=2)
    x.send(REQUEST)
    carried = x.expect(0, b"\r\n\r\n" + BODY).carried
    assert (removed(carried, 20), removed(carried)) == (len(HEADER) - 4, 0)


def test_others_leave_unchanged_by_output_1(element):
    x = element('Search("\\r\\n\\r\\n")', noutputs=2)
    for packet in (b"\r\n\r" + bytes(60), bytes(58) + b"\r\n\r"):
        x.send(packet)
        assert removed(x.expect(1, packet).carried) == 0


def test_another_annotation(element):
    x = element("UnstripAnno(24)", before='Paint(5) -> Search("\\r\\n\\r\\n", ANNO 24)')
    x.send(REQUEST)
    assert removed(x.expect(0, REQUEST, PAINT=5).carried, 24) == len(HEADER)


@pytest.mark.executors("native")
def test_it_finds_what_python_finds(element):
    x = element("Search(\\<00 01 00>)", noutputs=2)

    @settings(max_examples=100, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=40).map(bytes))
    def run(start):
        packet = start + bytes([2]) * 20
        x.send(packet)
        _, found, rest = packet.partition(b"\x00\x01\x00")
        x.expect(0, rest) if found else x.expect(1, packet)

    run()


TRIALS = {
    "the first place counts": Trial("Search(\\<00 00>)", noutputs=2)
        .gives(bytes([1, 0, 2, 0, 0, 0, 0, 3]) + bytes(60), bytes([0, 0, 3]) + bytes(60)),
    "the annotation counts what several remove": Trial("UnstripAnno", before='Search("\\r\\n") -> Search("\\r\\n\\r\\n")').passes(REQUEST),
    "an annotation that is left alone": Trial("UnstripAnno", before='Search("\\r\\n\\r\\n", SET_ANNO false)').gives(REQUEST, BODY),
}

MISTAKES = {'Search("")': "cannot search for no bytes"}
