"""TSCClock and its other names: whatever they say."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_anything_is_accepted():
    assert check_text("TSCClock(NOWAIT true, VERBOSE 1); c :: JiffieClock(MINPRECISION 5); LinuxClock;", Library.standard())
