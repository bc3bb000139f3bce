"""EnsureDPDKBuffer: packets pass, and the element costs nothing."""

import pytest

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

FRAME = bytes(range(64))


@pytest.mark.parametrize("text", ["EnsureDPDKBuffer", "EnsureDPDKBuffer(true, 32)", "EnsureNetmapBuffer", "EnsureDPDKBuffer(FAIL true)"])
def test_packets_pass(element, text):
    x = element(text, before="Paint(3)")
    x.passes(FRAME, PAINT=3)


def test_it_may_stand_on_pull_paths():
    check_text("FromDPDKDevice(0) -> Queue -> EnsureDPDKBuffer -> Unqueue -> ToDPDKDevice(1)", Library.standard())
